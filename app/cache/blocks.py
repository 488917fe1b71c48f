"""The block-aware prefix cache: prompts kept as shared blocks of tensors, behind the ``PromptStore`` protocol.

A cache stack makes one with ``BlockAwarePrefixCache.for_budget(nbytes, block_size=…, bus=…, min_prefix_tokens=…,
kv_bits=…)``. Besides the protocol it has what the whole-entry stores have (``set_ssd_tier``, ``spill_all``,
``reset_stats``, ``placeholder_ids``, ``last_lookup``), so that either kind serves.

A sequence is kept as full blocks plus one tail block for the tokens after the last full one, so a follow-up turn loses
no token. Branches share all blocks up to the block in which they part: k branches cost the history once, and their
tails. Nothing is in use between requests: all blocks lie in the pool's LRU queue, findable until their place is needed.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, Self

from app.cache.block import BlockTable
from app.cache.block_finding import Found
from app.cache.block_store import BlockStore, Leaving
from app.cache.counters import Counters
from app.cache.disk_port import DiskPort, SpillTier
from app.cache.events import EventBus
from app.cache.identity import namespace_of
from app.cache.inventory import Holding, of_blocks
from app.cache.layers import LayerRefused
from app.cache.layers.packed import check_quantization, pack_layer
from app.cache.matching import Stored
from app.cache.media import MediaSpan
from app.cache.paged import PagedCacheManager
from app.cache.promptstore import PATIENCE_SECONDS
from app.cache.protocols import PROMPT, Ending, LayerCaches, Lookup, TierRow
from app.cache.why import NO_SPANS, SWITCHED_OFF

MISS = Lookup(None, 0, "miss")


class BlockAwarePrefixCache:
    """Prompts in shared blocks.

    Args:
        model: a :class:`~app.cache.identity.CacheIdentity` or an identity digest; anything else names no namespace.
        paged_cache_manager: the pool, with its limits.
        bus: where events go.
        min_prefix_tokens: shorter prefixes are neither stored nor reused.
        kv_bits: store plain KV layers quantized to so many bits, at a loss; ``None`` stores them as they are.
        kv_group_size: values per scale; layers whose head size is no multiple of it are stored as they are.

    Attributes:
        identity: namespace in use.
        disk: the tier behind it, if one is attached.
        placeholder_ids: token ids that only stand for media; a request that still has them carries no spans.
        last_lookup: what the last look-up found, and why not more; without the state itself.

    Raises:
        ValueError: MLX has no such quantization.
    """

    def __init__(
        self,
        model: object,
        paged_cache_manager: PagedCacheManager,
        *,
        bus: EventBus | None = None,
        min_prefix_tokens: int = 1,
        kv_bits: int | None = None,
        kv_group_size: int = 64,
    ) -> None:
        self.manager = paged_cache_manager
        self.store = BlockStore(paged_cache_manager, bus)
        if kv_bits is not None:
            check_quantization(kv_bits, kv_group_size)
            self.store.pack = partial(pack_layer, bits=kv_bits, group_size=kv_group_size)
        self.identity = namespace_of(model)
        self.min_prefix_tokens = min_prefix_tokens
        self.placeholder_ids: frozenset[int] = frozenset()
        self.disk = DiskPort()
        self.last_lookup: Lookup = MISS

    @classmethod
    def for_budget(cls, nbytes: int, *, block_size: int = 64, **options: Any) -> Self:
        """Return a cache of as many blocks as fit into ``nbytes``; 0 switches it off. Options as for the class."""
        return cls(None, PagedCacheManager(block_size, None, max_bytes=nbytes), **options)

    @property
    def block_size(self) -> int:
        """Tokens per block."""
        return self.manager.block_size

    def __len__(self) -> int:
        return len(self.manager.request_tables)

    # --- by request ------------------------------------------------------------------------------------------------

    def fetch_cache(self, request_id: str, tokens: Sequence[int]) -> tuple[BlockTable | None, list[int]]:
        """Find the longest stored prefix and own its blocks until :meth:`release_cache`.

        Returns:
            The request's block table, or ``None``, and the tokens still to run, at least one.
        """
        if not self.placeholder_ids.isdisjoint(tokens):
            self.store.bypass(NO_SPANS)
            return None, list(tokens)
        try:
            found = self.store.find(self.identity, tuple(tokens), (), self.min_prefix_tokens)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.store.bypass(f"look-up failed ({error})", error)
            return None, list(tokens)
        reused = found.hit.length
        self.store.note(found.kind, reused, found.why)
        if not reused:
            return None, list(tokens)
        table = found.hit.table(request_id, 0)
        self._adopt(table, idle=False)
        return table, list(tokens[reused:])

    def store_cache(self, request_id: str, tokens: Sequence[int], cache_data: Sequence[Any]) -> BlockTable | None:
        """Keep layer caches that hold exactly ``tokens``; what is stored already is shared, not copied.

        A layer may also be given in extracted form, as vllm-mlx does: a mapping of ``class_ref``, ``state`` and
        ``meta_state``.

        The request's table is kept for :meth:`get_cache_for_generation` and :meth:`fork_cache` until it is released, or
        until room is needed: a finished request does not stand in a new one's way.

        Returns:
            The table, or ``None`` if the layers were refused or do not fit.
        """
        table = self._keep(tuple(tokens), cache_data, persist=True)
        if table is not None:
            table.request_id = request_id
            self._adopt(table, idle=True)
        return table

    def get_cache_for_generation(self, request_id: str) -> tuple[LayerCaches | None, bool]:
        """Return private layer caches for a request's table, and whether they had to be copied from shared blocks."""
        table = self.manager.get_block_table(request_id)
        if table is None:
            return None, False
        shared = any(self.manager.blocks[block_id].is_shared() for block_id in table.all_ids())
        return self.reconstruct_cache(table), shared

    def reconstruct_cache(self, block_table: BlockTable) -> LayerCaches | None:
        """Return private layer caches that hold the table's tokens.

        ``None`` where its blocks have been released or emptied, or no state is stored at its end.
        """
        try:
            namespace, hit = self.store.hit_of(block_table)
            return self.store.rebuild(namespace, hit).restore() if hit.length else None
        except LayerRefused:
            return None

    def fork_cache(self, source: str, new: str) -> BlockTable | None:
        """Give another request the same blocks; ``None`` if the source has no table."""
        with self.manager.lock:
            table = self.manager.get_block_table(source)
            if table is None or source == new:
                return table
            fork = self.manager.fork_block_table(table, new)
            self.store.idle[new] = None
            return fork

    def release_cache(self, request_id: str) -> bool:
        """Give up a request's table; its blocks stay findable until their place is needed."""
        with self.manager.lock:
            self.store.idle.pop(request_id, None)
            released = self.manager.delete_block_table(request_id)
        self.store.flush()
        return released

    def get_stats(self) -> dict[str, Any]:
        """Return counters and sizes at one moment."""
        with self.manager.lock:
            counts, pool = self.store.counters, self.manager.get_stats()
            return {
                "hits": counts.hits,
                "misses": counts.misses,
                "hit_rate": counts.hit_rate,
                "tokens_saved": counts.tokens_saved,
                "total_queries": counts.queries,
                "bypassed": counts.bypassed,
                "refused": counts.refused,
                "match_kinds": dict(counts.kinds),
                "evictions": counts.evictions,
                "evictions_by_reason": counts.reasons(),
                "entries": len(self.store.records),
                "active_requests": len(self),
                "total_blocks": pool.total_blocks,
                "allocated_blocks": pool.allocated_blocks,
                "free_blocks": pool.free_blocks,
                "shared_blocks": pool.shared_blocks,
                "total_tokens_cached": pool.total_tokens_cached,
                "nbytes": self.manager.nbytes,
                "max_bytes": self.manager.max_bytes,
            }

    # --- PromptStore -----------------------------------------------------------------------------------------------

    def lookup(self, tokens: Sequence[int], spans: Sequence[MediaSpan] = ()) -> Lookup:
        """Find the longest reusable state for ``tokens``; at least one token is always left to run. Never raises."""
        try:
            found = self._lookup(tuple(tokens), spans)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.store.bypass(f"look-up failed ({error})", error)
            found = Lookup(None, 0, "bypassed", "the cache failed; see the log")
        self.last_lookup = found.without_state()
        return found

    def save(
        self,
        tokens: Sequence[int],
        cache: LayerCaches,
        *,
        spans: Sequence[MediaSpan] = (),
        persist: bool = True,
        ending: Ending = PROMPT,
    ) -> bool:
        """Keep the state of ``cache``, which holds exactly ``tokens``. Never raises."""
        if len(tokens) < self.min_prefix_tokens:
            return False
        table = self._keep(tuple(tokens), cache, persist=persist, ending=ending)
        if table is None:
            return False
        self.store.free(table)
        return True

    def use(self, identity: object) -> None:
        """Serve and fill the namespace of this identity from now on."""
        self.identity = namespace_of(identity)
        self.disk.use(self.identity)

    def drop(self, identity: object) -> None:
        """Spill (where a tier is attached) and forget everything of this identity."""
        self._spill_patiently(self.store.drop(namespace_of(identity)))

    def set_limit(self, nbytes: int) -> None:
        """Change the byte budget now, evicting down to it; 0 turns the store off."""
        self.store.set_limit(nbytes)

    def clear(self) -> None:
        """Forget everything, counted as evictions with the reason ``cleared``. An attached tier stays."""
        self.store.clear()

    def row(self) -> TierRow:
        """Return a consistent statistics row; safe from any thread. Evictions count blocks."""
        with self.manager.lock:
            counts, pool = self.store.counters, self.manager
            size = (len(self.store.records), pool.nbytes, pool.max_bytes or 0)
            extra: Mapping[str, int] = {
                "tokens_saved": counts.tokens_saved,
                "refused": counts.refused,
                "blocks": len(pool.siblings),
            }
            return TierRow("prefix", *size, counts.hits, counts.misses, counts.bypassed, counts.reasons(), extra)

    def holdings(self) -> list[Holding]:
        """Return the sequences as a list for people, last used first; safe from any thread."""
        return of_blocks(self.store)

    # --- what the whole-entry stores offer as well -----------------------------------------------------------------

    def reset_stats(self) -> None:
        """Zero the counters; sizes stay."""
        with self.manager.lock:
            self.store.counters = Counters()
            self.manager.reset_stats()

    def set_ssd_tier(self, tier: SpillTier | None) -> None:
        """Attach the disk tier that lost sequences are spilled to; ``None`` detaches it."""
        self.disk = DiskPort(tier)
        self.disk.use(self.identity)
        self.store.spill = None if tier is None else self._spill

    def spill_all(self) -> None:
        """Hand every sequence that may be persisted to the disk tier, last used first; all stay in memory."""
        self._spill_patiently(self.store.sequences())

    # --- inside ----------------------------------------------------------------------------------------------------

    def _lookup(self, tokens: tuple[int, ...], spans: Sequence[MediaSpan]) -> Lookup:
        started = time.perf_counter()
        if self.manager.max_bytes == 0:
            return Lookup(None, 0, "miss", SWITCHED_OFF)
        if not self.placeholder_ids.isdisjoint(tokens):
            self.store.bypass(NO_SPANS)
            return Lookup(None, 0, "bypassed", NO_SPANS)
        found = self.store.find(self.identity, tokens, spans, self.min_prefix_tokens)
        try:
            result = self._from_disk(tokens, spans, found.hit.length) or self._from_memory(found)
        finally:
            self.store.release(found)
        seconds = time.perf_counter() - started
        self.store.note(result.kind, result.reused, result.why, seconds, result.nbytes)
        return replace(result, seconds=seconds)

    def _from_memory(self, found: Found) -> Lookup:
        if not found.hit.length:
            return Lookup(None, 0, "miss", found.why)
        cache = self.store.rebuild(found.namespace, found.hit).restore()
        return Lookup(cache, found.hit.length, found.kind, found.why, "memory", nbytes=found.nbytes)

    def _from_disk(self, tokens: tuple[int, ...], spans: Sequence[MediaSpan], in_memory: int) -> Lookup | None:
        """Bring back a longer state from disk, keep it in blocks, and serve it; ``None`` if there is none."""
        found = self.disk.longer(tokens, spans, in_memory, self.min_prefix_tokens)
        if found is None:
            return None
        snapshot, why = found.snapshot, "" if found.reused == len(tokens) - 1 else found.why
        table = self._keep(tokens[: snapshot.n_tokens], snapshot.restore(), persist=True)
        if table is not None:
            self.store.free(table)
        return Lookup(snapshot.restore(found.reused), found.reused, found.kind, why, "disk", nbytes=snapshot.nbytes)

    def _keep(
        self, tokens: tuple[int, ...], cache: Sequence[Any], *, persist: bool, ending: Ending = PROMPT
    ) -> BlockTable | None:
        if not tokens or not cache or self.manager.max_bytes == 0:
            return None
        if not self.placeholder_ids.isdisjoint(tokens):
            self.store.bypass(NO_SPANS)
            return None
        try:
            live = [_live(layer) for layer in cache]
            return self.store.keep(self.identity, tokens, live, persist=persist, ending=ending)
        except LayerRefused as refused:
            self.store.bypass(f"a state was not stored ({refused})", refused)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.store.bypass(f"storing failed ({error})", error)
        return None

    def _adopt(self, table: BlockTable, *, idle: bool) -> None:
        with self.manager.lock:
            self.store.idle.pop(table.request_id, None)
            self.manager.adopt_block_table(table)
            if idle:
                self.store.idle[table.request_id] = None
        self.store.flush()

    def _spill(self, entry: Stored) -> bool:
        return self.disk.spill(entry, back_to=self.identity)

    def _spill_patiently(self, sequences: Sequence[Leaving]) -> None:
        """Spill what a model or the app leaves behind: wait, within bounds, where the tier's queue is full."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        for leaving in sequences if self.disk.tier is not None else ():
            try:
                entry = leaving.entry()
                if not self._spill(entry):
                    self.disk.wait(deadline - time.monotonic())
                    self._spill(entry)
            except Exception as error:  # noqa: BLE001 - a failing disk must not keep the app from closing
                self.store.bypass(f"an entry could not be spilled ({error})", error)


def _live(layer: Any) -> Any:
    """Return a live layer cache, made from its extracted form if need be."""
    if not (isinstance(layer, Mapping) and "class_ref" in layer):
        return layer
    kind = layer["class_ref"]
    # mlx-vlm's classes take their metadata apart, mlx-lm's have it in the state
    return kind.from_state(layer["state"], *([layer["meta_state"]] if hasattr(kind, "meta_state") else []))
