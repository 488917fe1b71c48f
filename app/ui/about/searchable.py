"""A long text to read, and a field to find words in it."""

from __future__ import annotations

import re

from PySide6.QtCore import Qt
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QLineEdit, QPlainTextEdit, QVBoxLayout, QWidget

from app.ui.messages.buttons import IconButton
from app.ui.messages.words import count
from app.ui.theme import Space, TextRole, mono_font, number_font


class SearchableText(QWidget):
    """Shows a text; Enter in the field goes to the next place with its words, Shift+Enter to the one before.

    Attributes:
        field: the words to find.
        view: the text.
        found: which of the places is shown.
    """

    def __init__(self, name: str) -> None:
        super().__init__()
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find"))
        self.field.setAccessibleName(self.tr("Find in: {name}").format(name=name))
        self.field.setClearButtonEnabled(True)
        self.field.textChanged.connect(self._find_anew)
        self.view = QPlainTextEdit()
        self.view.setReadOnly(True)
        self.view.setFont(mono_font(TextRole.CAPTION))
        self.view.setAccessibleName(name)
        self.view.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.found = QLabel()
        self.found.setProperty("role", "meta")
        self.found.setFont(number_font(TextRole.CAPTION))
        self._before = IconButton("chevron-up", self.tr("The place before"))
        self._next = IconButton("chevron-down", self.tr("The next place"))
        self._before.clicked.connect(lambda: self.step(-1))
        self._next.clicked.connect(lambda: self.step(1))
        self._text = ""
        self._places: list[int] = []
        self._at = 0
        QShortcut(QKeySequence.StandardKey.Find, self, self.field.setFocus)
        self._lay_out()
        self._show_place()

    def show_text(self, text: str) -> None:
        """Show another text from its beginning."""
        self._text = text
        self.view.setPlainText(text)
        self._find_anew()

    def step(self, by: int) -> None:
        """Go to the next place with the words (1) or the one before (-1), round the ends."""
        if self._places:
            self._at = (self._at + by) % len(self._places)
            self._show_place()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter and Shift+Enter."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.step(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        else:
            super().keyPressEvent(event)

    def _find_anew(self) -> None:
        words = re.escape(self.field.text())
        self._at, self._places = 0, [found.start() for found in re.finditer(words, self._text, re.I)] if words else []
        self._show_place()

    def _show_place(self) -> None:
        words, total = self.field.text(), len(self._places)
        for button in (self._before, self._next):
            button.setEnabled(total > 0)
        self.view.setTextCursor(self._cursor(self._places[self._at], len(words)) if total else self._cursor(0, 0))
        self.view.centerCursor()
        place = self.tr("{number} of {total}").format(number=count(self._at + 1), total=count(total))
        shown = place if total else self.tr("Not found")
        self.found.setText(shown if words else "")

    def _cursor(self, place: int, length: int) -> QTextCursor:
        cursor = QTextCursor(self.view.document())
        cursor.setPosition(_units(self._text[:place]))
        cursor.setPosition(_units(self._text[: place + length]), QTextCursor.MoveMode.KeepAnchor)
        return cursor

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(Space.XS)
        line.addWidget(self.field, 1)
        for widget in (self.found, self._before, self._next):
            line.addWidget(widget)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addLayout(line)
        column.addWidget(self.view, 1)


def _units(text: str) -> int:
    """Return the length of ``text`` as Qt counts it."""
    return len(text.encode("utf-16-le")) // 2
