"""Which stored entry serves a prompt best: the one that reuses most and can really be cut there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from app.cache.index import Entry, Match
from app.cache.layers import LayerState
from app.cache.media import MediaSpan, cut_before_span
from app.cache.protocols import PROMPT, Ending, MatchKind
from app.cache.snapshot import Snapshot

_ORDER: dict[MatchKind, int] = {"exact": 0, "prefix": 1, "supersequence": 2, "lcp": 3}


@dataclass(slots=True, eq=False)
class Stored:
    """One entry of a whole-sequence store. Identified by itself, so that long keys are never hashed.

    Attributes:
        identity: digest of what makes the state compatible.
        tokens: salted tokens that the state holds.
        snapshot: the state.
        nbytes: what it was charged with.
        persist: whether it may go to disk.
        hits: look-ups that it served.
        about: what the owner attached to it.
        stem: length of the entry that it took the place of, usually its prompt; what follows is one answer.
        ending: what its tokens end with.
        lender: the entry that its borrowed layers belong to (see :class:`~app.cache.snapshot.Snapshot`).
        borrowers: the entries that borrow from it, and are nothing without it.
    """

    identity: str
    tokens: tuple[int, ...]
    snapshot: Snapshot
    nbytes: int
    persist: bool = True
    hits: int = 0
    about: object = None
    stem: int = 0
    ending: Ending = PROMPT
    lender: Stored | None = None
    borrowers: set[Stored] = field(default_factory=set)


@dataclass(frozen=True, slots=True)
class Choice:
    """The entry to use, cut at ``reused`` tokens; ``blocker`` is the layer that forbade a longer reuse, if one did."""

    entry: Stored | None
    reused: int
    kind: MatchKind
    blocker: LayerState | None = None


def choose(match: Match[Stored], tokens: Sequence[int], spans: Sequence[MediaSpan], minimum: int) -> Choice:
    """Return the best legal reuse. At least one token is left to run, and no cut falls inside a media span.

    Args:
        match: what the index found for ``tokens``.
        tokens: the salted prompt.
        spans: its media spans.
        minimum: shorter reuse does not count.
    """
    most = len(tokens) - 1
    blocker: LayerState | None = None
    ranked = sorted(
        ((cut_before_span(min(depth, most), spans), kind, entry.value) for depth, kind, entry in _candidates(match)),
        key=lambda c: (-c[0], _ORDER[c[1]]),
    )
    for n, kind, entry in ranked:
        if n < max(minimum, 1):
            break
        if entry.snapshot.can_cut(n):
            return Choice(entry, n, kind, blocker)
        blocker = blocker or entry.snapshot.blocker(n)
    return Choice(None, 0, "miss", blocker)


def _candidates(match: Match[Stored]) -> Iterator[tuple[int, MatchKind, Entry[Stored]]]:
    if match.exact is not None:
        yield len(match.exact.tokens), "exact", match.exact
    for entry in match.ancestors:
        yield len(entry.tokens), "prefix", entry
    if match.longer is not None:
        yield match.common, "supersequence", match.longer
    for depth, entry in match.branches:
        yield depth, "lcp", entry
