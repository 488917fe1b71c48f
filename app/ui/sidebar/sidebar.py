"""The sidebar: search field, list of chats, and what can be done with a chat."""

from __future__ import annotations

import time
from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QItemSelectionModel, QModelIndex, QPoint, Qt, QTimer, Signal
from PySide6.QtGui import QAction, QKeySequence, QShortcut
from PySide6.QtWidgets import QAbstractItemView, QLineEdit, QListView, QMenu, QVBoxLayout, QWidget

from app.store.records import Conversation
from app.store.search import SearchHit
from app.ui.focus import FocusBefore
from app.ui.labels import caption
from app.ui.sidebar.delegate import ChatDelegate
from app.ui.sidebar.model import ROW, ChatListModel
from app.ui.sidebar.rows import ChatRow, found, grouped
from app.ui.sidebar.search_field import SearchField
from app.ui.theme import Space, icon

SEARCH_PAUSE_MS: Final = 150


class Sidebar(QWidget):
    """Shows chats; every wish of the user leaves as a signal.

    Signals:
        chosen(conversation_id, message_id): open a chat, at a message where a search found one (else empty).
        search_changed(query): the user paused after typing; empty for the whole list.
        renamed(conversation_id, title), pin_requested(conversation_id, pinned), delete_requested(ids),
            folder_requested(ids): what the user wants done with chats.
    """

    chosen = Signal(str, str)
    search_changed = Signal(str)
    renamed = Signal(str, str)
    pin_requested = Signal(str, bool)
    delete_requested = Signal(list)
    folder_requested = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Chats"))
        self.setProperty("surface", "sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.model = ChatListModel()
        self.model.renamed.connect(self.renamed)
        self.search = self._make_search()
        self.list = self._make_list()
        self._focus_before_rename = FocusBefore(self.list)
        self.nothing = caption()
        self.nothing.setAlignment(Qt.AlignmentFlag.AlignCenter)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.S, Space.M, Space.S, Space.S)
        column.setSpacing(Space.S)
        column.addWidget(self.search)
        column.addWidget(self.nothing)
        column.addWidget(self.list, 1)

    def show_chats(self, conversations: Sequence[Conversation], current: str) -> None:
        """Show the whole list, with ``current`` chosen."""
        self.model.set_rows(grouped(conversations, time.time()))
        self._say("" if conversations else self.tr("No chats yet"))
        self.select(current)

    def show_found(self, conversations: Sequence[Conversation], hits: Sequence[SearchHit], current: str) -> None:
        """Show what a search found."""
        self.model.set_rows(found(conversations, hits))
        self._say("" if conversations else self.tr("Nothing found"))
        self.select(current)

    def select(self, conversation_id: str) -> None:
        """Mark a chat as the open one, without choosing it anew."""
        index = self.model.index_of(conversation_id)
        selection = self.list.selectionModel()
        if not index.isValid():
            selection.clear()
        elif not selection.isSelected(index):
            selection.setCurrentIndex(index, QItemSelectionModel.SelectionFlag.ClearAndSelect)
            self.list.scrollTo(index)

    def selected_ids(self) -> list[str]:
        """Return the chats that are marked, from top to bottom."""
        rows = sorted(self.list.selectedIndexes(), key=lambda index: index.row())
        return [c.id for c in map(self.model.conversation, rows) if c is not None]

    def focus_search(self) -> None:
        """Put the cursor into the search field."""
        self.search.take_focus()

    def rename_current(self) -> None:
        """Begin to edit the title of the marked chat in place."""
        if self.list.currentIndex().isValid():
            self._focus_before_rename.remember()
            self.list.edit(self.list.currentIndex())

    def _make_search(self) -> SearchField:
        field = SearchField()
        field.setPlaceholderText(self.tr("Search chats"))
        field.setAccessibleName(self.tr("Search chats"))
        field.setClearButtonEnabled(True)
        field.addAction(icon("search", "#85858c"), QLineEdit.ActionPosition.LeadingPosition)
        self._pause = QTimer(self, singleShot=True, interval=SEARCH_PAUSE_MS)
        self._pause.timeout.connect(lambda: self.search_changed.emit(field.text()))
        field.textChanged.connect(lambda: self._pause.start())  # noqa: PLW0108 - the text is no interval
        field.returnPressed.connect(self._open_first)
        down = QShortcut(QKeySequence(Qt.Key.Key_Down), field, context=Qt.ShortcutContext.WidgetShortcut)
        down.activated.connect(self._walk_down)
        return field

    def _first(self) -> QModelIndex:
        """Return the first chat of what the field finds now; an invalid index for none."""
        if self._pause.isActive():
            self._pause.stop()
            self.search_changed.emit(self.search.text())
        rows = (self.model.index(number, 0) for number in range(self.model.rowCount()))
        return next((row for row in rows if self.model.conversation(row) is not None), QModelIndex())

    def _open_first(self) -> None:
        first = self._first()
        if self.search.text().strip() and first.isValid():
            self.list.setCurrentIndex(first)
            self._choose(first)

    def _walk_down(self) -> None:
        first = self._first()
        if first.isValid():
            self.list.setCurrentIndex(first)
            self.list.setFocus(Qt.FocusReason.TabFocusReason)

    def _make_list(self) -> QListView:
        view = QListView()
        view.setAccessibleName(self.tr("Chats"))
        view.setModel(self.model)
        view.setItemDelegate(ChatDelegate(view))
        view.itemDelegate().closeEditor.connect(lambda *_: self._focus_before_rename.give_back())
        view.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        view.setEditTriggers(QAbstractItemView.EditTrigger.EditKeyPressed)
        view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setMouseTracking(True)
        view.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        view.customContextMenuRequested.connect(self._open_menu)
        view.clicked.connect(self._choose)
        view.activated.connect(self._choose)
        delete = QAction(self.tr("Delete chat"), view)
        delete.setShortcuts([QKeySequence(Qt.Key.Key_Delete), QKeySequence(Qt.Key.Key_Backspace)])
        delete.setShortcutContext(Qt.ShortcutContext.WidgetShortcut)
        delete.triggered.connect(self._delete_selected)
        view.addAction(delete)
        return view

    def _choose(self, index: QModelIndex) -> None:
        row = index.data(ROW)
        if isinstance(row, ChatRow) and len(self.selected_ids()) <= 1:
            self.chosen.emit(row.conversation.id, row.message_id)

    def _delete_selected(self) -> None:
        if ids := self.selected_ids():
            self.delete_requested.emit(ids)

    def _open_menu(self, at: QPoint) -> None:
        conversation = self.model.conversation(self.list.indexAt(at))
        if conversation is not None:
            self.menu_for(conversation).popup(self.list.viewport().mapToGlobal(at))

    def menu_for(self, conversation: Conversation) -> QMenu:
        """Return the menu of one chat; several marked chats are deleted together."""
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        many = len(self.selected_ids()) > 1
        pin = self.tr("Unpin") if conversation.pinned else self.tr("Pin")
        menu.addAction(self.tr("Rename"), self.rename_current).setEnabled(not many)
        menu.addAction(pin, lambda: self.pin_requested.emit(conversation.id, not conversation.pinned))
        menu.addAction(self.tr("Move to folder…"), lambda: self.folder_requested.emit(self._meant(conversation)))
        menu.addSeparator()
        menu.addAction(self.tr("Delete chats") if many else self.tr("Delete"), self._delete_selected)
        return menu

    def _meant(self, conversation: Conversation) -> list[str]:
        """Return the marked chats where ``conversation`` is one of them, else it alone."""
        marked = self.selected_ids()
        return marked if conversation.id in marked else [conversation.id]

    def _say(self, words: str) -> None:
        self.nothing.setText(words)
        self.nothing.setVisible(bool(words))
