"""Which entries a new one makes superfluous.

A growing chat must not pile up copies of its own past. Where the new entry can be cut back to an older one, the older
one goes. Where it cannot (windows that moved, recurrent states) older states are boundaries that later turns may need:
the newest stay (the prompt's end for another answer, the last image's and the last answer's end for another question,
the user turn's end for a template that strips reasoning), the oldest stays (the system prompt, shared by every chat),
and so do those that another branch of the conversation really came back to. That is a constant number per conversation
and branch, whatever its length. Places inside a long prompt are kept besides, until it is answered and gone on from:
its question may yet be edited. Where a prompt or an answer was stopped is no boundary: once it went further, nobody
comes back to that place.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Protocol, TypeVar

from app.cache.index import Match, PrefixIndex, common_length
from app.cache.matching import Stored
from app.cache.protocols import Ending
from app.cache.snapshot import Snapshot

KEPT_BOUNDARIES = 3
"""Newest boundaries of one conversation that are kept beside its longest state where layers cannot be cut."""
KEPT_HALFWAY = 2
"""Places inside the newest prompt that are kept besides."""
SMALL_TAIL = 0.1
"""Share of an entry that a conversation may leave behind before the entry counts as a branch of its own."""
_MANY = 8


class Keyed(Protocol):
    """A stored sequence of whatever kind."""

    @property
    def tokens(self) -> tuple[int, ...]:
        """What it holds."""
        ...

    @property
    def ending(self) -> Ending:
        """What its tokens end with."""
        ...


K = TypeVar("K", bound=Keyed)


def at_once(ending: Ending, replaced: Ending) -> Ending:
    """Return how a state ends that takes the place of an equal one: a place to go on from stays one."""
    passing = all(e.unfinished or e.halfway for e in (ending, replaced))
    halfway = passing and (ending.halfway or replaced.halfway)
    return replace(ending, unfinished=passing and not halfway, halfway=halfway)


def surplus(boundaries: Sequence[K], ending: Ending) -> list[K]:
    """Return those of a conversation's ``boundaries``, longest first, that its new state makes superfluous.

    A beginning of the same answer, or of the same prompt, is what was left when it was stopped: it goes, or it would
    take the place of a boundary. So does a place inside a prompt whose answer is behind it. ``ending`` is the new
    state's.
    """
    begun = [old for old in boundaries if old.ending.unfinished or 0 < ending.answer_at <= len(old.tokens)]
    halfway = [old for old in boundaries if old.ending.halfway and old not in begun]
    kept = [old for old in boundaries if old not in begun and not old.ending.halfway]
    answered = next((len(old.tokens) for old in kept if old.ending.answer_at), 0)
    open_yet = [old for old in halfway if len(old.tokens) > answered][:KEPT_HALFWAY]
    return [*begun, *(old for old in halfway if old not in open_yet), *kept[KEPT_BOUNDARIES:-1]]


def superseded(
    tokens: tuple[int, ...],
    match: Match[Stored],
    snapshot: Snapshot,
    index: PrefixIndex[Stored],
    ending: Ending,
) -> list[Stored]:
    """Return the proper prefixes of a new entry (and dead ends beside it) that it makes superfluous.

    A dead end of two boundaries is named twice.

    Args:
        tokens: the new entry's.
        match: what the index finds for them, before it is inserted.
        snapshot: the new entry's state.
        index: all entries.
        ending: what they end with.
    """
    ancestors = [entry.value for entry in match.ancestors]
    gone = [old for old in ancestors if snapshot.can_cut(len(old.tokens))]
    boundaries = [old for old in ancestors if old not in gone]
    following = dict(zip(boundaries[1:], boundaries, strict=False))
    if boundaries:
        gone += spent(boundaries[0], tokens, index, boundaries[0].identity)
    for old in surplus(boundaries, ending):
        newer = following.get(old)
        dead = _dead_ends(old, tokens if newer is None else newer.tokens, index)
        if dead is not None:
            gone += [old, *dead]
    return gone


def spent(boundary: Keyed, tokens: Sequence[int], index: PrefixIndex[K], identity: str) -> list[K]:
    """Return what the turn before left behind at ``boundary``, from which ``tokens`` go on.

    The cue to reason and the reasoning after it are in no later prompt: who comes back runs the cue again. What another
    state continues stays.
    """
    below = list(index.below(identity, boundary.tokens))
    over = [e for e in below if e.value.ending.next_at == len(boundary.tokens) and not _begins(e.tokens, tokens)]
    others = [e for e in below if e not in over]
    return [e.value for e in over if not any(_begins(e.tokens, other.tokens) for other in others)]


def left_behind(old: Stored, cut_at: int, snapshot: Snapshot) -> bool:
    """Whether ``old``, from which a prompt was served cut at ``cut_at``, is nearly all in the entry that came of it.

    What it has beyond the cut is a small part of it, or a part of its last answer only: the template dropped the
    reasoning, or the answer was generated anew.
    """
    tail = len(old.tokens) - cut_at
    within_answer = 0 < old.stem <= cut_at
    return tail > 0 and (within_answer or tail <= SMALL_TAIL * len(old.tokens)) and snapshot.can_cut(cut_at)


def _dead_ends(old: Stored, newer: Sequence[int], index: PrefixIndex[Stored]) -> list[Stored] | None:
    """Return the entries that branch off between ``old`` and ``newer``, or ``None`` if it must stay for one of them."""
    dead: list[Stored] = []
    for entry in index.below(old.identity, old.tokens):
        if common_length(entry.tokens, newer) == len(newer):
            continue
        dead.append(entry.value)
        if entry.value.hits or len(dead) > _MANY:
            return None
    return None if _conversation(dead) else dead


def _begins(beginning: Sequence[int], tokens: Sequence[int]) -> bool:
    return common_length(beginning, tokens) == len(beginning)


def _conversation(entries: list[Stored]) -> bool:
    """Whether one of the entries continues another: they are another chat's states then, not answers left behind."""
    return any(a is not b and _begins(a.tokens, b.tokens) for a in entries for b in entries)
