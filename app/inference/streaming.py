"""From tokens to text while they arrive: whole characters only, reasoning apart, stop strings never shown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

THINK_OPEN, THINK_CLOSE = "<think>", "</think>"
_INCOMPLETE = "�"
_JOINER = "‍"


class StreamingText:
    """Decodes ids one by one and gives text out only where it ends in a whole character.

    A token may hold part of a character's bytes, and its text may depend on the token before it (a leading space). So
    the tokens since the last output are always decoded together with those of the output before it, and the difference
    is given out; the idea of two offsets is that of Hugging Face's text-generation-inference.
    """

    def __init__(self, tokenizer: Any) -> None:
        self._tokenizer = tokenizer
        self._ids: list[int] = []
        self._context = self._shown = 0

    def push(self, token: int) -> str:
        """Take one id; return the text that became certain, possibly empty."""
        self._ids.append(token)
        before = self._decode(self._ids[self._context : self._shown])
        now = self._decode(self._ids[self._context :])
        if len(now) <= len(before) or now.endswith((_INCOMPLETE, _JOINER)):
            return ""
        self._context, self._shown = self._shown, len(self._ids)
        return now[len(before) :]

    def finish(self) -> str:
        """Return what is left, with incomplete bytes as replacement characters."""
        before = self._decode(self._ids[self._context : self._shown])
        now = self._decode(self._ids[self._context :])
        self._context = self._shown = len(self._ids)
        return now[len(before) :]

    def _decode(self, ids: Sequence[int]) -> str:
        if not ids:
            return ""
        text: str = self._tokenizer.decode(ids, skip_special_tokens=True, clean_up_tokenization_spaces=False)
        return text


class StopStrings:
    """Lets text through up to the first stop string, holding back what may become one."""

    def __init__(self, stops: Sequence[str]) -> None:
        self._stops = tuple(stop for stop in stops if stop)
        self._held = ""
        self.hit = False

    def push(self, text: str) -> str:
        """Take text; return what may be shown. After :attr:`hit` nothing more is."""
        if self.hit:
            return ""
        self._held += text
        found = [at for at in (self._held.find(stop) for stop in self._stops) if at >= 0]
        if found:
            self.hit = True
            shown, self._held = self._held[: min(found)], ""
            return shown
        return self._release(max((_overlap(self._held, stop) for stop in self._stops), default=0))

    def finish(self) -> str:
        """Return what was held back."""
        return self._release(0)

    def _release(self, keep: int) -> str:
        cut = len(self._held) - keep
        shown, self._held = self._held[:cut], self._held[cut:]
        return shown


@dataclass(frozen=True, slots=True)
class Piece:
    """Text of one kind: reasoning or answer."""

    text: str
    thinking: bool


class ThinkingSplitter:
    """Tells reasoning from answer by ``<think>`` tags, which may arrive in parts."""

    def __init__(self, opened: bool = False) -> None:
        """``opened``: the prompt itself ended inside a ``<think>``."""
        self._thinking = opened
        self._held = ""
        self._trim = opened

    @property
    def thinking(self) -> bool:
        """Whether the text is inside reasoning now."""
        return self._thinking

    def push(self, text: str) -> list[Piece]:
        """Take text; return the pieces that are certain."""
        self._held += text
        pieces = []
        while True:
            tag = THINK_CLOSE if self._thinking else THINK_OPEN
            before, found, after = self._held.partition(tag)
            if not found:
                break
            pieces.append(self._piece(before))
            self._thinking, self._held, self._trim = not self._thinking, after, True
        keep = _overlap(self._held, tag)
        cut = len(self._held) - keep
        pieces.append(self._piece(self._held[:cut]))
        self._held = self._held[cut:]
        return [piece for piece in pieces if piece.text]

    def finish(self) -> list[Piece]:
        """Return what was held back."""
        held, self._held = self._held, ""
        return [Piece(held, self._thinking)] if held else []

    def _piece(self, text: str) -> Piece:
        """Drop the line breaks that only set a tag apart."""
        if self._trim:
            text = text.lstrip("\n")
            self._trim = not text
        return Piece(text, self._thinking)


def _overlap(text: str, tag: str) -> int:
    """Return how many characters at the end of ``text`` are a proper beginning of ``tag``."""
    for length in range(min(len(text), len(tag) - 1), 0, -1):
        if text.endswith(tag[:length]):
            return length
    return 0
