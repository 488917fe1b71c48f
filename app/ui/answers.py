"""The answers that run or wait: each grows in the store, whatever chat is shown."""

from __future__ import annotations

import logging
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.errors import UserError
from app.inference.events import Event, Finished, Progress, TextDelta
from app.store.records import MessageState, StoredMessage
from app.ui.growing import GrowingAnswer

if TYPE_CHECKING:
    from app.inference.types import ChatRequest
    from app.store.store import Store
    from app.worker.service import InferenceService


log = logging.getLogger(__name__)


class Answers(QObject):
    """Asks the worker and keeps what comes back. The id of a turn is the id of its answer's message.

    Signals:
        progressed(message, Progress): work before the first word.
        grew(message, TextDelta): a piece came.
        ended(message, details): it is finished, stopped or failed, as the message's state says; ``message.error`` says
            why it failed, or could not be gone on with.
    """

    progressed = Signal(object, object)
    grew = Signal(object, object)
    ended = Signal(object, str)

    def __init__(self, store: Store, service: InferenceService) -> None:
        super().__init__()
        self._store = store
        self._service = service
        self._running: dict[str, GrowingAnswer] = {}
        service.turn_events.connect(self._on_events)
        service.turn_stopped.connect(self._on_stopped)
        service.turn_failed.connect(self._on_failed)

    def begin(self, message: StoredMessage, request: ChatRequest, cut: MessageState | None = None) -> None:
        """Let the worker answer ``request`` into ``message``, which is streaming, after what it has already.

        ``cut`` is the state in which it was, and stays if it cannot be gone on with; ``None`` for a new answer.
        """
        self._running[message.id] = GrowingAnswer(self._store, message, cut, self)
        self._service.generate(message.id, request)

    def running_in(self, conversation_id: str) -> list[str]:
        """Return the answers of a chat that run or wait."""
        return [key for key, answer in self._running.items() if answer.conversation_id == conversation_id]

    def __len__(self) -> int:
        return len(self._running)

    def stop_in(self, conversation_id: str) -> None:
        """Stop the answers of a chat."""
        for message_id in self.running_in(conversation_id):
            self._service.stop_turn(message_id)

    def forget(self, conversation_id: str) -> None:
        """Take nothing more of the answers of a chat that goes for good; they may still be stopping."""
        for message_id in self.running_in(conversation_id):
            answer = self._running.pop(message_id)
            answer.let_go()
            answer.deleteLater()

    def save(self) -> None:
        """Save what has grown, before a chat is shown from the store."""
        for answer in self._running.values():
            answer.save()

    def abandon(self) -> None:
        """Save everything that still runs as stopped; for a close that the worker did not answer."""
        for message_id in list(self._running):
            self._on_stopped(message_id)

    def _on_events(self, message_id: str, events: list[Event]) -> None:
        answer = self._running.get(message_id)
        if answer is None:
            return
        for event in events:
            match event:
                case TextDelta():
                    answer.add(event)
                    self.grew.emit(answer.message, event)
                case Progress():
                    self.progressed.emit(answer.message, event)
                case Finished():
                    self._end(message_id, partial(answer.finish, event))

    def _on_stopped(self, message_id: str) -> None:
        if answer := self._running.get(message_id):
            self._end(message_id, answer.stop)

    def _on_failed(self, message_id: str, sentence: str, details: str) -> None:
        if answer := self._running.get(message_id):
            self._end(message_id, partial(answer.fail, sentence), details)

    def _end(self, message_id: str, end: Callable[[], StoredMessage], details: str = "") -> None:
        answer = self._running.pop(message_id)
        try:
            message = end()
        except UserError as error:  # the answer is over all the same, and what was read of it stays in sight
            log.warning("The end of an answer is not saved: %s", error)
            message, details = answer.unsaved(str(error)), ""
            answer.let_go()
        answer.deleteLater()
        self.ended.emit(message, details)
