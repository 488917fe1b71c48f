"""What was said: whole messages, and answers while they grow."""

from __future__ import annotations

import json
import time
from collections.abc import Mapping, Sequence
from sqlite3 import Row
from typing import Any, Final

from app.store import tree
from app.store.base import new_id
from app.store.conversations import Conversations
from app.store.database import Database
from app.store.records import MessageState, Role, StoredImage, StoredMessage
from app.store.rows import message_of, pack_ids, pack_images


class Leaf:
    """The default parent of a new message: the last one that is shown."""


LEAF: Final = Leaf()


class Messages(Conversations):
    """Messages of the branch that is shown, and adding to it."""

    def messages(self, conversation_id: str) -> list[StoredMessage]:
        """Return the branch that is shown, first to last; a streaming answer as far as it has grown."""
        database = self.home(conversation_id)
        return [message_of(row, _pieces(database, row)) for row in tree.active_path(database, conversation_id)]

    def tree(self, conversation_id: str) -> list[StoredMessage]:
        """Return all messages of all branches, in the order in which they were made: parents before children."""
        database = self.home(conversation_id)
        return [message_of(row, _pieces(database, row)) for row in tree.whole(database, conversation_id)]

    def message(self, message_id: str) -> StoredMessage:
        """Return one message of any branch."""
        database = self.home(message_id)
        row = tree.message_row(database, message_id)
        return message_of(row, _pieces(database, row))

    def add_message(
        self,
        conversation_id: str,
        role: Role,
        text: str,
        *,
        images: Sequence[StoredImage] = (),
        parent_id: str | Leaf | None = LEAF,
        state: MessageState = "complete",
    ) -> StoredMessage:
        """Add a message and show it: by default at the end, else beside others under ``parent_id`` (``None``: first).

        An answer that will grow is added in the state ``streaming``.
        """
        conversation = self.conversation(conversation_id)
        database = self.home(conversation_id)
        message_id = new_id(conversation.incognito)
        with database.transaction():
            parent = self._parent(conversation_id, parent_id)
            tree.withdraw(database, conversation_id, parent)
            database.run(
                "INSERT INTO messages (id, conversation_id, parent_id, role, text, images, state, created_at)"
                " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (message_id, conversation_id, parent, role, text, pack_images(images), state, time.time()),
            )
            self._touch(conversation_id)
        return self.message(message_id)

    def append(self, message_id: str, text: str, token_ids: Sequence[int] = (), thinking: str = "") -> None:
        """Let a streaming answer grow; costs the length of the addition, and survives a kill once it returns."""
        self.home(message_id).run(
            "INSERT INTO pieces (message_id, text, thinking, token_ids) VALUES (?, ?, ?, ?)",
            (message_id, text, thinking, pack_ids(token_ids)),
        )

    def finish(
        self,
        message_id: str,
        *,
        text: str,
        token_ids: Sequence[int] | None,
        state: MessageState = "complete",
        stats: Mapping[str, Any] | None = None,
        error: str = "",
        thinking: str = "",
    ) -> StoredMessage:
        """Replace what has grown by the whole answer, with its figures."""
        with self.home(message_id).transaction():
            self._replace(message_id, text, token_ids, state, thinking)
            self.home(message_id).run(
                "UPDATE messages SET stats = ?, error = ? WHERE id = ?", (_json(stats), error, message_id)
            )
            message = self.message(message_id)
            self._touch(message.conversation_id)
        return message

    def stop(self, message_id: str, state: MessageState = "stopped", error: str = "") -> StoredMessage:
        """End a streaming answer where it stands, with the figures it has; the chat keeps its place in the list.

        ``error`` is the sentence that says why it could not be gone on with.
        """
        cut = self.message(message_id)
        with self.home(message_id).transaction():
            self._replace(message_id, cut.text, cut.token_ids, state, cut.thinking)
            self.home(message_id).run("UPDATE messages SET error = ? WHERE id = ?", (error, message_id))
        return self.message(message_id)

    def resume(self, message_id: str) -> StoredMessage:
        """Let a stopped answer stream on: what is appended comes after what it has."""
        self.message(message_id)
        self.home(message_id).run("UPDATE messages SET state = 'streaming', error = '' WHERE id = ?", (message_id,))
        return self.message(message_id)

    def _replace(
        self, message_id: str, text: str, token_ids: Sequence[int] | None, state: MessageState, thinking: str
    ) -> None:
        database = self.home(message_id)
        database.run("DELETE FROM pieces WHERE message_id = ?", (message_id,))
        database.run(
            "UPDATE messages SET text = ?, token_ids = ?, state = ?, thinking = ? WHERE id = ?",
            (text, pack_ids(token_ids), state, thinking, message_id),
        )

    def _parent(self, conversation_id: str, parent_id: str | Leaf | None) -> str | None:
        if isinstance(parent_id, Leaf):
            return tree.leaf(self.home(conversation_id), conversation_id)
        if parent_id is not None and self.message(parent_id).conversation_id != conversation_id:
            raise KeyError(parent_id)
        return parent_id


def _pieces(database: Database, row: Row) -> list[Row]:
    if row["state"] != "streaming":
        return []
    return database.rows("SELECT * FROM pieces WHERE message_id = ? ORDER BY seq", (row["id"],))


def _json(stats: Mapping[str, Any] | None) -> str | None:
    return None if stats is None else json.dumps(stats, ensure_ascii=False)
