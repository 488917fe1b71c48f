"""Linux: the desktop's portal, which asks the user what may be seen, in a sandbox and on Wayland too.

The interface is described at https://flatpak.github.io/xdg-desktop-portal/docs/doc-org.freedesktop.portal.Screenshot.html.
"""

from __future__ import annotations

import itertools
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import SLOT, QObject, QUrl, Slot
from PySide6.QtDBus import QDBusConnection, QDBusMessage, QDBusPendingCallWatcher

from app.ui.capture.tool import CaptureTool
from app.ui.translation import QT_TRANSLATE_NOOP, translate

SERVICE: Final = "org.freedesktop.portal.Desktop"
OBJECT: Final = "/org/freedesktop/portal/desktop"
SCREENSHOT: Final = "org.freedesktop.portal.Screenshot"
REQUEST: Final = "org.freedesktop.portal.Request"
MISSING: Final = QT_TRANSLATE_NOOP(
    "Capture",
    "This desktop does not let apps ask for a picture of the screen: "
    "it has no desktop portal with a part for screenshots (xdg-desktop-portal).",
)
REFUSED: Final = QT_TRANSLATE_NOOP("Capture", "The desktop did not hand over a picture of the screen.")
_CHOSEN, _CANCELLED = 0, 1


class PortalCapture(CaptureTool):
    """Asks the portal on ``bus``, the session's by default, and never waits for it: it may be slow to start."""

    def __init__(self, bus: QDBusConnection | None = None, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._bus = bus if bus is not None else QDBusConnection.sessionBus()
        self._numbers = itertools.count(1)
        self._request = ""
        self._calls: dict[str, QDBusPendingCallWatcher] = {}

    def check(self) -> None:
        """Ask the portal which version of the screenshot interface it has: none means that there is none."""
        if not self._bus.isConnected():
            self.checked.emit(translate("Capture", MISSING))
            return
        question = QDBusMessage.createMethodCall(SERVICE, OBJECT, "org.freedesktop.DBus.Properties", "Get")
        question.setArguments([SCREENSHOT, "version"])
        self._send(question, self._on_version)

    def start(self) -> None:
        """Let the portal's dialog ask the user; an earlier question that still stands is forgotten."""
        token = f"second_glance_{os.getpid()}_{next(self._numbers)}"
        sender = self._bus.baseService().removeprefix(":").replace(".", "_")
        self._listen(f"{OBJECT}/request/{sender}/{token}")  # before the call: its answer may come first
        question = QDBusMessage.createMethodCall(SERVICE, OBJECT, SCREENSHOT, "Screenshot")
        question.setArguments(["", {"interactive": True, "handle_token": token}])
        self._send(question, self._on_asked)

    def _send(self, question: QDBusMessage, then: Callable[[QDBusPendingCallWatcher], None]) -> None:
        """Ask, and keep the call until the next of its kind: inside its own signal it must not be destroyed."""
        call = self._calls[question.member()] = QDBusPendingCallWatcher(self._bus.asyncCall(question))
        call.finished.connect(then)

    def _on_version(self, call: QDBusPendingCallWatcher) -> None:
        self.checked.emit(translate("Capture", MISSING) if call.isError() else "")

    def _on_asked(self, call: QDBusPendingCallWatcher) -> None:
        if call.isError():
            self._listen("")
            self.failed.emit(f"{translate('Capture', REFUSED)} ({call.error().message()})")

    def _listen(self, request: str) -> None:
        slot: Any = SLOT("_on_response(uint,QVariantMap)")  # PySide takes text here, whatever its stubs say
        if self._request:
            self._bus.disconnect("", self._request, REQUEST, "Response", self, slot)
        self._request = request
        if request:
            self._bus.connect("", request, REQUEST, "Response", self, slot)

    @Slot("uint", "QVariantMap")
    def _on_response(self, code: int, results: dict[str, Any]) -> None:
        self._listen("")
        if code == _CANCELLED:
            self.cancelled.emit()
        elif code == _CHOSEN and (url := QUrl(str(results.get("uri", "")))).isLocalFile():
            self._read(Path(url.toLocalFile()))
        else:
            self.failed.emit(translate("Capture", REFUSED))

    def _read(self, path: Path) -> None:
        try:
            data = path.read_bytes()
        except OSError as error:
            words = self.tr("The picture of the screen could not be read: {reason}.")
            self.failed.emit(words.format(reason=error.strerror or error))
        else:
            self.captured.emit(data)
