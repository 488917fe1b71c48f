"""A block of KV state, and the table that says which blocks make up a sequence."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from app.cache.block_hash import TokenPath

NULL_BLOCK_ID = 0


@dataclass(slots=True, eq=False)
class CacheBlock:
    """The unit in which KV state is kept, shared and evicted: up to ``block_size`` tokens of one layer group.

    Attributes:
        block_id: position in the pool; 0 is the null block, which stands for "not needed here".
        ref_count: owners; a block without owners lies in one of the pool's free queues.
        block_hash: chain hash under which look-ups find it; ``None`` while it is private.
        token_count: tokens it stands for.
        cache_data: what it holds, opaque to the pool.
        group_id: layer group; the pool's key is (block_hash, group_id).
        parent_hash: chain hash of what stands before it.
        path: its tokens and everything before them, for checking a hit against tokens.
        skipped: leading tokens whose rows are absent because they had left the window.
        namespace: identity digest that it belongs to.
        nbytes: bytes of ``cache_data`` as charged to the pool.
    """

    block_id: int
    ref_count: int = 0
    block_hash: bytes | None = None
    token_count: int = 0
    cache_data: Any = None
    is_null: bool = False
    group_id: int = 0
    parent_hash: bytes | None = None
    path: TokenPath | None = None
    skipped: int = 0
    namespace: str = ""
    nbytes: int = 0
    last_access: float = field(default_factory=time.monotonic)
    counted_tokens: int = field(default=0, repr=False)
    prev_free_block: CacheBlock | None = field(default=None, repr=False)
    next_free_block: CacheBlock | None = field(default=None, repr=False)

    def is_full(self, block_size: int) -> bool:
        """Whether it has no room for another token."""
        return self.token_count >= block_size

    def is_shared(self) -> bool:
        """Whether it has more than one owner."""
        return self.ref_count > 1

    def reset_hash(self) -> None:
        """Make it private: no chain hash, no place among siblings."""
        self.block_hash = None
        self.parent_hash = None
        self.path = None

    def touch(self) -> None:
        """Note that it was used now."""
        self.last_access = time.monotonic()

    @property
    def tokens(self) -> tuple[int, ...]:
        """The tokens under which it is found; empty while it is private."""
        return self.path.tokens if self.path is not None else ()

    @property
    def is_blank(self) -> bool:
        """Whether it holds and stands for nothing."""
        return self.block_hash is None and self.cache_data is None and self.token_count == 0


@dataclass(slots=True)
class BlockTable:
    """The blocks of one sequence.

    Attributes:
        request_id: whose sequence it is.
        block_ids: blocks of the first layer group, in order; the last one may be used in part.
        num_tokens: tokens that the table stands for.
        other_groups: blocks of further layer groups, by group id, in order; 0 where a group needs nothing.
        tail: path of the last block when the table was made; a block that was given away since has another.
    """

    request_id: str
    block_ids: list[int] = field(default_factory=list)
    num_tokens: int = 0
    other_groups: dict[int, list[int]] = field(default_factory=dict)
    tail: TokenPath | None = field(default=None, repr=False, compare=False)

    def add_block(self, block_id: int, num_tokens: int) -> None:
        """Append a block that stands for ``num_tokens`` more tokens."""
        self.block_ids.append(block_id)
        self.num_tokens += num_tokens

    def copy(self, new_request_id: str) -> BlockTable:
        """Return an independent table of the same blocks; ownership is the pool's affair."""
        others = {group: list(ids) for group, ids in self.other_groups.items()}
        return BlockTable(new_request_id, list(self.block_ids), self.num_tokens, others, self.tail)

    def all_ids(self) -> Iterator[int]:
        """Iterate over the real blocks of all groups, those nearest the end of the sequence first.

        Released in this order, the ends of a chain are evicted before its beginning, which more prompts share.
        """
        rows = [self.block_ids, *self.other_groups.values()]
        for i in reversed(range(max(map(len, rows)))):
            for ids in rows:
                if i < len(ids) and ids[i] != NULL_BLOCK_ID:
                    yield ids[i]

    def __len__(self) -> int:
        return len(self.block_ids)
