"""The block pool: one set of blocks for all layer groups, one look-up, one LRU order, one count of bytes.

A block without owners is *blank* (holds nothing), or it lies in the LRU queue and stays findable until it is given to
somebody else. Descriptors are cheap; memory is committed when a block is written. The scheme is vLLM v1's block pool,
with the byte budget added.
"""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any

from app.cache.block import NULL_BLOCK_ID, CacheBlock
from app.cache.block_hash import TokenPath, same_path
from app.cache.block_index import BlockHashToBlockMap, SiblingIndex
from app.cache.block_queue import FreeKVCacheBlockQueue
from app.cache.events import EvictionReason
from app.cache.sizes import nested_nbytes

EvictionHook = Callable[[CacheBlock, EvictionReason], None]


class BlockPool:
    """Owns the blocks. All public methods are atomic under :attr:`lock`, which is re-entrant.

    Attributes:
        block_size: tokens per block.
        max_blocks: blocks including the null block; ``None`` for as many as the bytes allow.
        max_bytes: limit of what blocks hold; ``None`` for no limit.
        enable_caching: whether released blocks stay findable.
        on_evict: called with a block and the reason before its content goes, inside the lock.
        evictions: evicted blocks by reason.
    """

    def __init__(
        self,
        block_size: int = 64,
        max_blocks: int | None = 1000,
        enable_caching: bool = True,
        *,
        max_bytes: int | None = None,
    ) -> None:
        if block_size < 1:
            raise ValueError(f"block_size must be at least 1, not {block_size}")
        if max_blocks is None and max_bytes is None:
            raise ValueError("a limit is needed, in blocks or in bytes")
        if (max_blocks is not None and max_blocks < 1) or (max_bytes is not None and max_bytes < 0):
            raise ValueError("max_blocks must be at least 1 and max_bytes not negative")
        self.block_size = block_size
        self.max_blocks = max_blocks
        self.max_bytes = max_bytes
        self.enable_caching = enable_caching
        self.on_evict: EvictionHook | None = None
        self.evictions: Counter[EvictionReason] = Counter()
        self.lock = threading.RLock()
        self._restart()

    def _restart(self) -> None:
        """Make all blocks anew; ownership and look-up start together, so neither can survive the other."""
        self.blocks = [CacheBlock(i) for i in range(1 if self.max_blocks is None else self.max_blocks)]
        self.null_block = self.blocks[NULL_BLOCK_ID]
        self.null_block.is_null = True
        self.null_block.ref_count = 1
        self.hash_to_block = BlockHashToBlockMap()
        self.siblings = SiblingIndex()
        self._blank = FreeKVCacheBlockQueue(self.blocks[1:])
        self._lru = FreeKVCacheBlockQueue()
        self._bytes = 0
        self._lru_bytes = 0
        self._tokens = 0
        self._shared = 0

    @property
    def free_blocks(self) -> int:
        """Blocks without owners, blank or still findable."""
        return self._blank.num_free_blocks + self._lru.num_free_blocks

    @property
    def allocated_blocks(self) -> dict[int, CacheBlock]:
        """Blocks with owners, the null block among them, by id."""
        with self.lock:
            return {block.block_id: block for block in self.blocks if block.ref_count > 0}

    @property
    def usage(self) -> float:
        """Share of the blocks that have owners, 0..1; the null block does not count."""
        usable = len(self.blocks) - 1
        return 1.0 - self.free_blocks / usable if usable else 0.0

    @property
    def nbytes(self) -> int:
        """Bytes that all blocks hold."""
        return self._bytes

    @property
    def pinned_bytes(self) -> int:
        """Bytes in blocks with owners, which no eviction can free."""
        return self._bytes - self._lru_bytes

    # --- ownership -------------------------------------------------------------------------------------------------

    def get_new_blocks(self, n: int) -> list[CacheBlock]:
        """Return ``n`` blank blocks with one owner each, evicting the least recently used if none are blank.

        Raises:
            ValueError: there are not enough free blocks, or ``n`` is negative; nothing changed.
        """
        with self.lock:
            self._grow(n)
            if not 0 <= n <= self.free_blocks:
                raise ValueError(f"{n} blocks were asked for, {self.free_blocks} are free")
            blank = min(n, self._blank.num_free_blocks)
            blocks = self._blank.popleft_n(blank)
            for block in self._lru.popleft_n(n - blank):
                self._lru_bytes -= block.nbytes
                self._empty(block, "count")
                blocks.append(block)
            for block in blocks:
                assert block.is_blank
                assert block.ref_count == 0
                block.ref_count = 1
                block.touch()
            return blocks

    def touch(self, blocks: Iterable[CacheBlock]) -> None:
        """Add one owner to each block, taking it out of the free queue if it had none.

        Raises:
            ValueError: a block without owners holds nothing; no block changed.
        """
        with self.lock:
            wanted = [block for block in blocks if not block.is_null]
            for block in wanted:
                if block.ref_count == 0 and block.block_hash is None:
                    raise ValueError(f"block {block.block_id} is free and not findable")
            for block in wanted:
                self._retain(block)

    def free_block_batch(self, blocks: Iterable[CacheBlock]) -> int:
        """Take one owner from each block; return how many have none left. The first ones are evicted first.

        Raises:
            ValueError: some block has fewer owners than it is named; no block changed.
        """
        with self.lock:
            wanted = [block for block in blocks if not block.is_null]
            for block_id, times in Counter(block.block_id for block in wanted).items():
                if self.blocks[block_id].ref_count < times:
                    raise ValueError(f"block {block_id} would be released more often than it is owned")
            released = sum(self._release(block) for block in wanted)
            self._enforce_limit("limit_lowered")
            return released

    def increment_ref(self, block_id: int) -> bool:
        """Add an owner; ``False`` where the block does not exist, is the null block, or holds nothing."""
        with self.lock:
            block = self._known(block_id)
            if block is None or (block.ref_count == 0 and block.block_hash is None):
                return False
            self._retain(block)
            return True

    def free_block(self, block_id: int) -> bool:
        """Take an owner away; ``True`` if it was the last, so that the block is free now."""
        with self.lock:
            block = self._known(block_id)
            if block is None or block.ref_count == 0:
                return False
            return self.free_block_batch([block]) == 1

    def decrement_ref(self, block_id: int) -> bool:
        """Same as :meth:`free_block`."""
        return self.free_block(block_id)

    # --- content ---------------------------------------------------------------------------------------------------

    def write(self, block: CacheBlock, data: Any, nbytes: int | None = None) -> None:
        """Put ``data`` into an owned block; its bytes are charged, those of what it replaces refunded.

        Raises:
            ValueError: the block has no owner, or the bytes do not fit; nothing changed.
        """
        size = nested_nbytes(data) if nbytes is None else nbytes
        with self.lock:
            if block.ref_count == 0 or block.is_null:
                raise ValueError(f"block {block.block_id} has no owner to write for")
            if not self.make_room(size - block.nbytes):
                raise ValueError(f"{size} bytes do not fit into {self.max_bytes}, {self.pinned_bytes} of them in use")
            self._bytes += size - block.nbytes
            block.cache_data, block.nbytes = data, size

    def make_room(self, nbytes: int) -> bool:
        """Evict until ``nbytes`` more fit; ``False``, with nothing evicted, where that is impossible."""
        with self.lock:
            if self.max_bytes is None:
                return True
            if self.pinned_bytes + nbytes > self.max_bytes:
                return False
            self._evict_while(lambda: self._bytes + nbytes > (self.max_bytes or 0), "memory")
            return True

    def set_max_bytes(self, max_bytes: int) -> None:
        """Change the byte limit now, evicting what has no owners; owned blocks follow when they are released.

        Raises:
            ValueError: the limit is negative.
        """
        if max_bytes < 0:
            raise ValueError(f"{max_bytes} is not a number of bytes")
        with self.lock:
            self.max_bytes = max_bytes
            self._enforce_limit("limit_lowered")

    def evict_lru_blocks(self, n: int) -> int:
        """Empty up to ``n`` of the least recently used free blocks; return how many."""
        with self.lock:
            n = max(0, min(n, self._lru.num_free_blocks))
            for _ in range(n):
                self._evict_first("memory")
            return n

    def handle_memory_pressure(self, n: int) -> bool:
        """Make ``n`` blocks blank and ready; ``False``, with nothing evicted, where there are not that many free."""
        with self.lock:
            self._grow(n)
            if n > self.free_blocks:
                return False
            self.evict_lru_blocks(n - self._blank.num_free_blocks)
            return True

    def evict(self, blocks: Iterable[CacheBlock], reason: EvictionReason) -> int:
        """Empty those of ``blocks`` that have no owners; return how many."""
        with self.lock:
            victims = [b for b in blocks if b.ref_count == 0 and not b.is_null and not b.is_blank]
            for block in victims:
                self._evict(block, reason)
            return len(victims)

    # --- look-up ---------------------------------------------------------------------------------------------------

    def publish(self, block: CacheBlock, block_hash: bytes, parent_hash: bytes | None, path: TokenPath) -> None:
        """Make an owned block findable as ``path`` under (``block_hash``, its group).

        Raises:
            ValueError: the block has no owner, or is findable already.
        """
        with self.lock:
            if not self.enable_caching:
                return
            if block.ref_count == 0 or block.is_null or block.block_hash is not None:
                raise ValueError(f"block {block.block_id} cannot be published")
            block.block_hash, block.parent_hash, block.path = block_hash, parent_hash, path
            self.count_tokens(block, len(path.tokens))
            self.hash_to_block.insert((block_hash, block.group_id), block)
            self.siblings.insert((parent_hash, block.group_id), block)

    def withdraw(self, block: CacheBlock) -> None:
        """Make a block private again."""
        with self.lock:
            if block.block_hash is not None:
                self.hash_to_block.pop((block.block_hash, block.group_id), block.block_id)
                self.siblings.remove((block.parent_hash, block.group_id), block)
                block.reset_hash()

    def find(self, block_hash: bytes, group_id: int, path: TokenPath) -> CacheBlock | None:
        """Return the findable block of this hash that really stands for ``path``; of twins, the one with most rows."""
        best: CacheBlock | None = None
        for block in self.hash_to_block.get_blocks((block_hash, group_id)):
            if path.same_as(block.path) and (best is None or block.skipped < best.skipped):
                best = block
        return best

    def candidates(
        self, parent_hash: bytes | None, group_id: int, tokens: tuple[int, ...], before: TokenPath | None
    ) -> Iterator[tuple[CacheBlock, int]]:
        """Yield blocks after ``before`` that share leading tokens with ``tokens``, with how many, most first."""
        for block, shared in self.siblings.by_common_prefix((parent_hash, group_id), tokens):
            if block.path is not None and same_path(block.path.parent, before):
                yield block, shared

    def prefixes(
        self, parent_hash: bytes | None, group_id: int, tokens: tuple[int, ...], before: TokenPath | None
    ) -> Iterator[CacheBlock]:
        """Yield blocks after ``before`` whose tokens are a prefix of ``tokens``, longest first."""
        for block in self.siblings.prefixes((parent_hash, group_id), tokens):
            if block.path is not None and same_path(block.path.parent, before):
                yield block

    def get_cached_block(self, block_hash: bytes, group_id: int = 0) -> CacheBlock | None:
        """Return a findable block of this hash, unverified."""
        with self.lock:
            return self.hash_to_block.get_block((block_hash, group_id))

    def count_tokens(self, block: CacheBlock, tokens: int) -> None:
        """Say for how many tokens ``block`` stands, for the statistics."""
        self._tokens += tokens - block.counted_tokens
        block.token_count = block.counted_tokens = tokens

    # --- inside ----------------------------------------------------------------------------------------------------

    def _known(self, block_id: int) -> CacheBlock | None:
        return self.blocks[block_id] if NULL_BLOCK_ID < block_id < len(self.blocks) else None

    def _grow(self, n: int) -> None:
        """Where only bytes are limited, make up for missing blank blocks."""
        missing = n - self._blank.num_free_blocks
        if self.max_blocks is None and missing > 0:
            fresh = [CacheBlock(len(self.blocks) + i) for i in range(missing)]
            self.blocks.extend(fresh)
            self._blank.append_n(fresh)

    def _retain(self, block: CacheBlock) -> None:
        if block.ref_count == 0:
            self._lru.remove(block)
            self._lru_bytes -= block.nbytes
        block.ref_count += 1
        self._shared += block.ref_count == 2
        block.touch()

    def _release(self, block: CacheBlock) -> bool:
        self._shared -= block.ref_count == 2
        block.ref_count -= 1
        if block.ref_count:
            return False
        if block.is_blank:
            self._blank.append(block)
            return True
        self._lru_bytes += block.nbytes
        if block.block_hash is not None:
            self._lru.append(block)
        else:  # nobody can find it any more, so it goes first
            self._lru.prepend(block)
        return True

    def _enforce_limit(self, reason: EvictionReason) -> None:
        limit = self.max_bytes
        if limit is not None:
            self._evict_while(lambda: self._bytes > limit, reason)

    def _evict_while(self, excess: Callable[[], bool], reason: EvictionReason) -> None:
        while self._lru.num_free_blocks and excess():
            self._evict_first(reason)

    def _evict_first(self, reason: EvictionReason) -> None:
        block = self._lru.popleft()
        self._lru.prepend(block)
        self._evict(block, reason)

    def _evict(self, block: CacheBlock, reason: EvictionReason) -> None:
        self._lru.remove(block)
        self._lru_bytes -= block.nbytes
        self._empty(block, reason)
        self._blank.append(block)

    def _empty(self, block: CacheBlock, reason: EvictionReason) -> None:
        """Forget what a block without owners holds, telling the hook first, while it can still be read."""
        assert block.ref_count == 0
        assert not block.is_null
        if block.block_hash is not None:
            self._tell(block, reason)
            self.withdraw(block)
        self._bytes -= block.nbytes
        self.count_tokens(block, 0)
        block.cache_data, block.nbytes, block.skipped = None, 0, 0
        block.group_id, block.namespace = 0, ""
        assert block.is_blank

    def _tell(self, block: CacheBlock, reason: EvictionReason) -> None:
        """Count a findable block that goes, and call the hook."""
        if self.on_evict is not None:
            self.on_evict(block, reason)
        self.evictions[reason] += 1

    # --- invariants ------------------------------------------------------------------------------------------------

    def check_invariants(self) -> None:
        """Assert everything the pool promises, in O(blocks); meant for tests."""
        with self.lock:
            blank, lru = self._blank.get_all_free_blocks(), self._lru.get_all_free_blocks()
            free = {block.block_id for block in (*blank, *lru)}
            used = {block.block_id for block in self.blocks if block.ref_count > 0}
            assert len(free) == len(blank) + len(lru) == self.free_blocks
            assert not free & used
            assert len(free) + len(used) == len(self.blocks)
            assert self.null_block.ref_count == 1
            assert NULL_BLOCK_ID not in free
            assert all(block.is_blank for block in blank)
            assert not any(block.is_blank for block in lru)
            self._check_sums(lru)
            self._check_look_up()

    def _check_sums(self, lru: Sequence[CacheBlock]) -> None:
        assert self._bytes == sum(block.nbytes for block in self.blocks)
        assert self._lru_bytes == sum(block.nbytes for block in lru)
        assert self._tokens == sum(block.counted_tokens for block in self.blocks)
        assert self._shared == sum(block.ref_count > 1 for block in self.blocks)
        assert self.max_bytes is None or self._bytes <= max(self.max_bytes, self.pinned_bytes)

    def _check_look_up(self) -> None:
        findable = [block for block in self.blocks if block.block_hash is not None]
        for block in findable:
            key = (block.block_hash, block.group_id)
            assert block in list(self.hash_to_block.get_blocks(key))
            assert block in self.siblings.family((block.parent_hash, block.group_id))
        assert len(self.siblings) == len(findable)
        assert len(self.hash_to_block) == len({(block.block_hash, block.group_id) for block in findable})
