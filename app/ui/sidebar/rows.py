"""What stands in the list: headings and chats."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from app.store.records import Conversation
from app.store.search import SearchHit
from app.ui.requests import shown_title
from app.ui.translation import QT_TRANSLATE_NOOP, translate

PINNED: Final = QT_TRANSLATE_NOOP("Sidebar", "Pinned")
TODAY: Final = QT_TRANSLATE_NOOP("Sidebar", "Today")
EARLIER: Final = QT_TRANSLATE_NOOP("Sidebar", "Earlier")


@dataclass(frozen=True, slots=True)
class Heading:
    """The name of the group that follows."""

    text: str


@dataclass(frozen=True, slots=True)
class ChatRow:
    """A chat, and for a search hit the message and the words around what was looked for."""

    conversation: Conversation
    snippet: str = ""
    message_id: str = ""

    @property
    def title(self) -> str:
        """The chat's title as it is shown."""
        return shown_title(self.conversation.title)


Row = Heading | ChatRow


def grouped(conversations: Iterable[Conversation], now: float) -> list[Row]:
    """Return chats under headings: pinned, each folder by name, today, earlier; order inside a group is kept."""
    groups: dict[str, list[Row]] = {}
    for conversation in conversations:
        groups.setdefault(_group(conversation, now), []).append(ChatRow(conversation))
    ours = {name: translate("Sidebar", name) for name in (PINNED, TODAY, EARLIER)}
    folders = sorted(name for name in groups if name not in ours)
    order = [PINNED, *folders, TODAY, EARLIER]
    return [row for name in order if name in groups for row in (Heading(ours.get(name, name)), *groups[name])]


def found(conversations: Sequence[Conversation], hits: Sequence[SearchHit]) -> list[Row]:
    """Return the chats that match a search; those found by a message with its newest hit."""
    first: dict[str, SearchHit] = {}
    for hit in hits:
        first.setdefault(hit.conversation.id, hit)
    return [_found(conversation, first.get(conversation.id)) for conversation in conversations]


def _found(conversation: Conversation, hit: SearchHit | None) -> ChatRow:
    return ChatRow(conversation, hit.snippet, hit.message.id) if hit else ChatRow(conversation)


def _group(conversation: Conversation, now: float) -> str:
    if conversation.pinned:
        return PINNED
    if conversation.folder:
        return conversation.folder
    return TODAY if conversation.updated_at >= _midnight(now) else EARLIER


def _midnight(now: float) -> float:
    day = time.localtime(now)
    return time.mktime((day.tm_year, day.tm_mon, day.tm_mday, 0, 0, 0, 0, 0, -1))
