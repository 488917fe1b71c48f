"""“Capture screen…”: the action that takes a picture of the screen into the draft."""

from __future__ import annotations

import sys
from datetime import datetime
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtGui import QAction

from app.ui.capture.tool import CaptureTool

if TYPE_CHECKING:
    from app.ui.main_window import MainWindow


class ScreenCapture(QObject):
    """Gives the action its tool; where there is none, the action is off and its tooltip says why.

    Attributes:
        tool: what takes the picture on this system.
    """

    def __init__(self, window: MainWindow, tool: CaptureTool) -> None:
        super().__init__()
        self._window = window
        self.tool = tool
        self._action: QAction = window.actions_.capture
        self._action.setEnabled(False)
        self._action.triggered.connect(lambda _=False: tool.start())
        tool.setParent(self)
        tool.checked.connect(self._on_checked)
        tool.captured.connect(self._on_captured)
        tool.cancelled.connect(self._come_back)
        tool.failed.connect(window.toast.say)

    def check(self) -> None:
        """Find out whether this system can take pictures of the screen."""
        self.tool.check()

    def _on_checked(self, reason: str) -> None:
        self._action.setEnabled(not reason)
        words = reason or self.tr("Choose a part of the screen and attach it")
        self._action.setToolTip(words)
        self._action.setStatusTip(words)

    def _on_captured(self, data: bytes) -> None:
        self._window.composer.add_image_bytes(
            data, self.tr("Screen at {time}").format(time=f"{datetime.now():%H.%M.%S}.png")
        )
        self._come_back()

    def _come_back(self) -> None:
        self._window.activateWindow()
        self._window.composer.focus_input()


def system_tool(platform: str = sys.platform) -> CaptureTool:
    """Return the tool of this system."""
    if platform == "darwin":
        from app.ui.capture.command import CommandCapture

        return CommandCapture()
    if platform == "linux":
        from app.ui.capture.portal import PortalCapture

        return PortalCapture()
    return CaptureTool()
