"""Conversations, messages and drafts: saved when they happen, found again after a crash."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from app.store import search
from app.store.branches import Branches
from app.store.records import Draft, StoredImage
from app.store.rows import draft_of, pack_images, unpack_images
from app.store.search import SearchHit

SEARCH_LIMIT = 200


class Store(Branches):
    """The conversations of one data folder, and of this run's incognito chats.

    Ids are opaque strings; a method that is given an id nobody has raises ``KeyError``. Methods may be called from any
    thread; each is one short transaction.

    Raises:
        UserError: the folder is in use by another instance, cannot be written, or its database is damaged or newer.
    """

    def __init__(self, data_dir: Path) -> None:
        super().__init__(data_dir)
        self._stop_interrupted_answers()

    def draft(self, conversation_id: str) -> Draft:
        """Return what stands unsent in the chat's composer."""
        row = self.home(conversation_id).row("SELECT * FROM drafts WHERE conversation_id = ?", (conversation_id,))
        return draft_of(row)

    def save_draft(self, conversation_id: str, text: str, images: Sequence[StoredImage] = ()) -> None:
        """Keep what stands in the composer; nothing at all removes the draft."""
        database = self.home(conversation_id)
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
        for database in self.databases:
            for message_id in search.matching_messages(database, query, limit):
                message = self.message(message_id)
                conversation = self.conversation(message.conversation_id)
                hits.append(SearchHit(conversation, message, search.snippet_of(message, query)))
        return sorted(hits, key=lambda hit: -hit.message.created_at)[:limit]

    def image_digests(self) -> set[str]:
        """Return the digests of all images that a message or draft refers to, the trash included."""
        used = "SELECT json_extract(value, '$.digest') digest FROM {table}, json_each({table}.images)"
        return {
            row["digest"]
            for database in self.databases
            for table in ("messages", "drafts")
            for row in database.rows(used.format(table=table))
        }

    def gallery(self, conversation_id: str) -> list[StoredImage]:
        """Return the images of one chat, each content once, in the order in which they first came."""
        rows = self.home(conversation_id).rows(
            "SELECT images FROM messages WHERE conversation_id = ? ORDER BY seq", (conversation_id,)
        )
        first: dict[str, StoredImage] = {}
        for row in rows:
            for image in unpack_images(row["images"]):
                first.setdefault(image.digest, image)
        return list(first.values())

    def _stop_interrupted_answers(self) -> None:
        """What was streaming when the last run ended, however it ended, stays as far as it had come."""
        with self.transaction():
            for row in self._disk.rows("SELECT id FROM messages WHERE state = 'streaming'"):
                self.stop(row["id"])
