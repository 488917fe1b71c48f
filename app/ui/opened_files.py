"""Files that the desktop hands over: as arguments at the start, later as events (drops on the Dock, “open with”)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import QEvent, QObject, QTimer
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication


class OpenedFiles(QObject):
    """Gives every file that the desktop opens with the app to ``attach``, as long as it lives.

    Files that come before the first turn of the event loop wait for it: the window shows the last draft then.
    """

    def __init__(self, app: QApplication, attach: Callable[[Sequence[Path]], None]) -> None:
        super().__init__(app)
        self._attach = attach
        self._begun = False
        self._waiting = named_files(app)
        app.installEventFilter(self)
        QTimer.singleShot(0, self._begin)

    def take(self, files: Sequence[Path]) -> None:
        """Attach files that came another way; what is no file any more is left out."""
        self._waiting += [file for file in files if file.is_file()]
        if self._begun:
            self._hand_over()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Take file-open events; everything else goes its way."""
        if not isinstance(event, QFileOpenEvent):
            return super().eventFilter(watched, event)
        self._waiting.append(Path(event.file()))
        if self._begun:
            self._hand_over()
        return True

    def _begin(self) -> None:
        self._begun = True
        self._hand_over()

    def _hand_over(self) -> None:
        files, self._waiting = self._waiting, []
        if files:
            self._attach(files)


def named_files(app: QApplication) -> list[Path]:
    """Return the files among the arguments that the app was started with."""
    return [Path(argument) for argument in app.arguments()[1:] if Path(argument).is_file()]
