"""Conversations, messages and drafts: saved when they happen, found again after a crash.

One object serves one data folder. Incognito chats live in a second database, in memory, behind the same methods.
Methods may be called from any thread; each is one short transaction.
"""

from __future__ import annotations

import json
import time
import uuid
from collections.abc import Mapping, Sequence
from pathlib import Path
from sqlite3 import Row
from typing import Any, Final

from app.paths import private_folder
from app.store import search, tree
from app.store.database import Database
from app.store.lock import FolderLock
from app.store.records import Conversation, Draft, MessageState, Role, StoredImage, StoredMessage
from app.store.rows import conversation_of, draft_of, message_of, pack_ids, pack_images, unpack_images
from app.store.search import SearchHit

DATABASE_NAME = "conversations.sqlite"
INCOGNITO = "incognito-"
SEARCH_LIMIT = 200


class _Leaf:
    """The default parent: the last message that is shown."""


LEAF: Final = _Leaf()


class Store:
    """The conversations of one data folder.

    Ids are opaque strings. A method that is given an id nobody has raises ``KeyError``.

    Raises:
        UserError: the folder is in use by another instance, cannot be written, or its database is damaged or newer.
    """

    def __init__(self, data_dir: Path) -> None:
        self.data_dir = private_folder(data_dir)
        self._lock = FolderLock(data_dir)
        try:
            self._disk = Database(data_dir / DATABASE_NAME)
            self._memory = Database(None)
            self._stop_interrupted_answers()
        except BaseException:
            self._lock.close()
            raise

    def close(self) -> None:
        """Close the databases and let the folder go; incognito chats are gone then. May be called twice."""
        self._disk.close()
        self._memory.close()
        self._lock.close()

    # Conversations

    def conversations(self, query: str = "") -> list[Conversation]:
        """Return the chats that are not deleted, pinned first, then by last change, newest first.

        With a ``query``: those whose title or any message contains all its words.
        """
        found = [c for database in (self._disk, self._memory) for c in self._conversations(database, query)]
        return sorted(found, key=lambda c: (not c.pinned, -c.updated_at))

    def trash(self) -> list[Conversation]:
        """Return the deleted chats that :meth:`undelete` can bring back, last deleted first."""
        rows = self._disk.rows("SELECT * FROM conversations WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC")
        return [conversation_of(row) for row in rows]

    def conversation(self, conversation_id: str) -> Conversation:
        """Return one chat, also a deleted one."""
        row = self._home(conversation_id).row("SELECT * FROM conversations WHERE id = ?", (conversation_id,))
        if row is None:
            raise KeyError(conversation_id)
        return conversation_of(row)

    def create_conversation(
        self, title: str = "New chat", *, model_ref: str = "", system_prompt: str = "", incognito: bool = False
    ) -> Conversation:
        """Begin a chat; an incognito one never touches the disk."""
        conversation_id = _new_id(incognito)
        now = time.time()
        self._home(conversation_id).run(
            "INSERT INTO conversations (id, title, created_at, updated_at, model_ref, system_prompt, incognito)"
            " VALUES (?, ?, ?, ?, ?, ?, ?)",
            (conversation_id, title, now, now, model_ref, system_prompt, incognito),
        )
        return self.conversation(conversation_id)

    def rename(self, conversation_id: str, title: str) -> None:
        """Give the chat another title."""
        self._set(conversation_id, "title", title)

    def set_pinned(self, conversation_id: str, pinned: bool) -> None:
        """Keep the chat at the top of the list, or no longer."""
        self._set(conversation_id, "pinned", int(pinned))

    def set_folder(self, conversation_id: str, folder: str) -> None:
        """Put the chat into a folder by name; the empty name is none."""
        self._set(conversation_id, "folder", folder)

    def set_system_prompt(self, conversation_id: str, system_prompt: str) -> None:
        """Change what the model is told before the chat."""
        self._set(conversation_id, "system_prompt", system_prompt)

    def set_model(self, conversation_id: str, model_ref: str) -> None:
        """Remember which model this chat was last answered by."""
        self._set(conversation_id, "model_ref", model_ref)

    def delete(self, conversation_id: str) -> None:
        """Move the chat to the trash."""
        self._set(conversation_id, "deleted_at", time.time())

    def undelete(self, conversation_id: str) -> None:
        """Bring the chat back from the trash."""
        self._set(conversation_id, "deleted_at", None)

    def purge(self, older_than: float = 0.0) -> int:
        """Remove for good what has been in the trash for ``older_than`` seconds; return how many chats that were."""
        before = time.time() - older_than
        return sum(
            database.run("DELETE FROM conversations WHERE deleted_at <= ?", (before,))
            for database in (self._disk, self._memory)
        )

    # Messages

    def messages(self, conversation_id: str) -> list[StoredMessage]:
        """Return the branch that is shown, first to last; a streaming answer as far as it has grown."""
        database = self._home(conversation_id)
        return [message_of(row, _pieces(database, row)) for row in tree.active_path(database, conversation_id)]

    def message(self, message_id: str) -> StoredMessage:
        """Return one message of any branch."""
        database = self._home(message_id)
        row = tree.message_row(database, message_id)
        return message_of(row, _pieces(database, row))

    def add_message(
        self,
        conversation_id: str,
        role: Role,
        text: str,
        *,
        images: Sequence[StoredImage] = (),
        parent_id: str | _Leaf | None = LEAF,
        state: MessageState = "complete",
    ) -> StoredMessage:
        """Add a message and show it: by default at the end, else beside others under ``parent_id`` (``None``: first).

        An answer that will grow is added in the state ``streaming``.
        """
        conversation = self.conversation(conversation_id)
        database = self._home(conversation_id)
        message_id = _new_id(conversation.incognito)
        with database.transaction():
            parent = self._leaf(conversation_id) if isinstance(parent_id, _Leaf) else parent_id
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
        self._home(message_id).run(
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
        database = self._home(message_id)
        with database.transaction():
            database.run("DELETE FROM pieces WHERE message_id = ?", (message_id,))
            database.run(
                "UPDATE messages SET text = ?, token_ids = ?, state = ?, stats = ?, error = ?, thinking = ?"
                " WHERE id = ?",
                (text, pack_ids(token_ids), state, _json(stats), error, thinking, message_id),
            )
            message = self.message(message_id)
            self._touch(message.conversation_id)
        return message

    def resume(self, message_id: str) -> StoredMessage:
        """Let a stopped answer stream on: what is appended comes after what it has."""
        self.message(message_id)
        self._home(message_id).run("UPDATE messages SET state = 'streaming', error = '' WHERE id = ?", (message_id,))
        return self.message(message_id)

    # Branches

    def edit(self, message_id: str, text: str, images: Sequence[StoredImage] | None = None) -> StoredMessage:
        """Add and show another version of a question beside the old one; ``None`` keeps its images."""
        old = self.message(message_id)
        kept = old.images if images is None else images
        return self.add_message(old.conversation_id, old.role, text, images=kept, parent_id=old.parent_id)

    def regenerate(self, message_id: str) -> StoredMessage:
        """Add and show an empty, streaming answer beside the old one."""
        old = self.message(message_id)
        return self.add_message(old.conversation_id, old.role, "", parent_id=old.parent_id, state="streaming")

    def select_sibling(self, message_id: str, offset: int) -> StoredMessage:
        """Show the version ``offset`` places further, with all that followed it, and return it; stops at either end."""
        database = self._home(message_id)
        chosen = tree.neighbour(database, message_id, offset)
        tree.activate(database, chosen)
        return self.message(chosen)

    def reveal(self, message_id: str) -> None:
        """Show the branch that holds this message, as a search hit needs it."""
        tree.reveal(self._home(message_id), message_id)

    def fork(self, conversation_id: str, message_id: str, title: str = "") -> Conversation:
        """Begin a chat with copies of the shown messages up to and including ``message_id``."""
        source = self.conversation(conversation_id)
        shown = self.messages(conversation_id)
        end = next((n for n, message in enumerate(shown) if message.id == message_id), None)
        if end is None:
            raise KeyError(message_id)
        fork = self.create_conversation(
            title or source.title,
            model_ref=source.model_ref,
            system_prompt=source.system_prompt,
            incognito=source.incognito,
        )
        with self._home(fork.id).transaction():
            for message in shown[: end + 1]:
                self._copy(message, fork.id)
        return self.conversation(fork.id)

    # Drafts and search

    def draft(self, conversation_id: str) -> Draft:
        """Return what stands unsent in the chat's composer."""
        row = self._home(conversation_id).row("SELECT * FROM drafts WHERE conversation_id = ?", (conversation_id,))
        return draft_of(row)

    def save_draft(self, conversation_id: str, text: str, images: Sequence[StoredImage] = ()) -> None:
        """Keep what stands in the composer; nothing at all removes the draft."""
        database = self._home(conversation_id)
        if not text and not images:
            database.run("DELETE FROM drafts WHERE conversation_id = ?", (conversation_id,))
            return
        database.run(
            "INSERT INTO drafts (conversation_id, text, images) VALUES (?, ?, ?)"
            " ON CONFLICT (conversation_id) DO UPDATE SET text = excluded.text, images = excluded.images",
            (conversation_id, text, pack_images(images)),
        )

    def search(self, query: str, limit: int = SEARCH_LIMIT) -> list[SearchHit]:
        """Return the messages of all branches that contain all words of ``query``, newest first."""
        hits = []
        for database in (self._disk, self._memory):
            for message_id in search.matching_messages(database, query, limit):
                message = self.message(message_id)
                conversation = self.conversation(message.conversation_id)
                hits.append(SearchHit(conversation, message, search.snippet(message.text, query)))
        return sorted(hits, key=lambda hit: -hit.message.created_at)[:limit]

    def image_digests(self) -> set[str]:
        """Return the digests of all images that a message or draft refers to, the trash included."""
        used = "SELECT json_extract(value, '$.digest') digest FROM {table}, json_each({table}.images)"
        return {
            row["digest"]
            for database in (self._disk, self._memory)
            for table in ("messages", "drafts")
            for row in database.rows(used.format(table=table))
        }

    def gallery(self, conversation_id: str) -> list[StoredImage]:
        """Return the images of one chat, each content once, in the order in which they first came."""
        rows = self._home(conversation_id).rows(
            "SELECT images FROM messages WHERE conversation_id = ? ORDER BY seq", (conversation_id,)
        )
        first: dict[str, StoredImage] = {}
        for row in rows:
            for image in unpack_images(row["images"]):
                first.setdefault(image.digest, image)
        return list(first.values())

    # Inside

    def _home(self, any_id: str) -> Database:
        """Ids say where they live: those of incognito chats and their messages have a prefix."""
        return self._memory if any_id.startswith(INCOGNITO) else self._disk

    def _conversations(self, database: Database, query: str) -> list[Conversation]:
        rows = database.rows("SELECT * FROM conversations WHERE deleted_at IS NULL ORDER BY updated_at DESC, seq DESC")
        if not query.strip():
            return [conversation_of(row) for row in rows]
        matching = search.matching_conversations(database, query)
        return [conversation_of(row) for row in rows if row["id"] in matching]

    def _set(self, conversation_id: str, column: str, value: str | float | None) -> None:
        changed = self._home(conversation_id).run(
            f"UPDATE conversations SET {column} = ? WHERE id = ?", (value, conversation_id)
        )
        if not changed:
            raise KeyError(conversation_id)

    def _touch(self, conversation_id: str) -> None:
        self._set(conversation_id, "updated_at", time.time())

    def _leaf(self, conversation_id: str) -> str | None:
        path = tree.active_path(self._home(conversation_id), conversation_id)
        return path[-1]["id"] if path else None

    def _copy(self, message: StoredMessage, conversation_id: str) -> None:
        state = "stopped" if message.state == "streaming" else message.state
        copy = self.add_message(conversation_id, message.role, message.text, images=message.images, state=state)
        self.finish(
            copy.id,
            text=message.text,
            token_ids=message.token_ids,
            state=state,
            stats=message.stats,
            error=message.error,
            thinking=message.thinking,
        )

    def _stop_interrupted_answers(self) -> None:
        with self._disk.transaction():
            for row in self._disk.rows("SELECT id FROM messages WHERE state = 'streaming'"):
                cut = self.message(row["id"])
                self.finish(cut.id, text=cut.text, token_ids=cut.token_ids, state="stopped", thinking=cut.thinking)


def _pieces(database: Database, row: Row) -> list[Row]:
    if row["state"] != "streaming":
        return []
    return database.rows("SELECT * FROM pieces WHERE message_id = ? ORDER BY seq", (row["id"],))


def _new_id(incognito: bool) -> str:
    return (INCOGNITO if incognito else "") + uuid.uuid4().hex


def _json(stats: Mapping[str, Any] | None) -> str | None:
    return None if stats is None else json.dumps(stats, ensure_ascii=False)
