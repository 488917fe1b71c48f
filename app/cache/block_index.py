"""Two ways to find a block: by its chain hash, and among the siblings that follow the same parent."""

from __future__ import annotations

import sys
from bisect import bisect_left, bisect_right, insort
from collections.abc import Hashable, Iterator

from app.cache.block import CacheBlock
from app.cache.index import common_length

_LAST_ID = sys.maxsize


class BlockHashToBlockMap:
    """Chain hash to blocks. Equal content may exist twice, since a block is never renamed once it was handed out."""

    def __init__(self) -> None:
        self._blocks: dict[Hashable, dict[int, CacheBlock]] = {}

    def __len__(self) -> int:
        return len(self._blocks)

    def get_block(self, block_hash: Hashable) -> CacheBlock | None:
        """Return a block of this hash, the one inserted first."""
        return next(self.get_blocks(block_hash), None)

    def get_blocks(self, block_hash: Hashable) -> Iterator[CacheBlock]:
        """Iterate over all blocks of this hash."""
        return iter(self._blocks.get(block_hash, {}).values())

    def insert(self, block_hash: Hashable, block: CacheBlock) -> None:
        """Make ``block`` findable."""
        self._blocks.setdefault(block_hash, {})[block.block_id] = block

    def pop(self, block_hash: Hashable, block_id: int) -> CacheBlock | None:
        """Make one block unfindable and return it; ``None`` if it was not to be found."""
        same = self._blocks.get(block_hash, {})
        block = same.pop(block_id, None)
        if not same:
            self._blocks.pop(block_hash, None)
        return block

    def clear(self) -> None:
        """Forget all."""
        self._blocks.clear()


class SiblingIndex:
    """Blocks by what stands before them, in the order of their tokens.

    The hash finds whole blocks only. Where a prompt leaves a stored sequence inside a block, or a stored sequence ended
    with an unfilled block, the neighbours in token order are those that share most.
    """

    def __init__(self) -> None:
        self._families: dict[Hashable, list[tuple[tuple[int, ...], int]]] = {}
        self._blocks: dict[int, CacheBlock] = {}

    def __len__(self) -> int:
        return len(self._blocks)

    def insert(self, parent: Hashable, block: CacheBlock) -> None:
        """Add ``block``, whose tokens must not change while it is here."""
        insort(self._families.setdefault(parent, []), (block.tokens, block.block_id))
        self._blocks[block.block_id] = block

    def remove(self, parent: Hashable, block: CacheBlock) -> None:
        """Take ``block`` out; one that is not here is no error."""
        if self._blocks.pop(block.block_id, None) is None:
            return
        family = self._families[parent]
        del family[bisect_left(family, (block.tokens, block.block_id))]
        if not family:
            del self._families[parent]

    def clear(self) -> None:
        """Forget all."""
        self._families.clear()
        self._blocks.clear()

    def family(self, parent: Hashable) -> list[CacheBlock]:
        """Return all blocks that follow ``parent``, in token order."""
        return [self._blocks[block_id] for _, block_id in self._families.get(parent, ())]

    def by_common_prefix(self, parent: Hashable, tokens: tuple[int, ...]) -> Iterator[tuple[CacheBlock, int]]:
        """Yield blocks with the number of leading tokens shared with ``tokens``, most first, none without any.

        Sorted neighbours share most, so two pointers walk outwards from where ``tokens`` would stand.
        """
        family = self._families.get(parent, [])
        right = bisect_left(family, (tokens, -1))
        left = right - 1
        left_shared = _shared(family, left, tokens)
        right_shared = _shared(family, right, tokens)
        while left_shared or right_shared:
            if right_shared >= left_shared:
                yield self._blocks[family[right][1]], right_shared
                right += 1
                right_shared = _shared(family, right, tokens)
            else:
                yield self._blocks[family[left][1]], left_shared
                left -= 1
                left_shared = _shared(family, left, tokens)

    def prefixes(self, parent: Hashable, tokens: tuple[int, ...]) -> Iterator[CacheBlock]:
        """Yield the blocks whose tokens are a prefix of ``tokens``, longest first."""
        family = self._families.get(parent, [])
        position = bisect_right(family, (tokens, _LAST_ID))
        while position > 0:
            candidate, block_id = family[position - 1]
            shared = common_length(candidate, tokens)
            if shared == len(candidate):
                yield self._blocks[block_id]
                position -= 1
            else:  # a longer prefix would stand between this neighbour and ``tokens``
                tokens = tokens[:shared]
                position = bisect_right(family, (tokens, _LAST_ID))


def _shared(family: list[tuple[tuple[int, ...], int]], position: int, tokens: tuple[int, ...]) -> int:
    return common_length(family[position][0], tokens) if 0 <= position < len(family) else 0
