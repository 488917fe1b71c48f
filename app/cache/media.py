"""Media spans and salted tokens: how images become part of a token-keyed prefix.

A placeholder token says only "here is a piece of some image". Replaced by an integer that is derived from the image's
content digest and the position inside the span, the sequence says *which* piece of *which* image, stays an ordinary
``tuple[int, ...]``, and every token-keyed cache serves text and images alike.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

SALT_BIT = 1 << 255


@dataclass(frozen=True, slots=True)
class MediaSpan:
    """Where one encoder unit (an image, or one tile of it) stands in the final token ids.

    Attributes:
        start: index of the first placeholder token.
        length: number of placeholder tokens.
        digest: hex SHA-256 of what was encoded: normalised RGB pixels with width and height.
        grid: the unit's shape as the family's processor reports it, for example ``(1, 12, 16)`` patches.
        image: index in the prompt of the image that the unit belongs to, for messages; no key depends on it.
    """

    start: int
    length: int
    digest: str
    grid: tuple[int, ...] = ()
    image: int | None = field(default=None, compare=False)

    @property
    def end(self) -> int:
        """Index one past the last placeholder."""
        return self.start + self.length


def salt_token(digest: str, grid: tuple[int, ...], index: int) -> int:
    """Return the 256-bit integer >= 2**32 that stands for placeholder ``index`` of the unit ``digest``.

    The full width is kept end to end: reports of 16- and 64-bit reductions colliding are why (known failures 9, 10).
    """
    digested = hashlib.sha256(f"{digest}|{','.join(map(str, grid))}|{index}".encode()).digest()
    return int.from_bytes(digested, "big") | SALT_BIT


def salt_tokens(token_ids: Sequence[int], spans: Iterable[MediaSpan]) -> tuple[int, ...]:
    """Return ``token_ids`` with each placeholder inside ``spans`` replaced by its salt.

    Raises:
        ValueError: spans overlap, are empty or reach outside the tokens.
    """
    salted = list(token_ids)
    previous_end = 0
    for span in sorted(spans, key=lambda s: s.start):
        if span.length <= 0 or span.start < previous_end or span.end > len(salted):
            raise ValueError(f"media span {span.start}..{span.end} overlaps another or leaves the {len(salted)} tokens")
        salted[span.start : span.end] = [salt_token(span.digest, span.grid, i) for i in range(span.length)]
        previous_end = span.end
    return tuple(salted)


def cut_before_span(position: int, spans: Iterable[MediaSpan]) -> int:
    """Return ``position``, moved to the start of the media span that it would split, if any."""
    for span in spans:
        if span.start < position < span.end:
            return span.start
    return position
