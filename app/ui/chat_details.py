"""What a chat has beside its words: a system prompt of its own, a folder, the way back from the trash."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QDateTime, QLocale, QObject
from PySide6.QtWidgets import QInputDialog

from app.ui.requests import shown_title

if TYPE_CHECKING:
    from app.store.records import Conversation
    from app.store.store import Store
    from app.ui.chats import Chats
    from app.ui.main_window import MainWindow


class ChatDetails(QObject):
    """Asks for them and keeps them."""

    def __init__(self, window: MainWindow, store: Store, chats: Chats) -> None:
        super().__init__()
        self._window, self._store, self._chats = window, store, chats
        window.actions_.system_prompt.triggered.connect(self.ask_system_prompt)
        window.actions_.restore.triggered.connect(self.ask_restore)
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

    def ask_restore(self) -> None:
        """Let the user bring back a chat that was deleted; it is opened."""
        trash = self._store.trash()
        if not trash:
            self._window.toast.say(self.tr("There are no deleted chats."))
            return
        labels = [f"{number}. {shown_title(chat.title)} ({_when(chat)})" for number, chat in enumerate(trash, 1)]
        title, words = self.tr("Deleted chats"), self.tr("Bring back:")
        label, accepted = QInputDialog.getItem(self._window, title, words, labels, 0, False)
        if accepted:
            chat = trash[labels.index(label)]
            self._store.undelete(chat.id)
            self._chats.open(chat.id)


def _when(chat: Conversation) -> str:
    deleted = QDateTime.fromSecsSinceEpoch(int(chat.deleted_at or 0))
    return QLocale().toString(deleted, QLocale.FormatType.ShortFormat)
