"""The list of chats as Qt sees it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, Qt, Signal

from app.store.records import Conversation
from app.ui.messages.words import listed
from app.ui.sidebar.rows import ChatRow, Heading, Row
from app.ui.translation import translate

ROW: Final = Qt.ItemDataRole.UserRole
_Index = QModelIndex | QPersistentModelIndex
_TEXT_ROLES: Final = (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.EditRole, Qt.ItemDataRole.ToolTipRole)


class ChatListModel(QAbstractListModel):
    """Rows of headings and chats. Editing a row asks for another title; the store decides.

    Signals:
        renamed(conversation_id, title): the user typed another title.
    """

    renamed = Signal(str, str)

    def __init__(self) -> None:
        super().__init__()
        self._rows: list[Row] = []

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show other rows; nothing happens if they are the same."""
        if list(rows) == self._rows:
            return
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def conversation(self, index: _Index) -> Conversation | None:
        """Return the chat at ``index``; ``None`` for a heading or no row."""
        row = self._rows[index.row()] if index.isValid() else None
        return row.conversation if isinstance(row, ChatRow) else None

    def index_of(self, conversation_id: str) -> QModelIndex:
        """Return where a chat stands; an invalid index if it does not."""
        for number, row in enumerate(self._rows):
            if isinstance(row, ChatRow) and row.conversation.id == conversation_id:
                return self.index(number)
        return QModelIndex()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of rows."""
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the text of a row, or for :data:`ROW` the row itself."""
        if not index.isValid():
            return None
        row = self._rows[index.row()]
        if role == ROW:
            return row
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return _spoken(row)
        if role in _TEXT_ROLES:
            return row.text if isinstance(row, Heading) else row.title
        return None

    def setData(self, index: _Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        """Ask for another title; an empty or unchanged one is ignored."""
        conversation = self.conversation(index)
        title = " ".join(str(value).split())
        if conversation is None or not title or title == index.data():
            return False
        self.renamed.emit(conversation.id, title)
        return True

    def flags(self, index: _Index) -> Qt.ItemFlag:
        """Chats can be chosen and renamed, headings cannot."""
        if self.conversation(index) is None:
            return Qt.ItemFlag.NoItemFlags
        return Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemIsEditable


def _spoken(row: Row) -> str:
    if isinstance(row, Heading):
        return row.text
    pinned = [translate("Sidebar", "pinned")] if row.conversation.pinned else []
    snippet = f": {row.snippet}" if row.snippet else ""
    return f"{listed([row.title, *pinned])}{snippet}"
