"""The field with a chat's title: an ellipsis tells that it is longer than its room, until it is edited."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QFocusEvent, QResizeEvent
from PySide6.QtWidgets import QLineEdit, QStyle, QStyleOptionFrame

_INNER_MARGIN = 2
"""Pixels that QLineEdit itself leaves free on either side of its text."""


class TitleEdit(QLineEdit):
    """Shows as much of the title as there is room for; with the keyboard in it, all of it can be edited."""

    def __init__(self) -> None:
        super().__init__()
        self._title = ""

    def show_title(self, title: str) -> None:
        """Show another title; what was being typed belonged to the one before."""
        self._title = title
        self.setModified(False)
        self._show()

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Give the whole title to be edited."""
        if not self.isModified():
            self.setText(self._title)
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Shorten the title again."""
        super().focusOutEvent(event)
        self._show()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Show what there is room for now."""
        super().resizeEvent(event)
        self._show()

    def changeEvent(self, event: QEvent) -> None:
        """Show what there is room for in another size of text."""
        super().changeEvent(event)
        if event.type() == QEvent.Type.FontChange:
            self._show()

    def _show(self) -> None:
        if self.isModified():
            return
        shown = self._title if self.hasFocus() else self._shortened()
        if shown != self.text():
            self.setText(shown)
        if not self.hasFocus():
            self.setCursorPosition(0)
        self.setToolTip("" if shown == self._title else self._title)

    def _shortened(self) -> str:
        option = QStyleOptionFrame()
        self.initStyleOption(option)
        inner = self.style().subElementRect(QStyle.SubElement.SE_LineEditContents, option, self)
        room = inner.width() - 2 * _INNER_MARGIN
        return self.fontMetrics().elidedText(self._title, Qt.TextElideMode.ElideRight, room)
