"""Sequences in blocks: storing and losing them, within the pool's limits."""

from __future__ import annotations

from collections import Counter, OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import mlx.core as mx

from app.cache.block import BlockTable, CacheBlock
from app.cache.block_finding import BlockFinding, Space
from app.cache.block_hash import PromptChain
from app.cache.block_layers import LayerLayout, Pack, content_arrays, content_nbytes, take_leaves
from app.cache.block_records import Record, superseded
from app.cache.events import CacheEvent, EventBus, EvictionReason
from app.cache.hybrid import Slot, get_kv_cache_coordinator
from app.cache.matching import Stored
from app.cache.paged import PagedCacheManager
from app.cache.protocols import PROMPT, Ending
from app.cache.snapshot import Snapshot

SPILLED: frozenset[EvictionReason] = frozenset({"memory", "count", "limit_lowered"})
Spill = Callable[[Stored], object]


@dataclass(frozen=True, slots=True)
class Leaving:
    """A sequence on its way to the tier behind: what its blocks held, not put together yet."""

    record: Record
    assemble: Callable[[], Snapshot]

    def entry(self) -> Stored:
        """Return the sequence as one entry; copies it."""
        snapshot = self.assemble().settle()
        return Stored(self.record.namespace, self.record.tokens, snapshot, snapshot.nbytes)


class BlockStore(BlockFinding):
    """Stored sequences over one pool; every method leaves pool, records and counters agreeing.

    Attributes:
        idle: requests whose tables may be given up when room is needed, oldest first.
        pack: returns the form in which plain layers are stored; ``None`` stores them as they are.
        spill: called, without the lock, with what is lost and may go to disk; ``None`` where there is no disk tier.
    """

    def __init__(self, pool: PagedCacheManager, bus: EventBus | None = None) -> None:
        super().__init__(pool, bus)
        self.idle: OrderedDict[str, None] = OrderedDict()
        self.spill: Spill | None = None
        self.pack: Pack | None = None
        self._lost: dict[EvictionReason, Counter[str]] = {}
        self._leaving: list[Leaving] = []
        pool.on_evict = self._block_leaves

    # --- storing ---------------------------------------------------------------------------------------------------

    def keep(
        self, namespace: str, tokens: tuple[int, ...], caches: Sequence[Any], *, persist: bool, ending: Ending = PROMPT
    ) -> BlockTable | None:
        """Store live layer caches that hold exactly ``tokens``, and return an owned table of their blocks.

        Only what is not stored yet is copied. ``None``, with nothing evicted, if it cannot fit. ``ending`` says what
        the tokens end with.

        Raises:
            LayerRefused: a layer holds another number of tokens or cannot be copied.
        """
        trees, leaves = take_leaves(caches, len(tokens), self.pack)
        with self.lock:
            space = self._space(namespace, trees, leaves)
            chain = self._chain(namespace, tokens, self.records.index.find(namespace, tokens))
            slots = space.coordinator.slots(chain, space.layout.held_from(leaves))
            contents = [space.layout.content(leaves, slot) for slot in slots if slot.block is None]
            blocks = self._claim(slots, [content_nbytes(content) for content in contents])
        if not blocks:
            self.flush()
            return None
        table = _table(slots, blocks, len(tokens))
        try:
            mx.eval([array for content in contents for array in content_arrays(content)])
            with self.lock:
                self._write(chain, slots, blocks, contents)
                self._remember(space.layout, Record(chain, persist, ending), slots, blocks)
        except BaseException:
            self.free(table)
            raise
        self.flush()
        return table

    def _space(self, namespace: str, trees: Any, leaves: Any) -> Space:
        """Return the namespace's layers; if they changed, what was stored of it no longer fits and goes."""
        space = self._spaces.get(namespace)
        if space is None or not space.layout.matches(trees, leaves):
            if space is not None:
                self._forget(namespace, "replaced")
            layout = LayerLayout(trees, leaves)
            caching = self.pool.enable_caching
            space = Space(layout, get_kv_cache_coordinator(self.pool, layout.groups, enable_caching=caching))
            self._spaces[namespace] = space
        return space

    def _claim(self, slots: Sequence[Slot], sizes: Sequence[int]) -> list[CacheBlock]:
        """Own a block per slot, new ones of ``sizes`` where there is none yet; nothing, if they do not fit."""
        known = [slot.block for slot in slots if slot.block is not None]
        self.pool.touch(known)
        if not slots or not self._make_room(sizes, known):
            self.pool.free_block_batch(reversed(known))
            self.counters.refused += 1
            return []
        new = iter(self.pool.get_new_blocks(len(sizes)))
        return [slot.block or next(new) for slot in slots]

    def _write(
        self,
        chain: PromptChain,
        slots: Sequence[Slot],
        blocks: Sequence[CacheBlock],
        contents: Sequence[tuple[Any, ...]],
    ) -> None:
        waiting = iter(contents)
        for slot, block in zip(slots, blocks, strict=True):
            if slot.block is None:
                content = next(waiting)
                self.pool.write(block, content, content_nbytes(content))
                self._publish(chain, slot, block)

    def _make_room(self, sizes: Sequence[int], known: Sequence[CacheBlock]) -> bool:
        """Make room for new blocks of these sizes beside ``known``, giving up idle requests' tables if it must."""
        pool, blocks, nbytes = self.pool, len(sizes), sum(sizes)
        if pool.max_bytes is not None and nbytes + sum(block.nbytes for block in known) > pool.max_bytes:
            return False
        if pool.max_blocks is not None and blocks + len(known) > pool.max_blocks - 1:
            return False
        while (pool.max_blocks is not None and blocks > pool.free_blocks) or not pool.make_room(nbytes):
            if not self.idle:
                return False
            request_id, _ = self.idle.popitem(last=False)
            pool.delete_block_table(request_id)
        return True

    def _publish(self, chain: PromptChain, slot: Slot, block: CacheBlock) -> None:
        """Make a new block findable, and let those go that hold less of the same."""
        path = chain.path_to(slot.index, slot.stop)
        parent = chain.hash_before(slot.index)
        block.group_id, block.namespace = slot.group.group_id, chain.namespace
        block.skipped = slot.start - slot.index * self.pool.block_size
        self.pool.publish(block, chain.hash_of(slot.index, slot.stop), parent, path)
        if slot.group.kind == "recurrent":
            return
        for old in list(self.pool.prefixes(parent, slot.group.group_id, path.tokens, path.parent)):
            shorter = len(old.tokens) < len(path.tokens)
            if old is not block and (slot.group.kind == "full" or not shorter) and old.skipped >= block.skipped:
                self.records.move(old.block_id, block.block_id)
                self.pool.evict([old], "superseded" if shorter else "replaced")

    def _remember(
        self, layout: LayerLayout, record: Record, slots: Sequence[Slot], blocks: Sequence[CacheBlock]
    ) -> None:
        """Record the sequence, and drop the records that it makes superfluous."""
        length = len(record.tokens)
        last = (length - 1) // self.pool.block_size
        pairs = list(zip(slots, blocks, strict=True))
        record.blocks = {block.block_id for slot, block in pairs if slot.group.kind != "full" or slot.index == last}
        match = self.records.index.find(record.namespace, record.tokens)
        self.records.add(record)
        for old in superseded(match, record, self.records.index, layout.cut_anywhere):
            unneeded = [self.pool.blocks[i] for i in self.records.only_needed_by(old)]
            self.records.remove(old)
            kinds = {group.group_id: group.kind for group in layout.groups}
            self.pool.evict([block for block in unneeded if kinds[block.group_id] != "full"], "superseded")
        self.counters.stored += 1
        nbytes = sum(block.nbytes for slot, block in pairs if slot.block is None)
        self._events.append(CacheEvent("stored", "prefix", "", length, nbytes))

    # --- losing ----------------------------------------------------------------------------------------------------

    def drop(self, namespace: str) -> list[Leaving]:
        """Forget everything of one identity; return its sequences that may go to disk, last used first."""
        with self.lock:
            leaving = self.sequences(namespace)
            self._forget(namespace, "cleared")
        self.flush()
        return leaving

    def sequences(self, namespace: str | None = None) -> list[Leaving]:
        """Return the sequences (of one identity) that may go to disk, last used first; all stay here."""
        with self.lock:
            records = self.records if namespace is None else self.records.of_namespace(namespace)
            return [kept for record in sorted(records, key=self._last_used) if (kept := self._hold(record)) is not None]

    def _last_used(self, record: Record) -> float:
        return -max(self.pool.blocks[block_id].last_access for block_id in record.blocks)

    def clear(self) -> None:
        """Forget everything: content, tables, records and layouts."""
        with self.lock:
            count, nbytes = len(self.records), self.pool.nbytes
            self.pool.clear()
            self.records.clear()
            self.idle.clear()
            self._spaces.clear()
            self._events.append(CacheEvent("cleared", "prefix", "", count, nbytes))
        self.flush()

    def set_limit(self, nbytes: int) -> None:
        """Change the byte limit and evict down to it, idle requests' tables included."""
        with self.lock:
            while self.idle and self.pool.pinned_bytes > nbytes:
                self.pool.delete_block_table(self.idle.popitem(last=False)[0])
            self.pool.set_max_bytes(nbytes)
            self._events.append(CacheEvent("resized", "prefix", "", 0, nbytes))
        self.flush()

    def _forget(self, namespace: str, reason: EvictionReason) -> None:
        for request_id in [r for r in self.idle if self._belongs(r, namespace)]:
            del self.idle[request_id]
            self.pool.delete_block_table(request_id)
        for record in self.records.of_namespace(namespace):
            self.records.remove(record)
        mine = [block for block in self.pool.blocks if block.namespace == namespace and block.block_hash is not None]
        self.pool.evict(mine, reason)
        for block in mine:  # those still in use become private, and go when they are released
            self.pool.withdraw(block)
        self._spaces.pop(namespace, None)

    def _belongs(self, request_id: str, namespace: str) -> bool:
        """Whether an idle request's table is of this namespace, or was deleted by the pool's owner."""
        table = self.pool.request_tables.get(request_id)
        return table is None or any(self.pool.blocks[block_id].namespace == namespace for block_id in table.all_ids())

    def _block_leaves(self, block: CacheBlock, reason: EvictionReason) -> None:
        """Pool's hook: while the block can still be read, take hold of what breaks without it."""
        self._count_loss(block, reason)
        for record in self.records.needing(block.block_id):
            wanted = reason in SPILLED and self.spill is not None and not record.ending.halfway
            kept = self._hold(record) if wanted else None
            if kept is not None:
                self._leaving.append(kept)
            self.records.remove(record)

    def _count_loss(self, block: CacheBlock, reason: EvictionReason) -> None:
        self.counters.evicted[reason] += 1
        self._lost.setdefault(reason, Counter()).update(tokens=len(block.tokens), nbytes=block.nbytes)

    def _hold(self, record: Record) -> Leaving | None:
        """Take hold of a sequence's content; it is put together later, without the lock."""
        if not record.persist:
            return None
        space = self._spaces[record.namespace]
        hit = space.coordinator.find_longest_cache_hit(record.chain, len(record.tokens))
        if hit.length < len(record.tokens):
            return None
        return Leaving(record, space.layout.gather(hit, self.pool.block_size))

    # --- counting and telling --------------------------------------------------------------------------------------

    def flush(self) -> None:
        """Hand on what left and tell the subscribers what happened; call it without holding the lock."""
        with self.lock:
            leaving, self._leaving = self._leaving, []
            lost, self._lost = self._lost, {}
            evicted = (CacheEvent("evicted", "prefix", r, n["tokens"], n["nbytes"]) for r, n in lost.items())
            self._events[:0] = evicted
        for sequence in leaving:
            self._spill(sequence)
        super().flush()

    def _spill(self, leaving: Leaving) -> None:
        assert self.spill is not None
        try:
            self.spill(leaving.entry())
        except Exception as error:  # noqa: BLE001 - a failing disk must not lose what was just stored
            self.bypass(f"an entry could not be spilled ({error})", error)


def _table(slots: Sequence[Slot], blocks: Sequence[CacheBlock], num_tokens: int) -> BlockTable:
    """Return the table of a stored sequence, with the null block where a group keeps nothing."""
    rows: dict[int, list[int]] = {}
    for slot, block in zip(slots, blocks, strict=True):
        row = rows.setdefault(slot.group.group_id, [])
        row.extend([0] * (slot.index - len(row)))
        row.append(block.block_id)
    tails = [b.path for s, b in zip(slots, blocks, strict=True) if s.group.group_id == 0]
    return BlockTable("", rows.pop(0, []), num_tokens, rows, tails[-1])
