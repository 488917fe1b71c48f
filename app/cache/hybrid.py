"""Layer groups by attention type, and the coordinators that find a prefix which every group can serve.

All groups share one pool, one look-up by (block hash, group) and one LRU order. A prefix is hit where every group can
serve it: the longest full-attention hit, scanned left to right; then, inside it, the longest hit of each other group,
scanned right to left, until all agree. The scheme is vLLM v1's hybrid KV cache manager; what differs is that hits end
at any token, because blocks here can be cut.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from app.cache.block import BlockTable, CacheBlock
from app.cache.block_hash import PromptChain
from app.cache.block_pool import BlockPool

GroupKind = Literal["full", "window", "recurrent"]


@dataclass(frozen=True, slots=True)
class KVCacheGroup:
    """Layers that attend alike and so are cut and kept alike.

    Attributes:
        group_id: its part of the look-up key.
        kind: ``full`` needs every token; ``window`` the last ``window - 1``; ``recurrent`` a state exactly at the end.
        window: tokens that a query sees, itself included; 0 where it sees all.
        layers: positions of the layers, in the order in which a block holds them.
    """

    group_id: int
    kind: GroupKind
    window: int = 0
    layers: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class CacheHit:
    """A prefix that all groups can serve.

    Attributes:
        length: tokens.
        blocks: per group the blocks by their place in the sequence, the null block where the group needs nothing.
        shared: tokens that full attention alone could have served, at least ``length``.
        limited_by: the group that made the hit shorter than ``shared``, if one did.
    """

    length: int = 0
    blocks: Mapping[int, tuple[CacheBlock, ...]] = field(default_factory=dict)
    shared: int = 0
    limited_by: KVCacheGroup | None = None

    def real_blocks(self) -> list[CacheBlock]:
        """Return the blocks of all groups without the null block."""
        return [block for blocks in self.blocks.values() for block in blocks if not block.is_null]

    def table(self, request_id: str, first_group: int) -> BlockTable:
        """Return the hit as a block table; ownership is the caller's affair."""
        ids = {group: [block.block_id for block in blocks] for group, blocks in self.blocks.items()}
        tail = self.blocks[first_group][-1].path if ids.get(first_group) else None
        return BlockTable(request_id, ids.pop(first_group, []), self.length, ids, tail)


@dataclass(frozen=True, slots=True)
class Slot:
    """Tokens ``start`` to ``stop`` as one group keeps them in place ``index``; ``block`` where that exists already."""

    group: KVCacheGroup
    index: int
    start: int
    stop: int
    block: CacheBlock | None


class SingleTypeManager(ABC):
    """What one group can serve of a prompt, and what it has to keep of a sequence."""

    def __init__(self, pool: BlockPool, group: KVCacheGroup) -> None:
        self.pool = pool
        self.group = group
        self.size = pool.block_size

    @abstractmethod
    def longest_hit(self, chain: PromptChain, limit: int) -> tuple[int, tuple[CacheBlock, ...]]:
        """Return the largest length up to ``limit`` tokens that can be served, and its blocks; (0, ()) for none."""

    @abstractmethod
    def slots(self, chain: PromptChain, held_from: int) -> Iterator[Slot]:
        """Yield what to keep of a state at the chain's end that holds the tokens from ``held_from`` on."""

    def _whole(self, chain: PromptChain, i: int) -> CacheBlock | None:
        """Return the full block ``i`` of the chain."""
        block = self.pool.find(chain.hash_of(i), self.group.group_id, chain.path_to(i))
        if block is not None and block.path is not None:
            chain.adopt(i, block.path)
        return block

    def _parts(self, chain: PromptChain, i: int, limit: int) -> Iterator[tuple[CacheBlock, int]]:
        """Yield blocks that hold leading tokens of block ``i`` up to position ``limit``, and how many, most first."""
        tokens = chain.block_tokens(i, limit)
        return self.pool.candidates(chain.hash_before(i), self.group.group_id, tokens, chain.path_before(i))

    def _padded(self, blocks: Sequence[CacheBlock], last: int) -> tuple[CacheBlock, ...]:
        """Put null blocks before ``blocks``, which end at place ``last``."""
        return (self.pool.null_block,) * (last + 1 - len(blocks)) + tuple(blocks)


class FullAttentionManager(SingleTypeManager):
    """Needs every token from the first on; the last block may be used in part."""

    def longest_hit(self, chain: PromptChain, limit: int) -> tuple[int, tuple[CacheBlock, ...]]:
        """Scan left to right, then look among the siblings of the first missing block."""
        blocks: list[CacheBlock] = []
        for i in range(limit // self.size):
            block = self._whole(chain, i)
            if block is None:
                break
            blocks.append(block)
        whole = len(blocks)
        block, shared = next(self._parts(chain, whole, limit), (None, 0))
        if block is not None:
            blocks.append(block)
        return whole * self.size + shared, tuple(blocks)

    def slots(self, chain: PromptChain, held_from: int) -> Iterator[Slot]:
        """Yield every block; a block that holds the last tokens and more serves as well."""
        end = len(chain)
        for i in range(-(-end // self.size)):
            start, stop = i * self.size, min(end, (i + 1) * self.size)
            yield Slot(self.group, i, start, stop, self._holding(chain, i, stop))

    def _holding(self, chain: PromptChain, i: int, stop: int) -> CacheBlock | None:
        if stop == (i + 1) * self.size:
            return self._whole(chain, i)
        block, shared = next(self._parts(chain, i, stop), (None, 0))
        return block if shared == stop - i * self.size else None


class SlidingWindowManager(SingleTypeManager):
    """Needs the last ``window - 1`` tokens before the end; what has left the window may be gone."""

    def longest_hit(self, chain: PromptChain, limit: int) -> tuple[int, tuple[CacheBlock, ...]]:
        """Scan right to left for an end behind which the window is whole."""
        while limit > 0:
            i = (limit - 1) // self.size
            barrier = i * self.size
            for block, shared in self._parts(chain, i, limit):
                end = i * self.size + shared
                blocks, gap = self._reach_back(chain, i, block, end)
                if gap is None:
                    return end, self._padded(blocks, i)
                if gap < barrier:  # every end behind the block with the gap needs the missing token as well
                    barrier = (gap // self.size + 1) * self.size
                    break
            limit = barrier
        return 0, ()

    def slots(self, chain: PromptChain, held_from: int) -> Iterator[Slot]:
        """Yield the blocks that the window at the end touches, as far back as rows are held."""
        end = len(chain)
        first = max(held_from, end - self.group.window)
        for i in range(first // self.size, -(-end // self.size)):
            start, stop = max(first, i * self.size), min(end, (i + 1) * self.size)
            yield Slot(self.group, i, start, stop, self._covering(chain, i, start, stop))

    def _reach_back(
        self, chain: PromptChain, i: int, block: CacheBlock, end: int
    ) -> tuple[list[CacheBlock], int | None]:
        """Return the blocks of the window before ``end``, the last one in place ``i``; or where a token is missing."""
        needed = max(0, end - self.group.window + 1)
        blocks = [block]
        while True:
            first = i * self.size + blocks[0].skipped
            if first <= needed:
                return blocks, None
            if blocks[0].skipped:
                return [], first - 1
            i -= 1
            before = self._whole(chain, i)
            if before is None:
                return [], first - 1
            blocks.insert(0, before)

    def _covering(self, chain: PromptChain, i: int, start: int, stop: int) -> CacheBlock | None:
        for block, shared in self._parts(chain, i, stop):
            if shared < stop - i * self.size:
                return None
            if i * self.size + block.skipped <= start:
                return block
        return None


class RecurrentManager(SingleTypeManager):
    """Needs a state stored exactly at the end."""

    def longest_hit(self, chain: PromptChain, limit: int) -> tuple[int, tuple[CacheBlock, ...]]:
        """Scan right to left for a stored state."""
        for i in reversed(range(-(-limit // self.size))):
            block = next(self._states(chain, i, limit), None)
            if block is not None:
                return i * self.size + len(block.tokens), self._padded([block], i)
        return 0, ()

    def slots(self, chain: PromptChain, held_from: int) -> Iterator[Slot]:
        """Yield the one state at the end."""
        end = len(chain)
        i = (end - 1) // self.size
        block = next(self._states(chain, i, end), None)
        known = block if block is not None and i * self.size + len(block.tokens) == end else None
        yield Slot(self.group, i, i * self.size, end, known)

    def _states(self, chain: PromptChain, i: int, limit: int) -> Iterator[CacheBlock]:
        tokens = chain.block_tokens(i, limit)
        return self.pool.prefixes(chain.hash_before(i), self.group.group_id, tokens, chain.path_before(i))


_MANAGERS: dict[GroupKind, type[SingleTypeManager]] = {
    "full": FullAttentionManager,
    "window": SlidingWindowManager,
    "recurrent": RecurrentManager,
}


class KVCacheCoordinator(ABC):
    """One manager per group over one pool.

    Attributes:
        groups: the groups, full attention first.
        pool: where all blocks live.
    """

    def __init__(self, pool: BlockPool, groups: Sequence[KVCacheGroup]) -> None:
        self.pool = pool
        self.groups = tuple(groups)
        self.managers = tuple(_MANAGERS[group.kind](pool, group) for group in groups)

    @abstractmethod
    def find_longest_cache_hit(self, chain: PromptChain, max_length: int) -> CacheHit:
        """Return the longest prefix of at most ``max_length`` tokens that every group can serve. Adds no owners."""

    def slots(self, chain: PromptChain, held_from: Mapping[int, int]) -> list[Slot]:
        """Return what to keep of a state that holds the whole chain, per group from token ``held_from`` on."""
        return [slot for m in self.managers for slot in m.slots(chain, held_from.get(m.group.group_id, 0))]


class KVCacheCoordinatorNoPrefixCache(KVCacheCoordinator):
    """Caching is off: nothing is found, nothing is kept."""

    def find_longest_cache_hit(self, chain: PromptChain, max_length: int) -> CacheHit:
        """Return the empty hit."""
        return CacheHit()

    def slots(self, chain: PromptChain, held_from: Mapping[int, int]) -> list[Slot]:
        """Return nothing."""
        return []


class UnitaryKVCacheCoordinator(KVCacheCoordinator):
    """All layers attend alike.

    Raises:
        ValueError: there is not exactly one group.
    """

    def __init__(self, pool: BlockPool, groups: Sequence[KVCacheGroup]) -> None:
        if len(groups) != 1:
            raise ValueError(f"one group is needed, not {len(groups)}")
        super().__init__(pool, groups)

    def find_longest_cache_hit(self, chain: PromptChain, max_length: int) -> CacheHit:
        """Return what the one group can serve."""
        length, blocks = self.managers[0].longest_hit(chain, max_length)
        return CacheHit(length, {self.groups[0].group_id: blocks}, length) if length else CacheHit()


class HybridKVCacheCoordinator(KVCacheCoordinator):
    """Any mix of groups; where there is full attention it comes first, because it can be cut anywhere.

    Raises:
        ValueError: there are fewer than two groups, or full attention is not first and only once.
    """

    def __init__(self, pool: BlockPool, groups: Sequence[KVCacheGroup]) -> None:
        if len(groups) < 2 or any(group.kind == "full" for group in groups[1:]):
            raise ValueError("at least two groups are needed, full attention first and only once")
        super().__init__(pool, groups)

    def find_longest_cache_hit(self, chain: PromptChain, max_length: int) -> CacheHit:
        """Shorten the hit group by group until one round changes nothing.

        Every round is a shorter hit or the last one, so this ends.
        """
        length, shared, limited_by = max_length, 0, None
        while length:
            start = length
            blocks: dict[int, tuple[CacheBlock, ...]] = {}
            for manager in self.managers:
                reached, blocks[manager.group.group_id] = manager.longest_hit(chain, length)
                if manager is self.managers[0] and not shared:
                    shared = reached
                elif reached < length:
                    limited_by = manager.group
                length = reached
                if not length:
                    break
            if length == start:
                return CacheHit(length, blocks, shared, limited_by)
        return CacheHit(0, {}, shared, limited_by)


def get_kv_cache_coordinator(
    pool: BlockPool, groups: Sequence[KVCacheGroup], *, enable_caching: bool = True
) -> KVCacheCoordinator:
    """Return the coordinator that fits the groups."""
    if not enable_caching:
        return KVCacheCoordinatorNoPrefixCache(pool, groups)
    return (UnitaryKVCacheCoordinator if len(groups) == 1 else HybridKVCacheCoordinator)(pool, groups)
