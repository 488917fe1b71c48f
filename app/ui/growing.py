"""An answer that grows: kept in the store at most a second after it was read."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from app.inference.events import Finished, TextDelta
from app.store.records import MessageState, StoredMessage

if TYPE_CHECKING:
    from app.store.store import Store

SAVE_MS: Final = 500


class GrowingAnswer(QObject):
    """Writes what one answer gains into the store, in pieces."""

    def __init__(
        self, store: Store, message: StoredMessage, cut: MessageState | None = None, parent: QObject | None = None
    ) -> None:
        """``cut``: the state of an answer that is gone on with, before it was; ``None`` for a new one."""
        super().__init__(parent)
        self.message = message
        self._cut: MessageState | None = cut
        self._store = store
        self._unsaved: list[TextDelta] = []
        self._read: list[TextDelta] = []
        self._timer = QTimer(self, singleShot=True, interval=SAVE_MS)
        self._timer.timeout.connect(self.save)

    @property
    def conversation_id(self) -> str:
        """The chat it belongs to."""
        return self.message.conversation_id

    def add(self, delta: TextDelta) -> None:
        """Take a piece; it is saved soon."""
        self._unsaved.append(delta)
        self._read.append(delta)
        if not self._timer.isActive():
            self._timer.start()

    def save(self) -> None:
        """Save what is not saved yet."""
        self._timer.stop()
        if unsaved := self._unsaved:
            self._store.append(
                self.message.id,
                "".join(delta.text for delta in unsaved if not delta.thinking),
                [token for delta in unsaved for token in delta.token_ids],
                "".join(delta.text for delta in unsaved if delta.thinking),
            )
            self._unsaved = []

    def finish(self, end: Finished) -> StoredMessage:
        """Save the whole answer with its figures, and return it."""
        self._timer.stop()
        return self._store.finish(
            self.message.id,
            text=end.text,
            token_ids=end.token_ids,
            state="stopped" if end.finish_reason == "cancelled" else "complete",
            stats={**end.stats.to_dict(), "finish_reason": end.finish_reason},
            thinking=end.thinking,
        )

    def unsaved(self, sentence: str) -> StoredMessage:
        """Return the answer as it was read, failed as its end cannot be saved for the reason ``sentence``."""
        pieces = self._read
        return replace(
            self.message,
            text=self.message.text + "".join(delta.text for delta in pieces if not delta.thinking),
            thinking=self.message.thinking + "".join(delta.text for delta in pieces if delta.thinking),
            state="failed",
            error=sentence,
        )

    def let_go(self) -> None:
        """Save nothing any more."""
        self._timer.stop()
        self._unsaved, self._read = [], []

    def stop(self) -> StoredMessage:
        """Save the answer as it stands, stopped, and return it."""
        self.save()
        return self._store.stop(self.message.id)

    def fail(self, sentence: str) -> StoredMessage:
        """Save the answer as it stands, failed for the reason ``sentence``, and return it.

        One that was to be gone on with has not failed: it stays cut, so that this can be tried again.
        """
        self.save()
        grown = self._store.message(self.message.id)
        if self._cut is not None:
            gained = (grown.text, grown.thinking) != (self.message.text, self.message.thinking)
            return self._store.stop(grown.id, "stopped" if gained else self._cut, sentence)
        return self._store.finish(
            grown.id,
            text=grown.text,
            token_ids=grown.token_ids,
            state="failed",
            error=sentence,
            thinking=grown.thinking,
        )
