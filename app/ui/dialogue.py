"""Questions and answers of the open chat: sending, versions, stopping, and what is shown of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtCore import QObject
from PySide6.QtWidgets import QApplication

from app.errors import UserError
from app.inference.events import Progress, TextDelta
from app.inference.types import ChatRequest
from app.store.records import MessageState, StoredImage, StoredMessage
from app.ui.ahead import WorkAhead
from app.ui.answers import Answers
from app.ui.composer.lightbox import Lightbox
from app.ui.image_notes import ImageNotes
from app.ui.messages.answer_message import can_continue
from app.ui.requests import UNTITLED, branch_title, chat_request, draft_request, shown_title, title_for

if TYPE_CHECKING:
    from app.settings.declarations import Settings
    from app.store.images import ImageStore
    from app.store.store import Store
    from app.ui.chats import Chats
    from app.ui.main_window import MainWindow
    from app.ui.model_state import ModelState
    from app.ui.models import Models
    from app.ui.tuning import Tuning
    from app.worker.service import InferenceService


class Dialogue(QObject):
    """Turns what the user asks into requests, and shows how they are answered.

    Attributes:
        answers: the answers that run or wait, of all chats.
        ahead: work done while the user types.
        image_notes: what is said of the pictures in the composer.
    """

    def __init__(
        self,
        window: MainWindow,
        store: Store,
        images: ImageStore,
        tuning: Tuning,
        chats: Chats,
        models: Models,
        service: InferenceService,
    ) -> None:
        super().__init__()
        self._window, self._store, self._images, self._tuning = window, store, images, tuning
        self._chats, self._models = chats, models
        self.answers = Answers(store, service)
        self.ahead = WorkAhead(service, self._draft_request)
        self.image_notes = ImageNotes(service, images, self.ahead)
        self._connect()

    def send(self, text: str, images: list[StoredImage]) -> None:
        """Save a question and have it answered; one that cannot be saved goes back to where it was written."""
        self.ahead.stop()
        try:
            answer = self._save_question(text, images)
        except UserError:
            self._window.composer.set_draft(text, images)
            raise
        self._answer(answer)

    def _save_question(self, text: str, images: list[StoredImage]) -> StoredMessage:
        """Return the answer to come."""
        chat = self._chats.kept(self._models.state.ref)
        with self._store.transaction():
            self._chats.drop_draft()
            if chat.title == UNTITLED:
                self._store.rename(chat.id, title_for(text, images))
            self._store.add_message(chat.id, "user", text, images=images)
            return self._store.add_message(chat.id, "assistant", "", state="streaming")

    def regenerate(self, message_id: str) -> None:
        """Have a question answered once more, beside the answer that is there."""
        self._answer(self._store.regenerate(message_id))

    def go_on(self, message_id: str) -> None:
        """Let a cut answer be gone on with in its place; what there is of it is not run again."""
        cut = self._store.message(message_id).state
        self._answer(self._store.resume(message_id), cut)

    def retry(self, message_id: str) -> None:
        """Try a failed answer again; one without a word begins anew in its place."""
        failed = self._store.message(message_id)
        self._answer(self._store.regenerate(message_id) if failed.begun else self._store.resume(message_id))

    def edit(self, message_id: str, text: str, images: list[StoredImage]) -> None:
        """Send another version of a question; one that cannot be saved is not half saved, and stays in its editor."""
        with self._store.transaction():
            question = self._store.edit(message_id, text, images)
            chat_id = question.conversation_id
            answer = self._store.add_message(chat_id, "assistant", "", parent_id=question.id, state="streaming")
        self._answer(answer)

    def fork(self, message_id: str) -> None:
        """Go on from a message in a chat of its own; the beginning that both share is reused, not run again."""
        self.answers.save()
        source = self._store.conversation(self._store.message(message_id).conversation_id)
        title = branch_title(shown_title(source.title), {chat.title for chat in self._store.conversations()})
        self._chats.open(self._store.fork(source.id, message_id, title).id)

    def show_sibling(self, message_id: str, number: int) -> None:
        """Show version ``number`` of a message, counted from 0."""
        self.answers.save()
        self._store.select_sibling(message_id, number - self._store.message(message_id).sibling)
        self.show()

    def show_picture(self, digest: str) -> None:
        """Show a picture of this chat large, with the others beside it."""
        gallery = self._store.gallery(self._chats.current_id)
        place = next((number for number, image in enumerate(gallery) if image.digest == digest), 0)
        Lightbox.open_over(self._window, self._images, gallery, place)

    def stop(self) -> None:
        """Stop what the user waits for: the answer of this chat, or a model that loads."""
        self.answers.stop_in(self._chats.current_id)
        self._models.stop_loading()

    def show(self) -> None:
        """Show the messages of the open chat as they are in the store."""
        messages = self._store.messages(self._chats.current_id) if self._chats.current is not None else []
        self._window.messages.set_messages(messages)
        self._window.show_conversation(bool(messages))
        self._window.panel.show_answer(next((m.stats for m in reversed(messages) if m.stats), None))
        self._show_busy()

    def _answer(self, answer: StoredMessage, cut: MessageState | None = None) -> None:
        chat = self._store.conversation(answer.conversation_id)
        self.answers.stop_in(chat.id)
        self._store.set_model(chat.id, self._models.state.ref)
        self._chats.refresh()
        shown = self._store.messages(chat.id)
        place = next(number for number, message in enumerate(shown) if message.id == answer.id)
        history = shown[: place + 1] if answer.begun else shown[:place]
        self._models.ensure_loading()
        self.answers.begin(answer, chat_request(chat, history, self._settings(), self._images), cut)
        self.show()

    def _settings(self) -> Settings:
        """Return the settings in force for the model that answers."""
        return self._tuning.for_model(self._models.state.ref)

    # Work ahead

    def _on_draft_changed(self) -> None:
        images = self._window.composer.draft().images
        self.image_notes.show(images)
        digests = tuple(image.digest for image in images)
        shown = self._window.messages.messages()
        self.ahead.draft_changed(digests, (shown[-1].id if shown else "", digests), self._tuning.settings)

    def _show_image(self, digest: str) -> None:
        known = self.image_notes.known(digest)
        self._window.composer.set_known(digest, known)
        self._window.messages.set_known(digest, known)

    def _draft_request(self) -> ChatRequest | None:
        if self._models.state.phase != "ready" or len(self.answers):
            return None
        chat = self._chats.current
        history = self._store.messages(chat.id) if chat is not None else []
        draft = self._window.composer.draft()
        if not history and not draft.images:
            return None
        return draft_request(chat, history, draft, self._settings(), self._images)

    # What is shown

    def _show_busy(self) -> None:
        self._window.composer.set_busy(bool(self.answers.running_in(self._chats.current_id)))
        shown = self._window.messages.messages()
        refused = bool(shown and not shown[-1].text and self._models.state.no_thoughts)
        self._window.actions_.go_on.setEnabled(bool(shown) and can_continue(shown[-1]) and not refused)

    def _on_model_changed(self, state: ModelState) -> None:
        self._window.messages.refuse_thoughts(state.no_thoughts)
        self._show_busy()

    def _go_on_with_last(self) -> None:
        self.go_on(self._window.messages.messages()[-1].id)

    def _shows(self, message: StoredMessage) -> bool:
        return self._chats.current_id == message.conversation_id

    def _on_grew(self, message: StoredMessage, delta: TextDelta) -> None:
        if self._shows(message):
            self._window.messages.append_answer(message.id, delta.text, delta.thinking)

    def _on_progressed(self, message: StoredMessage, progress: Progress) -> None:
        if self._shows(message):
            self._window.messages.set_progress(message.id, progress)

    def _on_ended(self, message: StoredMessage, details: str) -> None:
        if message.stats is not None and not message.error:  # else they are of the words before, of any model
            self.ahead.learn(image["digest"] for image in message.stats["images"])
            self._window.panel.show_answer(message.stats)
        if self._shows(message):
            self._window.messages.finish_answer(message)
            if message.error:
                self._window.messages.show_error(message.id, message.error, details)
        self._show_busy()
        self._chats.refresh()
        if self._tuning.settings.general.notifications and not self._window.isActiveWindow():
            QApplication.alert(self._window)

    def _connect(self) -> None:
        window = self._window
        window.composer.submitted.connect(self.send)
        window.composer.refused.connect(window.toast.say)
        window.composer.stop_requested.connect(self.stop)
        window.composer.changed.connect(self._on_draft_changed)
        window.actions_.stop.triggered.connect(window.composer.wait_no_more)
        window.actions_.stop.triggered.connect(self.stop)
        window.messages.regenerate_requested.connect(self.regenerate)
        window.messages.continue_requested.connect(self.go_on)
        window.actions_.go_on.triggered.connect(self._go_on_with_last)
        window.messages.edit_requested.connect(self.edit)
        window.messages.editing_changed.connect(lambda: self.image_notes.edit(window.messages.edited_images()))
        window.messages.sibling_requested.connect(self.show_sibling)
        window.messages.retry_requested.connect(self.retry)
        window.messages.fork_requested.connect(self.fork)
        window.messages.image_activated.connect(self.show_picture)
        self._chats.leaving.connect(self.answers.save)
        self._chats.shown.connect(self.show)
        self._chats.deleting.connect(self.answers.stop_in)
        self._chats.forgetting.connect(self.answers.forget)
        self._models.changed.connect(self._on_model_changed)
        self._models.identity_changed.connect(self.ahead.forget)
        self._models.configured.connect(self.ahead.forget)
        self._models.configured.connect(self.image_notes.ask_again)
        self.answers.grew.connect(self._on_grew)
        self.answers.progressed.connect(self._on_progressed)
        self.answers.ended.connect(self._on_ended)
        self._models.identity_changed.connect(self.image_notes.forget_refusals)
        self.image_notes.changed.connect(self._show_image)
