"""What lies in the tiers, entry by entry, as a list for people. Reading it counts nothing and refreshes nothing."""

from __future__ import annotations

import time
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final, Literal

from app.cache.disk.token_keys import MEDIA_MARK, decode_tokens
from app.cache.events import Tier
from app.cache.media import SALT_BIT

if TYPE_CHECKING:
    from app.cache.block_store import BlockStore
    from app.cache.disk.index import IndexRow
    from app.cache.entries import EntryStore

HoldingKind = Literal["state", "features", "pixels"]
ENDING: Final = 48
"""So many of a state's last text tokens are told, to recognise it by."""
DISK_LISTED: Final = 500
"""So many entries of the disk tier are told, the last used: reading all their tokens would take seconds."""


@dataclass(frozen=True, slots=True)
class Holding:
    """One entry of one tier.

    Attributes:
        tier: where it lies.
        kind: state of a prompt, or features or processed pixels of a picture.
        identity: namespace; empty where it belongs to every model.
        nbytes: bytes that it is charged with; 0 where it shares all of them with others.
        tokens: tokens of the state, or of the picture in a prompt; 0 where that is unknown.
        media_tokens: how many of them stand for pictures.
        ending: the last text tokens of a state, at most :data:`ENDING`.
        digest: content digest of the encoder unit that the features belong to.
        added_at: ``time.time()`` when it was stored; 0.0 where that was not noted.
        used_at: ``time.time()`` of its last use.
        pinned: whether it is in use just now and cannot be evicted.
    """

    tier: Tier
    kind: HoldingKind
    identity: str
    nbytes: int
    tokens: int = 0
    media_tokens: int = 0
    ending: tuple[int, ...] = ()
    digest: str = ""
    added_at: float = 0.0
    used_at: float = 0.0
    pinned: bool = False


def of_entries(store: EntryStore) -> list[Holding]:
    """Return the entries of a whole-sequence store, last used first."""
    with store.lock:
        held = [(entry, *store.order.times(entry), store.order.pinned(entry)) for entry in store.order]
    return [
        state("prefix", entry.identity, entry.nbytes, entry.tokens, added_at=added, used_at=used, pinned=pinned)
        for entry, added, used, pinned in reversed(held)
    ]


def of_blocks(store: BlockStore) -> list[Holding]:
    """Return the sequences of a block store, last used first; their blocks are shared, so that none has bytes."""
    since_start = time.time() - time.monotonic()
    with store.lock:
        held = [
            (
                record.namespace,
                record.tokens,
                max((store.pool.blocks[block].last_access for block in record.blocks), default=0.0),
                any(store.pool.blocks[block].ref_count for block in record.blocks),
            )
            for record in store.records
        ]
    made = [state("prefix", name, 0, tokens, used_at=since_start + at, pinned=pin) for name, tokens, at, pin in held]
    return sorted(made, key=lambda holding: -holding.used_at)


def of_disk(rows: Iterable[IndexRow]) -> list[Holding]:
    """Return the last used entries of the disk index, latest first; a state's own segment names it."""
    latest = sorted(rows, key=lambda row: -row.used)[:DISK_LISTED]
    return [
        Holding("ssd", "features", row.namespace, row.nbytes, used_at=row.touched_at)
        if row.kind == "features"
        else state("ssd", row.namespace, row.nbytes, _last_tokens(row.tokens), used_at=row.touched_at, tokens=row.stop)
        for row in latest
    ]


def _last_tokens(encoded: bytes) -> tuple[int, ...]:
    """Return the tokens of a segment, or only its last ones where it is all text."""
    has_media = MEDIA_MARK in encoded
    return decode_tokens(encoded if has_media else encoded[-4 * ENDING :])


def state(
    tier: Tier,
    identity: str,
    nbytes: int,
    ids: Sequence[int],
    *,
    added_at: float = 0.0,
    used_at: float = 0.0,
    pinned: bool = False,
    tokens: int = 0,
) -> Holding:
    """Return the holding of a prompt's state, of whose salted tokens ``ids`` are all or the last."""
    media = sum(token >= SALT_BIT for token in ids)
    ending = tuple(token for token in ids[-4 * ENDING :] if token < SALT_BIT)[-ENDING:]
    return Holding(
        tier, "state", identity, nbytes, tokens or len(ids), media, ending, "", added_at, used_at, pinned
    )  # fmt: skip
