"""An answer that grows: kept in the store at most a second after it was read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QObject, QTimer

from app.inference.events import Finished, TextDelta
from app.store.records import StoredMessage

if TYPE_CHECKING:
    from app.store.store import Store

SAVE_MS: Final = 500


class GrowingAnswer(QObject):
    """Writes what one answer gains into the store, in pieces."""

    def __init__(self, store: Store, message: StoredMessage, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self._store = store
        self._unsaved: list[TextDelta] = []
        self._timer = QTimer(self, singleShot=True, interval=SAVE_MS)
        self._timer.timeout.connect(self.save)

    @property
    def conversation_id(self) -> str:
        """The chat it belongs to."""
        return self.message.conversation_id

    def add(self, delta: TextDelta) -> None:
        """Take a piece; it is saved soon."""
        self._unsaved.append(delta)
        if not self._timer.isActive():
            self._timer.start()

    def save(self) -> None:
        """Save what is not saved yet."""
        self._timer.stop()
        unsaved, self._unsaved = self._unsaved, []
        if unsaved:
            self._store.append(
                self.message.id,
                "".join(delta.text for delta in unsaved if not delta.thinking),
                [token for delta in unsaved for token in delta.token_ids],
                "".join(delta.text for delta in unsaved if delta.thinking),
            )

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

    def let_go(self) -> None:
        """Save nothing any more."""
        self._timer.stop()
        self._unsaved = []

    def stop(self) -> StoredMessage:
        """Save the answer as it stands, stopped, and return it."""
        self.save()
        return self._store.stop(self.message.id)

    def fail(self, sentence: str) -> StoredMessage:
        """Save the answer as it stands, failed for the reason ``sentence``, and return it."""
        self.save()
        grown = self._store.message(self.message.id)
        return self._store.finish(
            grown.id,
            text=grown.text,
            token_ids=grown.token_ids,
            state="failed",
            error=sentence,
            thinking=grown.thinking,
        )
