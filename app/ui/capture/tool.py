"""What every way to take a picture of the screen has in common."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QObject, Signal

from app.ui.translation import QT_TRANSLATE_NOOP, translate

NOT_HERE: Final = QT_TRANSLATE_NOOP(
    "Capture", "This system has no tool that lets an app ask for a picture of the screen."
)


class CaptureTool(QObject):
    """Lets the user choose a part of the screen; here: where there is no way to.

    Signals:
        checked(reason): the answer to :meth:`check`: why it cannot be used, empty where it can.
        captured(data): the chosen part as an encoded picture, bytes.
        cancelled(): the user chose nothing.
        failed(sentence): there is no picture, and why.
    """

    checked = Signal(str)
    captured = Signal(bytes)
    cancelled = Signal()
    failed = Signal(str)

    def check(self) -> None:
        """Find out whether it can be used; ``checked`` has the answer, at once or later."""
        self.checked.emit(translate("Capture", NOT_HERE))

    def start(self) -> None:
        """Let the user choose; one of the other signals has the outcome."""
        self.failed.emit(translate("Capture", NOT_HERE))
