"""The paged cache manager: the block pool with block tables, forks, copy-on-write and statistics.

Names and meanings follow the documented block API of vllm-mlx and vLLM v1. The manager knows nothing of layers: what a
block holds is opaque here (:mod:`app.cache.blocks` puts tensors into it).
"""

from __future__ import annotations

import copy
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.cache.block import BlockTable, CacheBlock
from app.cache.block_hash import PromptChain, compute_block_hash
from app.cache.block_index import BlockHashToBlockMap
from app.cache.block_pool import BlockPool
from app.cache.block_queue import FreeKVCacheBlockQueue

__all__ = [
    "BlockHashToBlockMap",
    "BlockTable",
    "CacheBlock",
    "CacheStats",
    "FreeKVCacheBlockQueue",
    "PagedCacheManager",
    "compute_block_hash",
]


@dataclass(slots=True)
class CacheStats:
    """Sizes of the pool now, and counters since the last reset.

    Attributes:
        total_blocks: all blocks, the null block among them.
        allocated_blocks: blocks with owners, the null block among them; with ``free_blocks`` they make the total.
        free_blocks: blocks without owners, findable or blank.
        shared_blocks: blocks with more than one owner.
        total_tokens_cached: tokens that findable and tabled blocks stand for.
        cache_hits: look-ups that found at least one block.
        cache_misses: look-ups that found none.
        cow_copies: blocks copied because they were shared.
        evictions: findable blocks emptied, whatever the reason.
    """

    total_blocks: int = 0
    allocated_blocks: int = 0
    free_blocks: int = 0
    shared_blocks: int = 0
    total_tokens_cached: int = 0
    cache_hits: int = 0
    cache_misses: int = 0
    cow_copies: int = 0
    evictions: int = 0


@dataclass(slots=True)
class _Counters:
    cache_hits: int = 0
    cache_misses: int = 0
    cow_copies: int = 0
    evicted_before: int = 0


class PagedCacheManager(BlockPool):
    """Blocks, and the tables of the sequences made of them.

    Attributes:
        request_tables: block tables by request.
        namespace: identity digest whose blocks :meth:`get_computed_blocks` and :meth:`cache_full_blocks` mean.
    """

    def __init__(
        self,
        block_size: int = 64,
        max_blocks: int | None = 1000,
        enable_caching: bool = True,
        *,
        max_bytes: int | None = None,
    ) -> None:
        self.request_tables: dict[str, BlockTable] = {}
        self.namespace = ""
        self._counters = _Counters()
        super().__init__(block_size, max_blocks, enable_caching, max_bytes=max_bytes)

    # --- allocation ------------------------------------------------------------------------------------------------

    def allocate_block(self) -> CacheBlock | None:
        """Return a blank block with one owner, or ``None`` where all blocks have owners."""
        with self.lock:
            self._grow(1)
            return self.get_new_blocks(1)[0] if self.free_blocks else None

    def allocate_blocks_for_tokens(self, n: int) -> list[CacheBlock]:
        """Return blank blocks for ``n`` tokens.

        Raises:
            ValueError: there are not enough; nothing changed.
        """
        return self.get_new_blocks(-(-n // self.block_size))

    # --- look-up ---------------------------------------------------------------------------------------------------

    def cache_full_blocks(
        self, blocks: Sequence[CacheBlock], token_ids: Sequence[int], num_cached_blocks: int, num_full_blocks: int
    ) -> None:
        """Make ``blocks[num_cached_blocks:num_full_blocks]``, which hold the tokens of their places, findable.

        Raises:
            ValueError: the numbers do not fit blocks and tokens, or a block has no owner or is findable; none changed.
        """
        chain = PromptChain(token_ids, self.block_size, self.namespace)
        with self.lock:
            if not 0 <= num_cached_blocks <= num_full_blocks <= min(len(blocks), len(chain) // self.block_size):
                raise ValueError(f"no blocks {num_cached_blocks}..{num_full_blocks} for {len(chain)} tokens")
            new = list(blocks[num_cached_blocks:num_full_blocks])
            if any(block.ref_count == 0 or block.is_null or block.block_hash is not None for block in new):
                raise ValueError("a block has no owner or is findable already")
            for i, block in enumerate(new, num_cached_blocks):
                block.namespace = self.namespace
                self.publish(block, chain.hash_of(i), chain.hash_before(i), chain.path_to(i))

    def get_computed_blocks(self, token_ids: Sequence[int]) -> tuple[list[CacheBlock], int]:
        """Return the full blocks that hold the longest stored prefix, and its number of tokens. Adds no owners."""
        chain = PromptChain(token_ids, self.block_size, self.namespace)
        with self.lock:
            blocks = list(self._walk(chain))
            self._counters.cache_hits += bool(blocks)
            self._counters.cache_misses += not blocks
            return blocks, len(blocks) * self.block_size

    def find_shared_prefix(self, tokens: Sequence[int]) -> tuple[list[int], list[int]]:
        """Return the ids of the stored prefix's blocks and the tokens still to run, of which one is always left."""
        blocks, _ = self.get_computed_blocks(tokens[: max(0, len(tokens) - 1)])
        return [block.block_id for block in blocks], list(tokens[len(blocks) * self.block_size :])

    def _walk(self, chain: PromptChain) -> Iterator[CacheBlock]:
        for i in range(len(chain) // self.block_size):
            block = self.find(chain.hash_of(i), 0, chain.path_to(i))
            if block is None:
                return
            yield block

    # --- tables ----------------------------------------------------------------------------------------------------

    def create_block_table(self, request_id: str) -> BlockTable:
        """Return a new, empty table; one that the request had before is deleted."""
        with self.lock:
            self.delete_block_table(request_id)
            table = self.request_tables[request_id] = BlockTable(request_id)
            return table

    def get_block_table(self, request_id: str) -> BlockTable | None:
        """Return the request's table."""
        with self.lock:
            return self.request_tables.get(request_id)

    def get_or_create_block_table(self, request_id: str) -> BlockTable:
        """Return the request's table, made if need be."""
        with self.lock:
            table = self.request_tables.get(request_id)
            return self.create_block_table(request_id) if table is None else table

    def delete_block_table(self, request_id: str) -> bool:
        """Release all blocks of a request; ``False`` if it had no table."""
        with self.lock:
            table = self.request_tables.pop(request_id, None)
            if table is None:
                return False
            self.free_block_batch([self.blocks[block_id] for block_id in table.all_ids()])
            return True

    def adopt_block_table(self, table: BlockTable) -> None:
        """Register a table whose blocks the caller owns; the ownership passes to the table."""
        with self.lock:
            self.delete_block_table(table.request_id)
            self.request_tables[table.request_id] = table

    def add_block_to_table(self, table: BlockTable, block: CacheBlock, tokens_in_block: int) -> None:
        """Append an owned block to ``table``, which takes over the caller's ownership.

        Raises:
            ValueError: the block has no owner, or more tokens than fit.
        """
        with self.lock:
            if block.ref_count == 0 or not 0 <= tokens_in_block <= self.block_size:
                raise ValueError(f"block {block.block_id} cannot stand for {tokens_in_block} tokens of a table")
            if block.block_hash is None:
                self.count_tokens(block, tokens_in_block)
            table.add_block(block.block_id, tokens_in_block)

    def fork_block_table(self, table: BlockTable, new_request_id: str) -> BlockTable:
        """Return a table of the same blocks for another request; every block gains an owner, nothing is copied.

        Raises:
            ValueError: the request is the same, or a block has been freed; nothing changed.
        """
        with self.lock:
            if new_request_id == table.request_id:
                raise ValueError(f"{new_request_id} cannot be forked from itself")
            fork = table.copy(new_request_id)
            self.touch(self.blocks[block_id] for block_id in table.all_ids())
            self.adopt_block_table(fork)
            return fork

    def get_blocks_for_generation(self, table: BlockTable) -> tuple[list[CacheBlock], bool]:
        """Return the table's blocks for writing, and whether some had to be copied because others own them too.

        A copy is private: it is not findable, and shares no list and no array with its original.

        Raises:
            ValueError: there are not enough free blocks or bytes for the copies; nothing changed.
        """
        with self.lock:
            blocks = [self.blocks[block_id] for block_id in table.block_ids]
            shared = [i for i, block in enumerate(blocks) if block.is_shared() and not block.is_null]
            copied = self._copy_blocks([blocks[i] for i in shared])
            for i, block in zip(shared, copied, strict=True):
                self.free_block_batch([blocks[i]])
                blocks[i] = block
                table.block_ids[i] = block.block_id
            self._counters.cow_copies += len(shared)
            return blocks, bool(shared)

    def _copy_blocks(self, sources: Sequence[CacheBlock]) -> list[CacheBlock]:
        refusal = f"no room for copies of {len(sources)} shared blocks"
        needed = sum(block.nbytes for block in sources)
        if self.max_bytes is not None and self.pinned_bytes + needed > self.max_bytes:
            raise ValueError(refusal)  # before the pool grows: a refusal changes nothing
        contents = [copy.deepcopy(block.cache_data) for block in sources]
        self._grow(len(sources))
        if len(sources) > self.free_blocks or not self.make_room(needed):
            raise ValueError(refusal)
        copies = self.get_new_blocks(len(sources))
        for block, source, content in zip(copies, sources, contents, strict=True):
            self.write(block, content, source.nbytes)
            block.group_id, block.skipped = source.group_id, source.skipped
            self.count_tokens(block, source.token_count)
        return copies

    # --- statistics and resets -------------------------------------------------------------------------------------

    @property
    def stats(self) -> CacheStats:
        """Same as :meth:`get_stats`."""
        return self.get_stats()

    def get_stats(self) -> CacheStats:
        """Return sizes and counters of one moment."""
        with self.lock:
            counters = self._counters
            return CacheStats(
                total_blocks=len(self.blocks),
                allocated_blocks=len(self.blocks) - self.free_blocks,
                free_blocks=self.free_blocks,
                shared_blocks=self._shared,
                total_tokens_cached=self._tokens,
                cache_hits=counters.cache_hits,
                cache_misses=counters.cache_misses,
                cow_copies=counters.cow_copies,
                evictions=self.evictions.total() - counters.evicted_before,
            )

    def get_memory_usage(self) -> dict[str, Any]:
        """Return block counts, ``utilization`` (blocks with owners per block), and bytes held and allowed."""
        stats = self.get_stats()
        return {
            "block_size": self.block_size,
            "max_blocks": self.max_blocks,
            "total_blocks": stats.total_blocks,
            "allocated_blocks": stats.allocated_blocks,
            "free_blocks": stats.free_blocks,
            "utilization": stats.allocated_blocks / stats.total_blocks,
            "total_tokens_cached": stats.total_tokens_cached,
            "nbytes": self.nbytes,
            "max_bytes": self.max_bytes,
        }

    def reset_stats(self) -> None:
        """Zero the counters, never the sizes."""
        with self.lock:
            self._counters = _Counters(evicted_before=self.evictions.total())

    def reset_prefix_cache(self) -> bool:
        """Empty every findable block; ``False``, with nothing changed, while any block has an owner."""
        with self.lock:
            if self.free_blocks != len(self.blocks) - 1:
                return False
            self.evict(self._lru.get_all_free_blocks(), "cleared")
            return True

    def clear(self) -> None:
        """Forget everything: contents, look-up, owners and tables together, telling the hook.

        Blocks handed out before belong to no pool any more.
        """
        with self.lock:
            for block in self.blocks:
                if block.block_hash is not None:
                    self._tell(block, "cleared")
            self.request_tables.clear()
            for block in self.blocks:  # they are linked in circles, so their content would wait for the collector
                block.cache_data = None
            self._restart()
