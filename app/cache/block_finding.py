"""Finding stored sequences in blocks, and putting together what was found."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from app.cache.block import BlockTable, CacheBlock
from app.cache.block_hash import PromptChain, same_path
from app.cache.block_layers import LayerLayout
from app.cache.block_records import Record, Records
from app.cache.events import EventBus
from app.cache.hybrid import CacheHit, KVCacheCoordinator
from app.cache.index import Match
from app.cache.media import MediaSpan, cut_before_span
from app.cache.paged import PagedCacheManager
from app.cache.protocols import MatchKind
from app.cache.snapshot import Snapshot
from app.cache.telling import PromptTelling
from app.cache.why import Evidence, explain


@dataclass(frozen=True, slots=True)
class Found:
    """What a look-up found. Its blocks have an owner more, until :meth:`BlockFinding.release` or a table takes them."""

    namespace: str
    hit: CacheHit
    kind: MatchKind = "miss"
    why: str = ""

    @property
    def nbytes(self) -> int:
        """Bytes of the blocks that are read for it."""
        return sum(block.nbytes for block in self.hit.real_blocks())


@dataclass(frozen=True, slots=True)
class Space:
    """What is known of one identity: its layers and who coordinates their groups."""

    layout: LayerLayout
    coordinator: KVCacheCoordinator


class BlockFinding(PromptTelling):
    """The half of a block store that looks up; the other half is :class:`~app.cache.block_store.BlockStore`.

    Attributes:
        pool: the paged cache manager.
        records: the sequences stored.
        counters: hits, misses and refusals; evictions count blocks.
    """

    def __init__(self, pool: PagedCacheManager, bus: EventBus | None = None) -> None:
        super().__init__(pool.lock, bus)
        self.pool = pool
        self.records = Records()
        self._spaces: dict[str, Space] = {}

    def find(self, namespace: str, tokens: tuple[int, ...], spans: Sequence[MediaSpan] = (), minimum: int = 1) -> Found:
        """Return the longest reusable prefix, leaving a token to run and cutting no media span, and own its blocks."""
        with self.lock:
            match = self.records.index.find(namespace, tokens)
            hit = self._longest_hit(self._chain(namespace, tokens, match), spans)
            usable = hit if hit.length >= max(1, minimum) else replace(hit, length=0, blocks={})
            why = self._explain(namespace, tokens, spans, match, usable, minimum)
            self.pool.touch(usable.real_blocks())
            return Found(namespace, usable, _kind(match, tokens, usable.length), why)

    def release(self, found: Found) -> None:
        """Give the blocks back, refreshed, the end of the sequence to be evicted before its beginning."""
        self.free(found.hit.table("", 0))

    def free(self, table: BlockTable) -> None:
        """Take one owner from each block of ``table``."""
        self.pool.free_block_batch([self.pool.blocks[block_id] for block_id in table.all_ids()])
        self.flush()

    def rebuild(self, namespace: str, hit: CacheHit) -> Snapshot:
        """Return the evaluated snapshot that the hit's blocks make up.

        Raises:
            LayerRefused: a block is missing or was emptied.
        """
        with self.lock:
            assemble = self._spaces[namespace].layout.gather(hit, self.pool.block_size)
        return assemble().settle()

    def hit_of(self, table: BlockTable) -> tuple[str, CacheHit]:
        """Return the namespace and the hit that an owned table stands for; the empty hit if it is stale."""
        rows = {0: table.block_ids, **table.other_groups}
        if any(i >= len(self.pool.blocks) for ids in rows.values() for i in ids):  # of a pool that was cleared since
            return "", CacheHit()
        blocks = {group: tuple(self.pool.blocks[i] for i in ids) for group, ids in rows.items()}
        real = [block for row in blocks.values() for block in row if not block.is_null]
        if not real or any(block.ref_count == 0 or block.path is None for block in real):
            return "", CacheHit()
        if not _is_chain(blocks[0]) or table.tail not in (None, blocks[0][-1].path):
            return "", CacheHit()
        return real[0].namespace, CacheHit(table.num_tokens, blocks, table.num_tokens)

    def _chain(self, namespace: str, tokens: tuple[int, ...], match: Match[Record]) -> PromptChain:
        """Return the prompt's chain, with the hashes of what it shares with the nearest record taken over."""
        nearest, shared = _nearest(match)
        like = None if nearest is None else nearest.chain
        return PromptChain(tokens, self.pool.block_size, namespace, like=like, shared=shared)

    def _longest_hit(self, chain: PromptChain, spans: Sequence[MediaSpan]) -> CacheHit:
        space = self._spaces.get(chain.namespace)
        if space is None:
            return CacheHit()
        limit, hit = cut_before_span(len(chain) - 1, spans), CacheHit()
        while limit > 0:
            hit = space.coordinator.find_longest_cache_hit(chain, limit)
            limit = cut_before_span(hit.length, spans)
            if limit == hit.length:
                return hit
        return replace(hit, length=0, blocks={})

    def _explain(
        self,
        namespace: str,
        tokens: tuple[int, ...],
        spans: Sequence[MediaSpan],
        match: Match[Record],
        hit: CacheHit,
        minimum: int,
    ) -> str:
        nearest, _ = _nearest(match)
        known = self.records.knows(namespace) or hit.shared > 0
        space, common = self._spaces.get(namespace), max(match.common, hit.shared)
        uncut = [g for g in space.layout.groups if g.kind != "full"] if space and hit.length < common else []
        limiting = hit.limited_by or (uncut[0] if uncut else None)
        return explain(
            Evidence(
                tokens=tokens,
                spans=spans,
                reused=hit.length,
                common=common,
                stored=nearest.tokens if nearest is not None else (),
                blocker=space.layout.sample(limiting) if space and limiting else None,
                minimum=minimum,
                model_known=known,
                model_changed=not known and len(self.records) > 0,
            )
        )


def _nearest(match: Match[Record]) -> tuple[Record | None, int]:
    """Return the record that shares most, and how many tokens it shares."""
    if match.exact is not None:
        return match.exact.value, match.common
    shared, entry = match.branches[0] if match.branches else (0, None)
    return None if entry is None else entry.value, shared


def _kind(match: Match[Record], tokens: tuple[int, ...], reused: int) -> MatchKind:
    """Return how the reused tokens relate to what was stored."""
    if not reused:
        return "miss"
    if match.common == len(tokens) and reused == len(tokens) - 1:
        return "supersequence" if match.exact is None else "exact"
    ends: Iterable[int] = (len(entry.tokens) for entry in match.ancestors)
    return "prefix" if reused in ends else "lcp"


def _is_chain(blocks: Sequence[CacheBlock]) -> bool:
    """Whether each block follows the one before it; a table that outlived its blocks may name strangers."""
    pairs = ((a, b) for a, b in pairwise(blocks) if not a.is_null and b.path is not None)
    return all(same_path(b.path.parent if b.path else None, a.path) for a, b in pairs)
