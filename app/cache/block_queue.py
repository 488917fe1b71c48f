"""The free queue: a doubly linked list through the blocks themselves, so that any block leaves it in O(1).

The structure follows vLLM v1's free block queue; Python's ``OrderedDict`` would do the same with an entry per block.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from app.cache.block import CacheBlock

_SENTINEL_ID = -1


class FreeKVCacheBlockQueue:
    """Blocks without owners, the next one to be given away first.

    Attributes:
        num_free_blocks: length of the queue.
    """

    def __init__(self, blocks: Sequence[CacheBlock] = ()) -> None:
        self.num_free_blocks = 0
        self._head = CacheBlock(_SENTINEL_ID)
        self._tail = CacheBlock(_SENTINEL_ID)
        _link(self._head, self._tail)
        self.append_n(blocks)

    def __len__(self) -> int:
        return self.num_free_blocks

    def __contains__(self, block: CacheBlock) -> bool:
        """Whether ``block`` is linked into a queue; a block is never in two."""
        return block.next_free_block is not None

    def popleft(self) -> CacheBlock:
        """Remove and return the first block.

        Raises:
            ValueError: the queue is empty.
        """
        return self.popleft_n(1)[0]

    def popleft_n(self, n: int) -> list[CacheBlock]:
        """Remove and return the first ``n`` blocks.

        Raises:
            ValueError: there are fewer; nothing changed.
        """
        if not 0 <= n <= self.num_free_blocks:
            raise ValueError(f"{n} blocks were asked of a queue of {self.num_free_blocks}")
        taken = []
        for _ in range(n):
            block = self._head.next_free_block
            assert block is not None
            self.remove(block)
            taken.append(block)
        return taken

    def remove(self, block: CacheBlock) -> None:
        """Take ``block`` out of the queue.

        Raises:
            ValueError: it is in no queue.
        """
        before, after = block.prev_free_block, block.next_free_block
        if before is None or after is None:
            raise ValueError(f"block {block.block_id} is in no free queue")
        _link(before, after)
        block.prev_free_block = block.next_free_block = None
        self.num_free_blocks -= 1

    def append(self, block: CacheBlock) -> None:
        """Put ``block`` at the end: it is given away last.

        Raises:
            ValueError: it is in a queue already.
        """
        last = self._tail.prev_free_block
        assert last is not None
        self._insert(last, block, self._tail)

    def append_n(self, blocks: Iterable[CacheBlock]) -> None:
        """Put ``blocks`` at the end, in order."""
        for block in blocks:
            self.append(block)

    def prepend(self, block: CacheBlock) -> None:
        """Put ``block`` at the front: it is given away next.

        Raises:
            ValueError: it is in a queue already.
        """
        first = self._head.next_free_block
        assert first is not None
        self._insert(self._head, block, first)

    def get_all_free_blocks(self) -> list[CacheBlock]:
        """Return the blocks from first to last."""
        blocks = []
        block = self._head.next_free_block
        while block is not None and block is not self._tail:
            blocks.append(block)
            block = block.next_free_block
        return blocks

    def _insert(self, before: CacheBlock, block: CacheBlock, after: CacheBlock) -> None:
        if block in self:
            raise ValueError(f"block {block.block_id} is in a free queue already")
        _link(before, block)
        _link(block, after)
        self.num_free_blocks += 1


def _link(left: CacheBlock, right: CacheBlock) -> None:
    left.next_free_block = right
    right.prev_free_block = left
