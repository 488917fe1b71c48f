"""Which entries a new one makes superfluous.

A growing chat must not pile up copies of its own past. Where the new entry can be cut back to an older one, the older
one goes. Where it cannot (windows that moved, recurrent states) older states are boundaries that later turns may need:
the newest stays (a template that strips reasoning returns to it), the oldest stays (the system prompt, shared by every
chat), and so do those that another branch of the conversation really came back to. That is a constant number per
conversation and branch, whatever its length.
"""

from __future__ import annotations

from app.cache.index import Match, PrefixIndex, common_length
from app.cache.matching import Stored
from app.cache.snapshot import Snapshot

SMALL_TAIL = 0.1
"""Share of an entry that a conversation may leave behind before the entry counts as a branch of its own."""
_MANY = 8


def superseded(match: Match[Stored], snapshot: Snapshot, index: PrefixIndex[Stored]) -> list[Stored]:
    """Return the proper prefixes of a new entry (and dead ends beside it) that it makes superfluous.

    Args:
        match: what the index finds for the new entry's tokens, before it is inserted.
        snapshot: the new entry's state.
        index: all entries.
    """
    ancestors = [entry.value for entry in match.ancestors]
    gone = [old for old in ancestors if snapshot.can_cut(len(old.tokens))]
    boundaries = [old for old in ancestors if old not in gone]
    for old, newer in zip(boundaries[1:-1], boundaries, strict=False):
        dead = _dead_ends(old, newer, index)
        if dead is not None:
            gone += [old, *dead]
    return gone


def left_behind(old: Stored, cut_at: int, snapshot: Snapshot) -> bool:
    """Whether ``old``, from which a prompt was served cut at ``cut_at``, is nearly all in the entry that came of it.

    What it has beyond the cut is a small part of it, or a part of its last answer only: the template dropped the
    reasoning, or the answer was generated anew.
    """
    tail = len(old.tokens) - cut_at
    within_answer = 0 < old.stem <= cut_at
    return tail > 0 and (within_answer or tail <= SMALL_TAIL * len(old.tokens)) and snapshot.can_cut(cut_at)


def _dead_ends(old: Stored, newer: Stored, index: PrefixIndex[Stored]) -> list[Stored] | None:
    """Return the entries that branch off between two boundaries, or ``None`` if ``old`` must stay for one of them."""
    dead: list[Stored] = []
    for entry in index.below(old.identity, old.tokens):
        if common_length(entry.tokens, newer.tokens) == len(newer.tokens) or entry.value is newer:
            continue
        dead.append(entry.value)
        if entry.value.hits or len(dead) > _MANY:
            return None
    return None if _conversation(dead) else dead


def _conversation(entries: list[Stored]) -> bool:
    """Whether one of the entries continues another: they are another chat's states then, not answers left behind."""
    return any(a is not b and b.tokens[: len(a.tokens)] == a.tokens for a in entries for b in entries)
