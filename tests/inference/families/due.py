"""How much of a prompt has to be found again, reckoned without any cache: the reference for what may be prefilled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from app.cache.media import MediaSpan, cut_before_span
from app.inference.families.layout import ReusePolicy

Key = tuple[int, ...]


def common(a: Sequence[int], b: Sequence[int]) -> int:
    """Return the length of the common prefix."""
    return next((i for i, (x, y) in enumerate(zip(a, b, strict=False)) if x != y), min(len(a), len(b)))


@dataclass
class Due:
    """Remembers what was run, and says what of a new prompt that covers.

    Attributes:
        reuse: the family's policy, ``boundaries`` also where it follows from the layers.
        block: tokens per block where state is kept in blocks, 1 where it is cut anywhere.
        seen: keys of prompts with the part of their answers that was certainly run.
        touched: keys of everything of which some part may have been run.
    """

    reuse: ReusePolicy
    block: int = 1
    seen: list[Key] = field(default_factory=list)
    touched: list[Key] = field(default_factory=list)
    by_chat: dict[int, list[Key]] = field(default_factory=dict)

    def least(self, chat: int, key: Key, spans: Sequence[MediaSpan]) -> int:
        """Return the tokens that must be reused at least."""
        most = len(key) - 1
        if self.reuse == "none":
            return 0
        if self.reuse == "whole":
            return most if key in self.seen else 0
        if self.reuse == "boundaries":
            # older boundaries may have been given up for newer ones; those of the chat's last turn may not
            held = [point for point in self.by_chat.get(chat, []) if key[: len(point)] == point]
            return max((min(len(point), most) for point in held if len(point) <= most), default=0)
        shared = min(max((common(key, old) for old in self.seen), default=0), most)
        shared -= shared % self.block
        while shared > 0 and cut_before_span(shared, spans) != shared:
            shared = cut_before_span(shared, spans) if self.block == 1 else shared - self.block
        return max(shared, 0)

    def most(self, key: Key) -> int:
        """Return the tokens that can have been run before; more than these must never be reused."""
        return min(max((common(key, old) for old in self.touched), default=0), len(key) - 1)

    def note(self, chat: int, key: Key, answer: Sequence[int]) -> None:
        """Remember a prompt and its answer, of which the last token may not have been run.

        Where state cannot be cut, another question finds the answer before, however often this one was stopped.
        """
        whole = (*key, *answer[:-1])
        self.seen.append(key if self.reuse == "whole" else whole)
        self.touched.append((*key, *answer))
        before = [point for point in self.by_chat.get(chat, [])[-1:] if key[: len(point)] == point]
        self.by_chat[chat] = [*before, key[:-1], whole]
