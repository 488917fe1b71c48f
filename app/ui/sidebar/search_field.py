"""The field over the list of chats in which a search is typed."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QLineEdit

from app.ui.escape import keep_escape
from app.ui.focus import FocusBefore


class SearchField(QLineEdit):
    """Escape empties it, and gives the keyboard back to where it was."""

    def __init__(self) -> None:
        super().__init__()
        self._focus = FocusBefore(self)
        keep_escape(self)

    def take_focus(self) -> None:
        """Take the keyboard for a search."""
        self._focus.remember()
        self.setFocus()
        self.selectAll()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Escape ends the search; all else is typed."""
        if event.key() == Qt.Key.Key_Escape:
            self.clear()
            self._focus.give_back()
        else:
            super().keyPressEvent(event)
