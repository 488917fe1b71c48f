"""What a chat has beside its words: a system prompt of its own, a folder, the way back from the trash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

from app.ui.deleted_chats import DeletedChats

if TYPE_CHECKING:
    from app.store.store import Store
    from app.ui.chats import Chats
    from app.ui.main_window import MainWindow
    from app.ui.tuning import Tuning


class ChatDetails(QObject):
    """Asks for them and keeps them.

    Attributes:
        deleted: the dialog of the deleted chats, once it was opened.
    """

    def __init__(self, window: MainWindow, store: Store, chats: Chats, tuning: Tuning) -> None:
        super().__init__()
        self._window, self._store, self._chats, self._tuning = window, store, chats, tuning
        self.deleted: DeletedChats | None = None
        window.actions_.system_prompt.triggered.connect(self.ask_system_prompt)
        window.actions_.restore.triggered.connect(self.show_deleted)
        window.sidebar.folder_requested.connect(self.ask_folder)

    def ask_system_prompt(self) -> None:
        """Let the user change what the model is told before the open chat."""
        present = self._chats.current.system_prompt if self._chats.current is not None else ""
        text, accepted = QInputDialog.getMultiLineText(
            self._window,
            self.tr("System prompt"),
            self.tr("What the model is told before this chat. Empty for the one in the settings."),
            present,
        )
        if accepted and text.strip() != present:
            self._store.set_system_prompt(self._chats.kept().id, text.strip())
            self._chats.refresh()

    def ask_folder(self, ids: list[str]) -> None:
        """Let the user put chats into a folder, a new one or one that is there."""
        folders = sorted({chat.folder for chat in self._store.conversations() if chat.folder})
        present = self._store.conversation(ids[0]).folder
        choices = ["", *folders]
        title, words = self.tr("Move to folder"), self.tr("Name of the folder. Empty for none.")
        name, accepted = QInputDialog.getItem(self._window, title, words, choices, choices.index(present), True)
        if accepted:
            for conversation_id in ids:
                self._store.set_folder(conversation_id, " ".join(name.split()))
            self._chats.refresh()

    def show_deleted(self) -> None:
        """Show the chats that were deleted, for the way back or the way out for good."""
        if self.deleted is not None:
            self.deleted.close()
            self.deleted.deleteLater()
        self.deleted = dialog = DeletedChats(self._window)
        dialog.restored.connect(self._restore)
        dialog.removed.connect(self._remove)
        self._list_deleted()
        dialog.open()

    def _restore(self, ids: list[str]) -> None:
        with self._store.transaction():
            for conversation_id in ids:
                self._store.undelete(conversation_id)
        self._chats.open(ids[0])
        self._chats.refresh()
        self._list_deleted()

    def _remove(self, ids: list[str]) -> None:
        self._window.toast.lapse()  # it may offer the way back
        with self._store.transaction():
            for conversation_id in ids:
                self._chats.forgetting.emit(conversation_id)
                self._store.forget(conversation_id)
        self._list_deleted()

    def _list_deleted(self) -> None:
        if self.deleted is not None:
            self.deleted.show_chats(self._store.trash(), self._tuning.settings.general.trash_days)
