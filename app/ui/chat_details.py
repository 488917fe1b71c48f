"""What a chat has beside its words: the system prompt of its own, and the folder it lies in."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QInputDialog

if TYPE_CHECKING:
    from app.store.store import Store
    from app.ui.chats import Chats
    from app.ui.main_window import MainWindow


class ChatDetails(QObject):
    """Asks for them and keeps them."""

    def __init__(self, window: MainWindow, store: Store, chats: Chats) -> None:
        super().__init__()
        self._window, self._store, self._chats = window, store, chats
        window.actions_.system_prompt.triggered.connect(self.ask_system_prompt)
        window.sidebar.folder_requested.connect(self.ask_folder)

    def ask_system_prompt(self) -> None:
        """Let the user change what the model is told before the open chat."""
        present = self._chats.current.system_prompt if self._chats.current is not None else ""
        text, accepted = QInputDialog.getMultiLineText(
            self._window,
            "System prompt",
            "What the model is told before this chat. Empty for the one in the settings.",
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
        name, accepted = QInputDialog.getItem(
            self._window, "Move to folder", "Name of the folder. Empty for none.", choices, choices.index(present), True
        )
        if accepted:
            for conversation_id in ids:
                self._store.set_folder(conversation_id, " ".join(name.split()))
            self._chats.refresh()
