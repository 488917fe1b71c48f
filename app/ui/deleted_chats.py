"""“Deleted chats…”: which there are and since when, the way back, and the way out for good."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QDateTime, QLocale, QSize, Qt, Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QHeaderView,
    QMessageBox,
    QPushButton,
    QStackedWidget,
    QTreeWidget,
    QTreeWidgetItem,
    QVBoxLayout,
    QWidget,
)

from app.store.records import Conversation
from app.ui.labels import caption
from app.ui.requests import shown_title
from app.ui.theme import Space

WIDTH: Final = 560
_ID: Final = Qt.ItemDataRole.UserRole


class DeletedChats(QDialog):
    """Lists the chats in the trash, last deleted first.

    Signals:
        restored(ids): these are to be brought back.
        removed(ids): these are to go for good, which the user has confirmed.
    """

    restored = Signal(list)
    removed = Signal(list)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Deleted chats"))
        self.setMinimumWidth(WIDTH)
        self.words = caption()
        self.list = self._make_list()
        self.empty = caption(self.tr("There are no deleted chats."))
        self.empty.setAlignment(Qt.AlignmentFlag.AlignCenter)
        self.pages = QStackedWidget()
        for page in (self.list, self.empty):
            self.pages.addWidget(page)
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        self.restore, self.remove = self._make_buttons()
        column = QVBoxLayout(self)
        column.setSpacing(Space.M)
        for widget in (self.words, self.pages, self.buttons):
            column.addWidget(widget)
        self._connect()

    def show_chats(self, chats: Sequence[Conversation], days: int) -> None:
        """List these; each is kept for ``days`` days after it was deleted."""
        at_once = self.tr("Deleted chats are removed for good when Second Glance starts the next time.")
        kept = self.tr("A deleted chat can be brought back for %Ln day(s); then it is removed for good.", "", days)
        self.words.setText(kept if days else at_once)
        self.list.clear()
        for chat in chats:
            item = QTreeWidgetItem([shown_title(chat.title), _when(chat)])
            item.setData(0, _ID, chat.id)
            item.setSizeHint(0, QSize(0, self.fontMetrics().height() + Space.S))
            item.setToolTip(0, shown_title(chat.title))
            self.list.addTopLevelItem(item)
        self.pages.setCurrentWidget(self.list if chats else self.empty)
        if (first := self.list.topLevelItem(0)) is not None:
            self.list.setCurrentItem(first)
        self._show_chosen()

    def chosen(self) -> list[str]:
        """Return the ids of the chats that are selected."""
        return [item.data(0, _ID) for item in self.list.selectedItems()]

    def _restore(self) -> None:
        if ids := self.chosen():
            self.restored.emit(ids)

    def _remove(self) -> None:
        ids = self.chosen()
        words = self.tr("%Ln chat(s) and all that was said there will be gone for good.", "", len(ids))
        yes, no = QMessageBox.StandardButton.Yes, QMessageBox.StandardButton.No
        if ids and QMessageBox.question(self, self.tr("Delete for good"), words, yes | no, no) == yes:
            self.removed.emit(ids)

    def _show_chosen(self) -> None:
        for button in (self.restore, self.remove):
            button.setEnabled(bool(self.list.selectedItems()))

    def _make_list(self) -> QTreeWidget:
        made = QTreeWidget()
        made.setHeaderLabels([self.tr("Title"), self.tr("Deleted")])
        made.setAccessibleName(self.windowTitle())
        made.setRootIsDecorated(False)
        made.setUniformRowHeights(True)
        made.setSelectionMode(QTreeWidget.SelectionMode.ExtendedSelection)
        made.header().setStretchLastSection(False)
        made.header().setSectionResizeMode(0, QHeaderView.ResizeMode.Stretch)
        made.header().setSectionResizeMode(1, QHeaderView.ResizeMode.ResizeToContents)
        return made

    def _make_buttons(self) -> tuple[QPushButton, QPushButton]:
        restore = self.buttons.addButton(self.tr("Bring back"), QDialogButtonBox.ButtonRole.ActionRole)
        remove = self.buttons.addButton(self.tr("Delete for good…"), QDialogButtonBox.ButtonRole.DestructiveRole)
        restore.setProperty("kind", "primary")
        remove.setProperty("kind", "danger")
        restore.setDefault(True)
        return restore, remove

    def _connect(self) -> None:
        self.list.itemSelectionChanged.connect(self._show_chosen)
        self.list.itemActivated.connect(lambda *_: self._restore())
        self.restore.clicked.connect(self._restore)
        self.remove.clicked.connect(self._remove)
        self.buttons.rejected.connect(self.reject)


def _when(chat: Conversation) -> str:
    deleted = QDateTime.fromSecsSinceEpoch(int(chat.deleted_at or 0))
    return QLocale().toString(deleted, QLocale.FormatType.ShortFormat)
