"""The chats: which one is open, the list beside it, titles, drafts, deleting with a way back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.store.records import Conversation
from app.ui.requests import UNTITLED, shown_title

if TYPE_CHECKING:
    from app.store.store import Store
    from app.ui.main_window import MainWindow

DRAFT_MS: Final = 400


class Chats(QObject):
    """Keeps window and store in step about chats; of questions and answers it knows nothing.

    Attributes:
        current: the open chat; ``None`` for one that is not kept yet.

    Signals:
        leaving(): another chat is about to be shown.
        shown(): another chat, or another branch of it, is open: its messages are to be shown.
        deleting(conversation_id): a chat is about to go to the trash.
        forgetting(conversation_id): a chat is about to go for good.
        gone(): the offer to bring deleted chats back has lapsed.
    """

    leaving = Signal()
    shown = Signal()
    deleting = Signal(str)
    forgetting = Signal(str)
    gone = Signal()

    def __init__(self, window: MainWindow, store: Store) -> None:
        super().__init__()
        self.current: Conversation | None = None
        self._window = window
        self._store = store
        self._incognito = False
        self._query = ""
        self._can_return: set[str] = set()
        self._timer = QTimer(self, singleShot=True, interval=DRAFT_MS)
        self._timer.timeout.connect(self.save_draft)
        window.composer.changed.connect(self._timer.start)
        window.sidebar.chosen.connect(self.open)
        window.sidebar.search_changed.connect(self.search)
        window.sidebar.renamed.connect(self.rename)
        window.sidebar.pin_requested.connect(self.set_pinned)
        window.sidebar.delete_requested.connect(self.delete)
        window.toolbar.title_edited.connect(self._on_title_edited)
        window.actions_.new_chat.triggered.connect(lambda _=False: self.new())
        window.actions_.new_incognito.triggered.connect(lambda: self.new(incognito=True))
        window.actions_.pin.triggered.connect(self._pin_current)
        window.actions_.delete.triggered.connect(self._delete_current)

    @property
    def current_id(self) -> str:
        """The id of the open chat; empty for one that is not kept yet."""
        return self.current.id if self.current is not None else ""

    def open_last(self) -> None:
        """Open the chat that was used last, or a new one."""
        chats = self._store.conversations()
        self.open(max(chats, key=lambda chat: chat.updated_at).id if chats else "")

    def open(self, conversation_id: str, message_id: str = "") -> None:
        """Show a chat, at a message where one is named; the empty id is a new one."""
        self.save_draft()
        self.leaving.emit()
        self._take(self._store.conversation(conversation_id) if conversation_id else None)
        if message_id:
            self._store.reveal(message_id)
        self.shown.emit()
        if message_id:
            self._window.messages.show_message(message_id)
        self._show_draft()
        self.refresh()
        self._window.composer.focus_input()

    def new(self, *, incognito: bool = False) -> None:
        """Show an empty chat; it is kept once there is something to keep."""
        self.open("")
        self._take(None, incognito=incognito)
        self._show_title()

    def kept(self, model_ref: str = "") -> Conversation:
        """Return the open chat, kept from now on if it was not."""
        if self.current is None:
            self._take(self._store.create_conversation(UNTITLED, model_ref=model_ref, incognito=self._incognito))
            self.refresh()
        return self._store.conversation(self.current_id)

    def rename(self, conversation_id: str, title: str) -> None:
        """Give a chat another title; an empty one is ignored."""
        if title:
            self._store.rename(conversation_id, title)
        self.refresh()

    def set_pinned(self, conversation_id: str, pinned: bool) -> None:
        """Keep a chat on top, or no longer."""
        self._store.set_pinned(conversation_id, pinned)
        self.refresh()

    def delete(self, ids: list[str]) -> None:
        """Move chats to the trash, with a way back."""
        self.save_draft()
        shown = self.current_id
        for conversation_id in ids:
            self.deleting.emit(conversation_id)
            self._store.delete(conversation_id)
        if shown in ids:
            self._clear_draft()
            self.open("")
        self.refresh()
        words = self.tr("Chat deleted") if len(ids) == 1 else self.tr("%Ln chat(s) deleted", "", len(ids))
        self._can_return.update(ids)
        back_to = shown if shown in ids else ""
        self._window.toast.say(words, self.tr("Undo"), lambda: self._undelete(ids, back_to), lambda: self._lapse(ids))

    def incognito_digests(self) -> set[str]:
        """Return the pictures of the incognito chats that are there or can be brought back, sent or not."""
        used = list(self._window.composer.draft().images)
        for chat_id in {chat.id for chat in self._store.conversations() if chat.incognito} | self._can_return:
            used += [*self._store.gallery(chat_id), *self._store.draft(chat_id).images]
        return {image.digest for image in used}

    def search(self, query: str) -> None:
        """Show the chats that match, or all again."""
        self._query = query.strip()
        self.refresh()

    def refresh(self) -> None:
        """Show list and title as they are in the store."""
        if self.current is not None:
            self.current = self._store.conversation(self.current.id)
        chats = self._store.conversations(self._query)
        if self._query:
            self._window.sidebar.show_found(chats, self._store.search(self._query), self.current_id)
        else:
            self._window.sidebar.show_chats(chats, self.current_id)
        self._show_title()

    def save_draft(self) -> None:
        """Keep what stands in the composer; nothing in a new chat is not worth keeping."""
        self._timer.stop()
        draft = self._window.composer.draft()
        if self.current is not None or draft.text.strip() or draft.images:
            self._store.save_draft(self.kept().id, draft.text, draft.images)

    def drop_draft(self) -> None:
        """Keep no draft of the open chat, as it has been sent."""
        self._timer.stop()
        self._store.save_draft(self.kept().id, "")

    def _take(self, chat: Conversation | None, *, incognito: bool = False) -> None:
        self.current = chat
        self._incognito = chat.incognito if chat is not None else incognito
        self._window.composer.set_incognito(self._incognito)

    def _lapse(self, ids: list[str]) -> None:
        self._can_return.difference_update(ids)
        for conversation_id in ids:
            if self._store.conversation(conversation_id).incognito:
                self.forgetting.emit(conversation_id)
                self._store.forget(conversation_id)
        self.gone.emit()

    def _undelete(self, ids: list[str], shown: str) -> None:
        self._can_return.difference_update(ids)
        for conversation_id in ids:
            self._store.undelete(conversation_id)
        if shown:
            self.open(shown)
        self.refresh()

    def _show_draft(self) -> None:
        if self.current is None:
            self._clear_draft()
            return
        draft = self._store.draft(self.current.id)
        self._window.composer.set_draft(draft.text, draft.images)
        self._timer.stop()

    def _clear_draft(self) -> None:
        self.current = None
        self._window.composer.set_draft("", [])
        self._timer.stop()

    def _show_title(self) -> None:
        fresh = self.tr("New incognito chat") if self._incognito else shown_title(UNTITLED)
        title = shown_title(self.current.title) if self.current is not None else fresh
        self._window.toolbar.show_title(title, editable=self.current is not None)

    def _on_title_edited(self, title: str) -> None:
        if self.current is not None:
            self.rename(self.current.id, title)

    def _pin_current(self) -> None:
        if self.current is not None:
            self.set_pinned(self.current.id, not self.current.pinned)

    def _delete_current(self) -> None:
        if self.current is not None:
            self.delete([self.current.id])
