"""The one place that ties store, settings, worker and views together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, cast

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtWidgets import QApplication

from app.inference.events import Progress, TextDelta
from app.inference.types import ChatRequest
from app.store.records import Conversation, StoredImage, StoredMessage
from app.ui.ahead import WorkAhead
from app.ui.answers import Answers
from app.ui.composer.lightbox import Lightbox
from app.ui.messages.words import plural
from app.ui.models import Models
from app.ui.requests import UNTITLED, chat_request, draft_request, engine_options, title_for
from app.ui.tuning import Tuning

if TYPE_CHECKING:
    from app.cache.events import CacheEvent, Tier
    from app.settings.declarations import Settings
    from app.store.images import ImageStore
    from app.store.store import Store
    from app.ui.main_window import MainWindow
    from app.worker.service import InferenceService


DRAFT_MS: Final = 400


class Controller(QObject):
    """Carries out what the user asks of the window, and shows what comes of it.

    Signals:
        closed(): everything is saved and let go; the argument says whether the worker ended in time.
    """

    closed = Signal(bool)

    def __init__(
        self, window: MainWindow, store: Store, images: ImageStore, tuning: Tuning, service: InferenceService
    ) -> None:
        super().__init__()
        self.window = window
        self.store = store
        self.images = images
        self.tuning = tuning
        self.service = service
        self.answers = Answers(store, service)
        self.models = Models(window, tuning, service)
        self.ahead = WorkAhead(service, self._draft_request)
        self.current: Conversation | None = None
        self._incognito = False
        self._query = ""
        self._closed = False
        self._draft_timer = QTimer(self, singleShot=True, interval=DRAFT_MS)
        self._draft_timer.timeout.connect(self.save_draft)
        self._connect_views()
        self._connect_actions()
        self._connect_service()

    @property
    def settings(self) -> Settings:
        """The settings in force."""
        return self.tuning.settings

    def start(self) -> None:
        """Show the last chat and begin to load the model."""
        if self._closed:
            return
        self.store.purge(self.settings.general.trash_days * 86400)
        chats = self.store.conversations()
        self.open_chat(max(chats, key=lambda chat: chat.updated_at).id if chats else "")
        self.models.start()
        for notice in self.tuning.notices:
            self.window.toast.say(notice)

    def close(self) -> None:
        """Save everything, stop the worker within a bounded time, and let the store go."""
        if self._closed:
            return
        self._closed = True
        self.save_draft()
        self.ahead.stop()
        ended = self.service.close()
        self.answers.abandon()
        self.store.close()
        self.closed.emit(ended)

    # Chats

    def open_chat(self, conversation_id: str, message_id: str = "") -> None:
        """Show a chat, at a message where one is named; the empty id is a new one."""
        self.save_draft()
        self.answers.save()
        self.current = self.store.conversation(conversation_id) if conversation_id else None
        self._incognito = self.current is not None and self.current.incognito
        if message_id:
            self.store.reveal(message_id)
        self._show_messages()
        if message_id:
            self.window.messages.show_message(message_id)
        self._show_draft()
        self.show_chats()
        self.window.composer.focus_input()

    def new_chat(self, *, incognito: bool = False) -> None:
        """Show an empty chat; it is kept once there is something to keep."""
        self.open_chat("")
        self._incognito = incognito
        self.window.composer.set_incognito(incognito)
        self._show_title()

    def rename(self, conversation_id: str, title: str) -> None:
        """Give a chat another title."""
        if title:
            self.store.rename(conversation_id, title)
        self._refresh_current()
        self.show_chats()

    def set_pinned(self, conversation_id: str, pinned: bool) -> None:
        """Keep a chat on top, or no longer."""
        self.store.set_pinned(conversation_id, pinned)
        self._refresh_current()
        self.show_chats()

    def delete(self, ids: list[str]) -> None:
        """Move chats to the trash, with a way back."""
        shown = self.current.id if self.current is not None else ""
        for conversation_id in ids:
            self.answers.stop_in(conversation_id)
            self.store.delete(conversation_id)
        if shown in ids:
            self._draft_timer.stop()
            self.current = None
            self.open_chat("")
        self.show_chats()
        words = "Chat deleted" if len(ids) == 1 else f"{plural(len(ids), 'chat')} deleted"
        self.window.toast.say(words, "Undo", lambda: self._undelete(ids, shown if shown in ids else ""))

    def show_picture(self, digest: str) -> None:
        """Show a picture of this chat large, with the others beside it."""
        if self.current is not None:
            gallery = self.store.gallery(self.current.id)
            place = next(number for number, image in enumerate(gallery) if image.digest == digest)
            Lightbox.open_over(self.window, self.images, gallery, place)

    def search(self, query: str) -> None:
        """Show the chats that match, or all again."""
        self._query = query.strip()
        self.show_chats()

    def show_chats(self) -> None:
        """Show the list as it is in the store."""
        shown = self.current.id if self.current is not None else ""
        chats = self.store.conversations(self._query)
        if self._query:
            self.window.sidebar.show_found(chats, self.store.search(self._query), shown)
        else:
            self.window.sidebar.show_chats(chats, shown)
        self._show_title()

    # Questions and answers

    def send(self, text: str, images: list[StoredImage]) -> None:
        """Save a question and have it answered."""
        self._draft_timer.stop()
        self.ahead.stop()
        chat = self._saved_chat()
        self.store.save_draft(chat.id, "")
        if chat.title == UNTITLED:
            self.store.rename(chat.id, title_for(text, images))
        self.store.add_message(chat.id, "user", text, images=images)
        self._answer(self.store.add_message(chat.id, "assistant", "", state="streaming"))

    def regenerate(self, message_id: str) -> None:
        """Have a question answered once more, beside the answer that is there."""
        self._answer(self.store.regenerate(message_id))

    def retry(self, message_id: str) -> None:
        """Try a failed answer again; one without a word begins anew in its place."""
        failed = self.store.message(message_id)
        self._answer(self.store.regenerate(message_id) if failed.text else self.store.resume(message_id))

    def edit(self, message_id: str, text: str) -> None:
        """Send another version of a question, with its images."""
        question = self.store.edit(message_id, text)
        answer = self.store.add_message(
            question.conversation_id, "assistant", "", parent_id=question.id, state="streaming"
        )
        self._answer(answer)

    def show_sibling(self, message_id: str, number: int) -> None:
        """Show version ``number`` of a message, counted from 0."""
        self.answers.save()
        self.store.select_sibling(message_id, number - self.store.message(message_id).sibling)
        self._show_messages()

    def stop(self) -> None:
        """Stop what the user waits for: the answer of this chat, or a model that loads."""
        if self.current is not None:
            self.answers.stop_in(self.current.id)
        self.models.stop_loading()

    def save_draft(self) -> None:
        """Keep what stands in the composer."""
        self._draft_timer.stop()
        draft = self.window.composer.draft()
        if self.current is None and not draft.text.strip() and not draft.images:
            return
        self.store.save_draft(self._saved_chat().id, draft.text, draft.images)

    def _answer(self, answer: StoredMessage) -> None:
        chat = self.store.conversation(answer.conversation_id)
        self.store.set_model(chat.id, self.models.state.ref)
        self._refresh_current()
        self._show_messages()
        self.show_chats()
        history = [message for message in self.store.messages(chat.id) if message.id != answer.id]
        self.models.ensure_loading()
        self.answers.begin(answer, chat_request(chat, history, self.settings, self.images))
        self._show_busy()

    def _saved_chat(self) -> Conversation:
        if self.current is None:
            self.current = self.store.create_conversation(
                UNTITLED, model_ref=self.models.state.ref, incognito=self._incognito
            )
            self.show_chats()
        return self.current

    def _undelete(self, ids: list[str], shown: str) -> None:
        for conversation_id in ids:
            self.store.undelete(conversation_id)
        if shown:
            self.open_chat(shown)
        self.show_chats()

    # Work ahead

    def _on_draft_changed(self) -> None:
        self._draft_timer.start()
        digests = tuple(image.digest for image in self.window.composer.draft().images)
        shown = self.window.messages.messages()
        self.ahead.draft_changed(digests, (shown[-1].id if shown else "", digests), self.settings)

    def _draft_request(self) -> ChatRequest | None:
        if self.models.state.phase != "ready" or len(self.answers):
            return None
        history = self.store.messages(self.current.id) if self.current is not None else []
        draft = self.window.composer.draft()
        if not history and not draft.images:
            return None
        return draft_request(self.current, history, draft, self.settings, self.images)

    # What is shown

    def _refresh_current(self) -> None:
        if self.current is not None:
            self.current = self.store.conversation(self.current.id)

    def _show_messages(self) -> None:
        messages = self.store.messages(self.current.id) if self.current is not None else []
        self.window.messages.set_messages(messages)
        self.window.show_conversation(bool(messages))
        stats = next((message.stats for message in reversed(messages) if message.stats), None)
        self.window.panel.show_answer(stats)
        self._show_busy()

    def _show_draft(self) -> None:
        composer = self.window.composer
        if self.current is None:
            composer.set_draft("", [])
        else:
            draft = self.store.draft(self.current.id)
            composer.set_draft(draft.text, draft.images)
        composer.set_incognito(self._incognito)
        self._draft_timer.stop()

    def _show_motion(self) -> None:
        self.window.columns.reduce_motion = self.settings.appearance.reduce_motion

    def _show_title(self) -> None:
        fresh = "New incognito chat" if self._incognito else UNTITLED
        title = self.current.title if self.current is not None else fresh
        self.window.toolbar.show_title(title, editable=self.current is not None)

    def _show_busy(self) -> None:
        self.window.composer.set_busy(self.current is not None and bool(self.answers.running_in(self.current.id)))

    def _shows(self, message: StoredMessage) -> bool:
        return self.current is not None and self.current.id == message.conversation_id

    def _on_grew(self, message: StoredMessage, delta: TextDelta) -> None:
        if self._shows(message):
            self.window.messages.append_answer(message.id, delta.text, delta.thinking)

    def _on_progressed(self, message: StoredMessage, progress: Progress) -> None:
        if self._shows(message):
            self.window.messages.set_progress(message.id, progress)

    def _on_ended(self, message: StoredMessage, details: str) -> None:
        if message.stats is not None:
            self.ahead.learn(image["digest"] for image in message.stats["images"])
            self.window.panel.show_answer(message.stats)
        if self._shows(message):
            self.window.messages.finish_answer(message)
            if message.state == "failed":
                self.window.messages.show_error(message.id, message.error, details)
        self._show_busy()
        self.show_chats()
        if self.settings.general.notifications and not self.window.isActiveWindow():
            QApplication.alert(self.window)

    def _on_cache_events(self, events: list[CacheEvent]) -> None:
        for event in events:
            if (event.tier, event.kind) == ("ssd", "bypassed"):
                self.window.toast.say(f"The disk cache is not in use: {event.reason}")

    # Wiring

    def _connect_views(self) -> None:
        window = self.window
        window.closing.connect(self.close)
        window.composer.submitted.connect(self.send)
        window.composer.stop_requested.connect(self.stop)
        window.composer.changed.connect(self._on_draft_changed)
        window.messages.regenerate_requested.connect(self.regenerate)
        window.messages.edit_requested.connect(self.edit)
        window.messages.sibling_requested.connect(self.show_sibling)
        window.messages.retry_requested.connect(self.retry)
        window.messages.image_activated.connect(self.show_picture)
        window.sidebar.chosen.connect(self.open_chat)
        window.sidebar.search_changed.connect(self.search)
        window.sidebar.renamed.connect(self.rename)
        window.sidebar.pin_requested.connect(self.set_pinned)
        window.sidebar.delete_requested.connect(self.delete)
        window.empty.add_images_requested.connect(window.composer.add_button.click)
        window.toolbar.title_edited.connect(self._on_title_edited)
        window.panel.clear_requested.connect(self.clear_caches)
        window.panel.budgets_requested.connect(lambda: self.tuning.open_dialog(window, "caches"))
        self.tuning.engine_concerned.connect(lambda: self.service.configure(engine_options(self.settings)))
        self.tuning.appearance_changed.connect(self._show_motion)
        self.tuning.failed.connect(window.toast.say)
        self._show_motion()

    def _connect_actions(self) -> None:
        window, actions = self.window, self.window.actions_
        actions.new_chat.triggered.connect(lambda _=False: self.new_chat())
        actions.new_incognito.triggered.connect(lambda: self.new_chat(incognito=True))
        actions.stop.triggered.connect(self.stop)
        actions.add_images.triggered.connect(window.composer.add_button.click)
        actions.pin.triggered.connect(self._pin_current)
        actions.delete.triggered.connect(self._delete_current)
        actions.clear_caches.triggered.connect(lambda: self.clear_caches(""))
        actions.settings.triggered.connect(lambda: self.tuning.open_dialog(window, ""))
        actions.zoom_in.triggered.connect(lambda: self.tuning.zoom_by(10))
        actions.zoom_out.triggered.connect(lambda: self.tuning.zoom_by(-10))
        actions.zoom_reset.triggered.connect(lambda: self.tuning.zoom_by(0))

    def _connect_service(self) -> None:
        service, panel = self.service, self.window.panel
        self.answers.grew.connect(self._on_grew)
        self.answers.progressed.connect(self._on_progressed)
        self.answers.ended.connect(self._on_ended)
        self.ahead.image_state.connect(lambda digest, state: self.window.composer.set_image_state(digest, state, ""))
        self.models.identity_changed.connect(self.ahead.forget)
        service.overview_changed.connect(panel.show_overview)
        service.overview_changed.connect(self.tuning.show_overview)
        service.memory_changed.connect(panel.show_memory)
        service.cache_events.connect(panel.add_events)
        service.cache_events.connect(self.ahead.on_cache_events)
        service.cache_events.connect(self._on_cache_events)
        service.failed.connect(lambda sentence, _: self.window.toast.say(sentence))

    def clear_caches(self, tier: str) -> None:
        """Empty one cache tier, or all for the empty name."""
        self.service.clear(cast("Tier", tier) if tier else None)

    def _on_title_edited(self, title: str) -> None:
        if self.current is not None:
            self.rename(self.current.id, title)

    def _pin_current(self) -> None:
        if self.current is not None:
            self.set_pinned(self.current.id, not self.current.pinned)

    def _delete_current(self) -> None:
        if self.current is not None:
            self.delete([self.current.id])
