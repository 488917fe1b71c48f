"""Find words in the conversation that is shown: which messages have them, and where on the screen."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QPoint

from app.ui.focus import FocusBefore
from app.ui.messages.find_bar import FindBar
from app.ui.messages.message_widget import MessageWidget
from app.ui.theme import Space

if TYPE_CHECKING:
    from app.ui.messages.view import MessageView


class Finder(QObject):
    """Goes from message to message; all places in a message are marked."""

    def __init__(self, view: MessageView) -> None:
        super().__init__(view)
        self._view = view
        self._query = ""
        self._hits: list[str] = []
        self._at = 0
        self.bar = FindBar(view)
        self._focus = FocusBefore(self.bar)
        self.bar.query_changed.connect(self.find)
        self.bar.stepped.connect(self.step)
        self.bar.closed.connect(self.close)

    def open(self) -> None:
        """Show the bar, with what was found last."""
        self._focus.remember()
        self.bar.show()
        self.bar.raise_()
        self.bar.field.setFocus()
        self.bar.field.selectAll()
        self.find(self.bar.field.text())

    def close(self) -> None:
        """Hide the bar and the marks; the keyboard goes back to where it was."""
        if not self._focus.give_back():
            self._view.setFocus()
        self.bar.hide()
        self._query, self._hits = "", []
        self._mark_all()

    def find(self, query: str) -> None:
        """Mark ``query`` everywhere and go to the last message that has it."""
        self._query = query.lower()  # as Qt compares: folded, “Straße” would be found and not marked
        self._hits = self._messages_with(self._query)
        self._at = max(0, len(self._hits) - 1)
        self._mark_all()
        self._go()

    def step(self, by: int) -> None:
        """Go on by so many messages, around the ends."""
        if self._hits:
            self._at = (self._at + by) % len(self._hits)
            self._go()

    def refresh(self) -> None:
        """Follow a change of the messages."""
        if self._query:
            self._hits = self._messages_with(self._query)
            self._at = min(self._at, max(0, len(self._hits) - 1))
            self._count()

    def mark(self, widget: MessageWidget) -> None:
        """Mark the words in a message that has just come into sight."""
        if self._query:
            for text in widget.texts():
                text.mark(self._query)

    def place(self) -> None:
        """Keep the bar in the upper corner of the view."""
        self.bar.adjustSize()
        self.bar.move(self._view.width() - self.bar.width() - Space.XL, Space.S)

    def _messages_with(self, query: str) -> list[str]:
        return [message.id for message in self._view.messages() if query and query in message.text.lower()]

    def _mark_all(self) -> None:
        for message in self._view.messages():
            widget = self._view.widget_of(message.id)
            for text in widget.texts() if widget is not None else ():
                text.mark(self._query)

    def _go(self) -> None:
        self._count()
        if self._hits:
            self._view.show_message(self._hits[self._at])
            self._show_first_mark(self._view.widget_of(self._hits[self._at]))

    def _show_first_mark(self, widget: MessageWidget | None) -> None:
        """Scroll on where the words are further down in a long message than can be seen."""
        marked = (text for text in (widget.texts() if widget is not None else ()) if text.extraSelections())
        if (text := next(marked, None)) is None:
            return
        window, bar = self._view.viewport(), self._view.verticalScrollBar()
        first = min(text.cursorRect(selection.cursor).bottom() for selection in text.extraSelections())
        below = text.viewport().mapTo(window, QPoint(0, first)).y()
        if below > window.height():
            bar.setValue(bar.value() + below - window.height() // 2)

    def _count(self) -> None:
        self.bar.show_count(self._at + 1 if self._hits else 0, len(self._hits))
        self.place()
