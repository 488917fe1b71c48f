"""The list of chats: titles, pins, folders, the trash."""

from __future__ import annotations

import time

from app.store import search
from app.store.base import Databases, new_id
from app.store.database import Database
from app.store.records import Conversation
from app.store.rows import conversation_of


class Conversations(Databases):
    """Everything about chats but what was said in them."""

    def conversations(self, query: str = "") -> list[Conversation]:
        """Return the chats that are not deleted, pinned first, then by last change, newest first.

        With a ``query``: those whose title or any message contains all its words.
        """
        found = [c for database in self.databases for c in self._conversations(database, query)]
        return sorted(found, key=lambda c: (not c.pinned, -c.updated_at))

    def trash(self) -> list[Conversation]:
        """Return the deleted chats that :meth:`undelete` can bring back, last deleted first."""
        rows = self._disk.rows("SELECT * FROM conversations WHERE deleted_at IS NOT NULL ORDER BY deleted_at DESC")
        return [conversation_of(row) for row in rows]

    def conversation(self, conversation_id: str) -> Conversation:
        """Return one chat, also a deleted one."""
        row = self.home(conversation_id).row("SELECT * FROM conversations WHERE id = ?", (conversation_id,))
        if row is None:
            raise KeyError(conversation_id)
        return conversation_of(row)

    def create_conversation(
        self, title: str = "New chat", *, model_ref: str = "", system_prompt: str = "", incognito: bool = False
    ) -> Conversation:
        """Begin a chat; an incognito one never touches the disk."""
        conversation_id = new_id(incognito)
        now = time.time()
        self.home(conversation_id).run(
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

    def forget(self, conversation_id: str) -> None:
        """Remove a chat for good, now; of an incognito one, nothing is left in memory either."""
        database = self.home(conversation_id)
        database.run("DELETE FROM conversations WHERE id = ?", (conversation_id,))
        if database is self._memory:
            database.shred()

    def purge(self, older_than: float = 0.0) -> int:
        """Remove for good what has been in the trash for ``older_than`` seconds; return how many chats that were."""
        before = time.time() - older_than
        return sum(
            database.run("DELETE FROM conversations WHERE deleted_at <= ?", (before,)) for database in self.databases
        )

    def _conversations(self, database: Database, query: str) -> list[Conversation]:
        rows = database.rows("SELECT * FROM conversations WHERE deleted_at IS NULL ORDER BY updated_at DESC, seq DESC")
        if not query.strip():
            return [conversation_of(row) for row in rows]
        matching = search.matching_conversations(database, query)
        return [conversation_of(row) for row in rows if row["id"] in matching]

    def _set(self, conversation_id: str, column: str, value: str | float | None) -> None:
        changed = self.home(conversation_id).run(
            f"UPDATE conversations SET {column} = ? WHERE id = ?", (value, conversation_id)
        )
        if not changed:
            raise KeyError(conversation_id)

    def _touch(self, conversation_id: str) -> None:
        self._set(conversation_id, "updated_at", time.time())
