"""The small bar over a conversation in which words to find are typed."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QLineEdit, QWidget

from app.ui.escape import keep_escape
from app.ui.messages.buttons import IconButton
from app.ui.theme import Space, TextRole, number_font

_FIELD_WIDTH = 180


class FindBar(QFrame):
    """Enter goes to the next message with the words, Shift+Enter to the one before, Escape closes.

    Signals:
        query_changed: the words to find.
        stepped: to the next (1) or the one before (-1).
        closed: the bar was closed.
    """

    query_changed = Signal(str)
    stepped = Signal(int)
    closed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setProperty("kind", "card")
        self.setAutoFillBackground(True)
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("Find in this chat"))
        self.field.setAccessibleName(self.tr("Find in this chat"))
        self.field.setFixedWidth(_FIELD_WIDTH)
        self.count = QLabel()
        self.count.setProperty("role", "meta")
        self.count.setFont(number_font(TextRole.CAPTION))
        self.before = IconButton("chevron-up", self.tr("The message before with these words"))
        self.next = IconButton("chevron-down", self.tr("The next message with these words"))
        close = IconButton("close", self.tr("Close"))
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.XS, Space.XS, Space.XS, Space.XS)
        row.setSpacing(Space.XS)
        for widget in (self.field, self.count, self.before, self.next, close):
            row.addWidget(widget)
        self.field.textChanged.connect(self.query_changed)
        self.before.clicked.connect(lambda: self.stepped.emit(-1))
        self.next.clicked.connect(lambda: self.stepped.emit(1))
        close.clicked.connect(self.closed)
        keep_escape(self)
        self.hide()

    def show_count(self, place: int, total: int) -> None:
        """Show which of the messages with the words is shown, counted from 1; 0 of 0 where there are none."""
        found = self.tr("{number} of {total}").format(number=place, total=total) if total else self.tr("Not found")
        self.count.setText(found if self.field.text() else "")
        for button in (self.before, self.next):
            button.setEnabled(total > 0)
        self.adjustSize()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Enter, Shift+Enter and Escape."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.stepped.emit(-1 if event.modifiers() & Qt.KeyboardModifier.ShiftModifier else 1)
        elif event.key() == Qt.Key.Key_Escape:
            self.closed.emit()
        else:
            super().keyPressEvent(event)
