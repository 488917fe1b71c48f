"""The command palette: every action, found by typing a part of its name."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QAction, QKeyEvent, QKeySequence
from PySide6.QtWidgets import QFrame, QLineEdit, QListWidget, QListWidgetItem, QVBoxLayout, QWidget

from app.ui.focus import FocusBefore
from app.ui.theme import Space

WIDTH: Final = 420
HEIGHT: Final = 320
ROW: Final = 32
_ACTION: Final = Qt.ItemDataRole.UserRole
_LIST_KEYS: Final = (Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_PageUp, Qt.Key.Key_PageDown)


class Palette(QFrame):
    """A list of actions over the window, narrowed by a search field.

    Enter runs one, Escape closes; either way the keyboard goes back to where it was.
    """

    def __init__(self, actions: Iterable[QAction], over: QWidget) -> None:
        super().__init__(over)
        self._actions = list(actions)
        self._over = over
        self._focus = FocusBefore(self)
        self.setProperty("kind", "card")
        self.setAccessibleName(self.tr("Command palette"))
        self.field = QLineEdit()
        self.field.setPlaceholderText(self.tr("What do you want to do?"))
        self.field.setAccessibleName(self.tr("Find a command"))
        self.field.textChanged.connect(self._narrow)
        self.field.installEventFilter(self)
        self.list = QListWidget()
        self.list.setAccessibleName(self.tr("Commands"))
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.itemClicked.connect(self._run)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.S, Space.S, Space.S)
        column.setSpacing(Space.S)
        column.addWidget(self.field)
        column.addWidget(self.list)
        self.hide()

    def open(self) -> None:
        """Show all commands and take the keyboard."""
        self._focus.remember()
        self.field.clear()
        self._narrow("")
        self.resize(min(WIDTH, self._over.width() - 2 * Space.L), HEIGHT)
        self.move((self._over.width() - self.width()) // 2, Space.XXL * 2)
        self.show()
        self.raise_()
        self.field.setFocus()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Let the field's arrow keys move in the list, and close when the field is left."""
        if event.type() == QEvent.Type.FocusOut:
            self.hide()
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._on_key(event)
        if event.type() == QEvent.Type.ShortcutOverride:
            event.accept()
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.key() == Qt.Key.Key_Escape:
            self._close()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            if item := self.list.currentItem():
                self._run(item)
        elif event.key() in _LIST_KEYS:
            self.list.keyPressEvent(event)
        else:
            return False
        return True

    def _close(self) -> None:
        self._focus.give_back()
        self.hide()

    def _narrow(self, text: str) -> None:
        words = text.casefold().split()
        self.list.clear()
        for action in self._actions:
            if action.isEnabled() and all(word in action.text().casefold() for word in words):
                self.list.addItem(self._item(action))
        self.list.setCurrentRow(0)

    @staticmethod
    def _item(action: QAction) -> QListWidgetItem:
        keys = action.shortcut().toString(QKeySequence.SequenceFormat.NativeText)
        name = action.text().removesuffix("…")
        item = QListWidgetItem(action.icon(), f"{name}   {keys}" if keys else name)
        item.setData(_ACTION, action)
        return item

    def _run(self, item: QListWidgetItem) -> None:
        action: QAction = item.data(_ACTION)
        self._close()  # first: what the action opens is to find, and to give back, the keyboard where it was
        action.trigger()
