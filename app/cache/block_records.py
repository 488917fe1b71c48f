"""Which sequences the pool holds, by their tokens and by the blocks without which they break."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from app.cache.block_hash import PromptChain
from app.cache.index import Match, PrefixIndex
from app.cache.protocols import PROMPT, Ending
from app.cache.superseding import at_once, spent, surplus


@dataclass(slots=True, eq=False)
class Record:
    """One stored sequence.

    Attributes:
        chain: its tokens, and hashes and paths that prompts which begin alike take over.
        persist: whether it may go to disk.
        ending: what its tokens end with.
        blocks: ids of blocks that only sequences ending here or nearby need: the tail, window rows, states.
    """

    chain: PromptChain
    persist: bool = True
    ending: Ending = PROMPT
    blocks: set[int] = field(default_factory=set)

    @property
    def namespace(self) -> str:
        """Identity digest."""
        return self.chain.namespace

    @property
    def tokens(self) -> tuple[int, ...]:
        """Salted tokens."""
        return self.chain.tokens


class Records:
    """All stored sequences. Not locked: the owner's lock covers it."""

    def __init__(self) -> None:
        self.index: PrefixIndex[Record] = PrefixIndex()
        self._by_block: dict[int, set[Record]] = {}

    def __len__(self) -> int:
        return len(self.index)

    def __iter__(self) -> Iterator[Record]:
        return (entry.value for _, entry in self.index)

    def knows(self, namespace: str) -> bool:
        """Whether anything of this identity is stored."""
        return next(self.index.entries(namespace), None) is not None

    def of_namespace(self, namespace: str) -> list[Record]:
        """Return the records of one identity."""
        return [entry.value for entry in self.index.entries(namespace)]

    def add(self, record: Record) -> None:
        """Add ``record``; one with the same tokens is replaced, and what it was allowed stays allowed."""
        replaced = self.index.insert(record.namespace, record.tokens, record)
        if replaced is not None:
            record.persist |= replaced.persist
            record.ending = at_once(record.ending, replaced.ending)
            self._unlink(replaced)
        for block_id in record.blocks:
            self._by_block.setdefault(block_id, set()).add(record)

    def remove(self, record: Record) -> None:
        """Forget ``record``."""
        self.index.remove(record.namespace, record.tokens)
        self._unlink(record)

    def needing(self, block_id: int) -> set[Record]:
        """Return the records that break without this block."""
        return set(self._by_block.get(block_id, ()))

    def only_needed_by(self, record: Record) -> set[int]:
        """Return the blocks that no other record needs."""
        return {block_id for block_id in record.blocks if self._by_block[block_id] == {record}}

    def move(self, old_block: int, new_block: int) -> None:
        """Let the records that need one block need another, which holds the same and more."""
        for record in self.needing(old_block):
            record.blocks.discard(old_block)
            record.blocks.add(new_block)
            self._by_block.setdefault(new_block, set()).add(record)
        self._by_block.pop(old_block, None)

    def clear(self) -> None:
        """Forget all."""
        self.index.clear()
        self._by_block.clear()

    def _unlink(self, record: Record) -> None:
        for block_id in record.blocks:
            self._by_block[block_id].discard(record)
            if not self._by_block[block_id]:
                del self._by_block[block_id]


def superseded(match: Match[Record], new: Record, index: PrefixIndex[Record], cut_anywhere: bool) -> list[Record]:
    """Return the proper prefixes of ``new`` that it makes superfluous, and what the turn before left behind.

    Where layers can be cut, all of them: the longer sequence serves what they served. Elsewhere each is a boundary that
    a later turn may come back to, of which a constant number stays. One that may go to disk is not given up for one
    that may not.
    """
    ancestors = [entry.value for entry in match.ancestors]
    gone = ancestors if cut_anywhere else surplus(ancestors, new.ending)
    if ancestors and not cut_anywhere:
        gone += spent(ancestors[0], new.tokens, index, new.namespace)
    return [old for old in gone if new.persist or not old.persist]
