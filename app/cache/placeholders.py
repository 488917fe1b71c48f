"""Which tokens of a prompt stand for its images, for callers that do not say where they are.

Placeholders are found in the token ids, by how often the caller says they occur, and salted with the content of the
image they stand for. Where they cannot be told from text, the whole key is salted with all images: that reuses less,
but never wrongly.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Collection, Sequence
from dataclasses import replace

from app.cache.media import MediaSpan, salt_token, salt_tokens
from app.cache.why import SALT_FLOOR

Keyed = tuple[tuple[int, ...], list[MediaSpan]]
"""Salted tokens, and where images stand in them."""


class Placeholders:
    """The placeholder ids of one model: those that it is known to have, and those that prompts taught.

    Args:
        learned: ids that prompts taught; what is learned is added to it.
        declared: ids that are known to be placeholders.
    """

    def __init__(self, learned: set[int], declared: Collection[int] = ()) -> None:
        self._learned = learned
        self._declared = frozenset(declared)

    @property
    def known(self) -> frozenset[int]:
        """All ids."""
        return self._declared.union(self._learned)

    def salted(self, token_ids: Sequence[int], digests: Sequence[str], count: int = 0) -> Keyed:
        """Return the key of a prompt, placeholders replaced by what they stand for, and where its images stand.

        Args:
            token_ids: final token ids, salted ones among them or not.
            digests: content of the images, in order.
            count: how many placeholders there are; 0 where nobody counted.
        """
        tokens = tuple(int(token) for token in token_ids)
        if not digests or not tokens or any(token >= SALT_FLOOR for token in tokens):
            return tokens, salted_runs(tokens)
        placeholder = self._among(tokens, count)
        if placeholder is None:
            return (salt_token(joined(digests), (), tokens[0]), *tokens[1:]), []
        spans = _spans(_runs(tokens, placeholder), digests)
        return salt_tokens(tokens, spans), spans

    def _among(self, tokens: Sequence[int], count: int) -> int | None:
        """Return the placeholder id: the token that occurs ``count`` times, or else one that is known.

        Where several could be it, none is: a wrong guess would leave real ones unsalted, and images would share state.
        """
        counts = Counter(tokens)
        fitting = {token for token, times in counts.items() if count and times == count}
        known = self.known & counts.keys()
        found = fitting & known or fitting or known
        if len(found) != 1:
            return None
        self._learned.update(found if fitting else ())
        return next(iter(found))


def joined(digests: Sequence[str]) -> str:
    """Return one digest for images in this order."""
    return hashlib.sha256("|".join(digests).encode()).hexdigest()


def salted_runs(tokens: Sequence[int]) -> list[MediaSpan]:
    """Return stretches of salted tokens as spans, so that no cut falls inside one."""
    spans: list[MediaSpan] = []
    for position, token in enumerate(tokens):
        if token < SALT_FLOOR:
            continue
        if spans and spans[-1].end == position:
            spans[-1] = replace(spans[-1], length=spans[-1].length + 1)
        else:
            spans.append(MediaSpan(position, 1, ""))
    return spans


def _runs(tokens: Sequence[int], wanted: int) -> list[tuple[int, int]]:
    """Return (start, length) of every stretch of ``wanted``."""
    runs: list[tuple[int, int]] = []
    for position, token in enumerate(tokens):
        if token != wanted:
            continue
        if runs and sum(runs[-1]) == position:
            runs[-1] = (runs[-1][0], runs[-1][1] + 1)
        else:
            runs.append((position, 1))
    return runs


def _spans(runs: Sequence[tuple[int, int]], digests: Sequence[str]) -> list[MediaSpan]:
    """Give each stretch of placeholders its image: in equal shares where they divide, else all images together."""
    if len(runs) % len(digests) == 0:
        share = len(runs) // len(digests)
        return [MediaSpan(start, length, digests[i // share], (i % share,)) for i, (start, length) in enumerate(runs)]
    start, length = runs[0]
    if len(runs) == 1 and length % len(digests) == 0:
        share = length // len(digests)
        return [MediaSpan(start + i * share, share, digest, (0,)) for i, digest in enumerate(digests)]
    return [MediaSpan(start, length, joined(digests), (i,)) for i, (start, length) in enumerate(runs)]
