"""macOS: its own ``screencapture``, in the mode in which the user draws a frame or picks a window."""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import Final

from PySide6.QtCore import QObject, QProcess

from app.ui.capture.tool import CaptureTool
from app.ui.translation import QT_TRANSLATE_NOOP, translate

COMMAND: Final = "screencapture"
INTERACTIVE: Final = ("-i", "-t", "png")
PICTURE: Final = "screen.png"
MISSING: Final = QT_TRANSLATE_NOOP("Capture", "The command “screencapture” of macOS was not found.")


class CommandCapture(CaptureTool):
    """Runs ``screencapture`` into a folder of its own, which is gone once the picture was read."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._folder: tempfile.TemporaryDirectory[str] | None = None
        self._process = QProcess(self)
        self._process.finished.connect(self._on_finished)
        self._process.errorOccurred.connect(self._on_error)

    def check(self) -> None:
        """Say whether the command is there."""
        self.checked.emit("" if shutil.which(COMMAND) else translate("Capture", MISSING))

    def start(self) -> None:
        """Run the command, unless it waits for the user already."""
        if self._folder is not None:
            return
        program = shutil.which(COMMAND)
        if program is None:
            self.failed.emit(translate("Capture", MISSING))
            return
        self._folder = tempfile.TemporaryDirectory()
        self._process.start(program, [*INTERACTIVE, str(Path(self._folder.name) / PICTURE)])

    def _on_finished(self) -> None:
        """Read the picture: none after Escape, when some versions report success and some do not."""
        picture = self._take_picture()
        words = bytes(self._process.readAllStandardError().data()).decode(errors="replace").strip()
        if picture is not None:
            self.captured.emit(picture)
        elif words:
            self.failed.emit(self._because(words))
        else:
            self.cancelled.emit()

    def _on_error(self, error: QProcess.ProcessError) -> None:
        if error == QProcess.ProcessError.FailedToStart:  # of all others `finished` tells
            self._take_picture()
            self.failed.emit(self._because(f"{self._process.errorString()}."))

    def _because(self, reason: str) -> str:
        return self.tr("The screen could not be captured: {reason}").format(reason=reason)

    def _take_picture(self) -> bytes | None:
        """Return what was written, if anything was, and remove it with its folder."""
        folder, self._folder = self._folder, None
        if folder is None:
            return None
        with folder as name:
            picture = Path(name) / PICTURE
            return picture.read_bytes() if picture.exists() else None
