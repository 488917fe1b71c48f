"""The rows of the store as plain, frozen records."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Literal

Role = Literal["system", "user", "assistant"]
MessageState = Literal["complete", "streaming", "stopped", "failed"]


@dataclass(frozen=True, slots=True)
class StoredImage:
    """An attachment by content: normalised pixels kept under ``digest`` in the data folder.

    Attributes:
        digest: hex SHA-256 of the normalised RGB pixels with width and height.
        width: pixels.
        height: pixels.
        name: file name the user dropped, or ``pasted image``.
        notes: what was done on the way in, in words ("first frame of an animation", "transparency put on white").
    """

    digest: str
    width: int
    height: int
    name: str = ""
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Conversation:
    """One chat. Times are ``time.time()`` seconds; ``deleted_at`` marks the trash."""

    id: str
    title: str
    created_at: float
    updated_at: float
    pinned: bool = False
    folder: str = ""
    model_ref: str = ""
    system_prompt: str = ""
    incognito: bool = False
    deleted_at: float | None = None


@dataclass(frozen=True, slots=True)
class StoredMessage:
    """One message; ``parent_id`` makes edits and regenerations siblings in a tree.

    ``sibling`` of ``siblings`` (counted from 0) says which branch of its parent is shown. ``stats`` is
    ``TurnStats.to_dict()`` of an answer; ``error`` the sentence shown under one that failed, or that could not be gone
    on with.
    """

    id: str
    conversation_id: str
    parent_id: str | None
    role: Role
    text: str
    created_at: float
    images: tuple[StoredImage, ...] = ()
    thinking: str = ""
    token_ids: tuple[int, ...] | None = None
    state: MessageState = "complete"
    error: str = ""
    stats: Mapping[str, Any] | None = field(default=None, compare=False)
    sibling: int = 0
    siblings: int = 1

    @property
    def begun(self) -> bool:
        """Whether there is anything of it: words, or the thoughts before the first."""
        return bool(self.text or self.thinking)


@dataclass(frozen=True, slots=True)
class Draft:
    """What stands unsent in a chat's composer."""

    text: str
    images: tuple[StoredImage, ...] = ()
