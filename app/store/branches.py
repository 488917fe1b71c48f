"""Versions side by side: edits, further answers, forks. Nothing is ever lost."""

from __future__ import annotations

from collections.abc import Sequence

from app.store import tree
from app.store.messages import Messages
from app.store.records import Conversation, StoredImage, StoredMessage


class Branches(Messages):
    """Makes siblings, moves between them, and copies a branch into a new chat."""

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
        database = self.home(message_id)
        chosen = tree.neighbour(database, message_id, offset)
        tree.activate(database, chosen)
        return self.message(chosen)

    def reveal(self, message_id: str) -> None:
        """Show the branch that holds this message, as a search hit needs it."""
        tree.reveal(self.home(message_id), message_id)

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
        with self.home(fork.id).transaction():
            for message in shown[: end + 1]:
                self._copy(message, fork.id)
        return self.conversation(fork.id)

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
