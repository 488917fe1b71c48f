"""The SSD tier: KV snapshots and vision features that left memory, kept on disk and brought back.

One file per entry (:mod:`app.cache.disk.entry_file`), a rebuildable SQLite index, a folder lock, and one writer thread
that never touches MLX. A growing conversation writes only its new tokens; look-ups take the longest stored prefix. No
fault of the disk reaches a chat: it becomes a miss or a dropped spill, is counted, and is said once in words.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, TypeVar

from app.cache.config import GIB
from app.cache.disk.buffers import to_host
from app.cache.disk.chains import Chain, longest_chain
from app.cache.disk.codec import encode_snapshot, encode_tree
from app.cache.disk.folder import CacheFolder
from app.cache.disk.index import IndexRow, open_or_rebuild
from app.cache.disk.reader import Reader
from app.cache.disk.recovery import reconcile, verify
from app.cache.disk.room import Room
from app.cache.disk.spill import Spiller
from app.cache.disk.stats import SSDCacheStats
from app.cache.disk.telling import DISK_ERRORS, DiskTelling
from app.cache.disk.writer import Job, Writer
from app.cache.events import CacheEvent, EventBus, EvictionReason
from app.cache.inventory import Holding, of_disk
from app.cache.layers import LayerRefused
from app.cache.protocols import TierRow
from app.cache.snapshot import Snapshot
from app.cache.ssd_config import SSDCacheConfig

log = logging.getLogger(__name__)
T = TypeVar("T")

_QUEUE_BYTES = 2 * GIB
_CLOSE_SECONDS = 10.0

__all__ = ["SSDCacheConfig", "SSDCacheStats", "SSDCacheTier"]


class SSDCacheTier(DiskTelling):
    """Keeps what leaves memory. Look-ups run on the chat's thread, writes on the tier's own.

    Raises:
        UserError: the folder cannot be used, or another process uses it.
    """

    def __init__(self, config: SSDCacheConfig, bus: EventBus | None = None) -> None:
        super().__init__(bus)
        self._config = config
        self._namespace = ""
        self._folder = CacheFolder(
            Path(config.cache_dir), dir_mode=config.dir_permissions, file_mode=config.file_permissions
        )
        self._writer = Writer(config.spill_queue_size, _QUEUE_BYTES, self._failed)
        self._open_index()

    def _open_index(self) -> None:
        try:
            self._index = open_or_rebuild(self._folder.index_path, self._config.file_permissions)
        except DISK_ERRORS:
            self._folder.close()
            raise
        config = self._config
        self._room = Room(self._folder, self._index, config.max_size_bytes, config.min_free_bytes, self._evicted)
        self._spiller = Spiller(self._folder, self._index, self._room, config.max_entries)
        self._reader = Reader(self._folder, self._index, self._damaged)

    # -- life -------------------------------------------------------------------------------------------------------

    def start_writer(self) -> None:
        """Start the writer thread, which first brings index, folder and limits into agreement."""
        self._writer.start()
        self._writer.put(Job(self._tidy))

    def use(self, namespace: str) -> None:
        """Serve and fill the namespace of this identity digest from now on."""
        self._namespace = namespace

    def configure(self, config: SSDCacheConfig) -> None:
        """Take over new limits now; the folder stays (moving it is closing this tier and opening another)."""
        self._config = config
        self._room.limit, self._room.min_free = config.max_size_bytes, config.min_free_bytes
        self._spiller.max_entries = config.max_entries
        self._writer.put(Job(lambda: self._enforce("limit_lowered")))

    def flush(self, timeout: float = _CLOSE_SECONDS) -> bool:
        """Wait until everything queued is on disk; ``False`` when ``timeout`` seconds were not enough."""
        self._writer.start()
        return self._writer.drain(timeout)

    def close(self, timeout: float = _CLOSE_SECONDS) -> None:
        """Finish pending writes within ``timeout`` seconds, then release thread, handles and lock; idempotent."""
        if self._closed:
            return
        self._closed = True
        dropped = self._writer.close(timeout)
        if dropped:
            self._count(drops=dropped)
            log.warning("Closing the disk cache: %d writes did not finish in time and were dropped", dropped)
        self._index.close()
        self._folder.close()

    # -- spill ------------------------------------------------------------------------------------------------------

    def enqueue_spill(self, tokens: Sequence[int], cache: Snapshot | Sequence[Any], memory_bytes: int = 0) -> bool:
        """Queue a state that holds exactly ``tokens`` for writing and return at once.

        Args:
            tokens: salted tokens.
            cache: a snapshot, or live layer caches, of which a snapshot is taken.
            memory_bytes: what it takes in memory, for the queue's limit; measured where 0.

        Returns:
            ``False`` when it was dropped: queue full, tier closed, or a layer that cannot be kept.
        """
        try:
            snapshot = cache.own() if isinstance(cache, Snapshot) else Snapshot.take(cache, len(tokens))
            state = encode_snapshot(snapshot)
        except (LayerRefused, TypeError) as error:
            return self._drop(f"a state was not kept on disk: {error}")
        namespace, key = self._namespace, tuple(tokens)
        job = Job(lambda: self._write(lambda: self._spiller.spill_kv(namespace, key, state)), snapshot.nbytes)
        return self._put(job)

    def spill_features(self, key: str, features: object, meta: dict[str, Any]) -> bool:
        """Queue vision features (an array, or nested tuples of arrays) under ``key``; ``meta`` is JSON."""
        try:
            shape, arrays = encode_tree(features)
            host = to_host(arrays)
        except TypeError as error:
            return self._drop(f"features were not kept on disk: {error}")
        namespace, described = self._namespace, {"tree": shape, "meta": meta}
        nbytes = sum(a.nbytes for a in host.values())
        return self._put(
            Job(lambda: self._write(lambda: self._spiller.spill_features(namespace, key, described, host)), nbytes)
        )

    # -- look-up ----------------------------------------------------------------------------------------------------

    def lookup_ssd(self, tokens: Sequence[int]) -> dict[str, Any] | None:
        """Return what is known of the entry with exactly ``tokens``; reads no file. See :meth:`load`."""
        found = self.lookup_ssd_prefix(tokens)
        return found if found is not None and found["match_type"] == "exact" else None

    def lookup_ssd_prefix(self, tokens: Sequence[int], most: int | None = None) -> dict[str, Any] | None:
        """Return what is known of the longest stored prefix of ``tokens``, at most ``most`` tokens; reads no file.

        Returns:
            ``match_type`` (``exact`` or ``prefix``), ``matched_tokens`` and ``num_tokens`` (tokens it would save),
            ``memory_bytes`` (bytes to read), ``file_path``, and ``chain`` for :meth:`load`.
        """
        chain = self._guarded(lambda: longest_chain(self._index, self._namespace, tokens, most))
        if chain is None:
            return None
        exact = chain.tokens == len(tokens)
        return {
            "match_type": "exact" if exact else "prefix",
            "matched_tokens": chain.tokens,
            "num_tokens": chain.tokens,
            "memory_bytes": chain.nbytes,
            "file_path": str(self._folder.entry_path(chain.last.file)),
            "chain": chain,
        }

    def load(self, found: dict[str, Any], n_tokens: int | None = None) -> Snapshot | None:
        """Read what a look-up found, cut to ``n_tokens``; ``None`` (a counted failure) if it cannot be used."""
        chain: Chain = found["chain"]
        started = time.perf_counter()
        snapshot = self._guarded(lambda: self._reader.chain(chain, n_tokens or chain.tokens))
        if snapshot is None:
            self._count(promotion_failures=1)
            return None
        seconds = time.perf_counter() - started
        self._promoted(chain.rows, seconds, chain.nbytes, snapshot.n_tokens)
        return snapshot

    def missed(self) -> None:
        """Count one look-up that found nothing better than memory had."""
        self._count(ssd_misses=1)

    def load_features(self, key: str) -> tuple[Any, dict[str, Any]] | None:
        """Read features stored under ``key``, with their ``meta``; ``None`` where there are none, or damaged ones."""
        row = self._guarded(lambda: self._index.get(self._namespace, "features", key))
        if row is None:
            self._count(ssd_misses=1)
            return None
        started = time.perf_counter()
        found = self._guarded(lambda: self._reader.features(row))
        if found is None:
            self._count(promotion_failures=1)
            return None
        self._promoted((row,), time.perf_counter() - started, row.nbytes, 0)
        return found

    def has_features(self, key: str) -> bool:
        """Return whether features are stored under ``key``; reads no file."""
        return self._guarded(lambda: self._index.get(self._namespace, "features", key)) is not None

    def remove(self, tokens: Sequence[int]) -> bool:
        """Delete the entry with exactly ``tokens`` unless another one continues it; ``False`` if there is none."""
        return self._care(lambda: self._remove(tokens), _CLOSE_SECONDS) or False

    def _remove(self, tokens: Sequence[int]) -> bool:
        found = self.lookup_ssd(tokens)
        if found is None:
            return False
        row: IndexRow = found["chain"].last
        if row.stop != len(tokens) or self._index.continued(row):
            return False
        return self._guarded(lambda: self._forget(row)) or False

    # -- care -------------------------------------------------------------------------------------------------------

    def reconcile(self) -> int:
        """Bring index and folder into agreement and return how many entries there are."""
        return self._care(self._reconcile) or 0

    def verify(self) -> list[tuple[str, str]]:
        """Re-read everything; return the damaged files with the reason, and set them aside."""
        return self._care(self._verify) or []

    def clear(self) -> None:
        """Delete all entries of all namespaces, those that wait to be written, and everything set aside."""
        self._writer.forget_writes()
        self._care(self._clear, _CLOSE_SECONDS)

    def get_stats(self) -> dict[str, Any]:
        """Return all figures: counters since the last reset, entries, bytes on disk, limit, bytes waiting."""
        with self._lock:
            stats = self._stats.to_dict()
        entries, _ = self._guarded(self._index.totals) or (0, 0)
        used = self._guarded(self._room.usage) or 0
        return stats | {
            "entries": entries,
            "disk_bytes": used,
            "limit_bytes": self._room.limit,
            "pending_bytes": self._writer.pending_bytes,
        }

    def row(self) -> TierRow:
        """Return the panel's row of this tier."""
        stats = self.get_stats()
        extra = {key: stats[key] for key in ("spill_bytes", "reload_bytes", "drops", "quarantined", "last_error")}
        return TierRow(
            "ssd", stats["entries"], stats["disk_bytes"], stats["limit_bytes"], stats["ssd_hits"], stats["ssd_misses"],
            evictions=stats["evictions"], extra=extra,
        )  # fmt: skip

    def holdings(self) -> list[Holding]:
        """Return the entries as a list for people, last used first; reads no file; safe from any thread."""
        return of_disk(self._guarded(self._index.all) or ())

    # -- inside -----------------------------------------------------------------------------------------------------

    def _care(self, work: Callable[[], T], timeout: float | None = None) -> T | None:
        """Do ``work`` while no write runs; nothing once the tier is closed: another process may own the folder then."""
        return None if self._closed else self._writer.between_jobs(work, timeout)

    def _write(self, spill: Callable[[], tuple[int, int]]) -> None:
        try:
            self._written(spill)
        except Exception:
            self._count(drops=1)
            raise

    def _written(self, spill: Callable[[], tuple[int, int]]) -> None:
        started = time.perf_counter()
        if self._folder.vanished:
            self._reopen()
        nbytes, tokens = spill()
        if not nbytes:
            return self._count(unchanged=1)
        seconds = time.perf_counter() - started
        self._count(spill_count=1, spill_bytes=nbytes, spill_seconds=seconds)
        self._bus.emit(CacheEvent("spilled", "ssd", tokens=tokens, nbytes=nbytes, seconds=seconds))
        return None

    def _reopen(self) -> None:
        self._index.close()
        self._folder.reopen()
        self._open_index()

    def _tidy(self) -> None:
        self._folder.tighten()
        self._reconcile()
        self._enforce("limit_lowered")

    def _reconcile(self) -> int:
        return self._guarded(lambda: reconcile(self._folder, self._index, self._damaged)) or 0

    def _enforce(self, reason: EvictionReason) -> None:
        if self._config.retention_seconds is not None:
            self._room.expire(self._config.retention_seconds)
        self._room.make(0, self._config.max_entries, reason)

    def _forget(self, row: IndexRow) -> bool:
        self._room.evict(row, "cleared")
        return True

    def _verify(self) -> list[tuple[str, str]] | None:
        return self._guarded(lambda: verify(self._folder, self._index, self._damaged))

    def _clear(self) -> None:
        for row in self._guarded(self._index.all) or ():
            self._guarded(lambda row=row: self._forget(row))  # type: ignore[misc]
        self._guarded(self._sweep)
        self._guarded(self._index.checkpoint)  # what was deleted stands in the index's journal, and counts as used

    def _sweep(self) -> None:
        for found in self._folder.quarantined():
            self._folder.remove(found.name, self._folder.quarantine)
        for found in list(self._folder.files()):
            self._folder.remove(found.name)

    def _put(self, job: Job) -> bool:
        return self._writer.put(job) or self._drop("the disk could not keep up, a state was not written")

    def _promoted(self, rows: Sequence[IndexRow], seconds: float, nbytes: int, tokens: int) -> None:
        self._writer.put(Job(lambda: self._index.touch(rows)))
        self._count(ssd_hits=1, reload_latency_sum=seconds, reload_bytes=nbytes)
        self._bus.emit(CacheEvent("promoted", "ssd", tokens=tokens, nbytes=nbytes, seconds=seconds))

    def _damaged(self, name: str, reason: str) -> None:
        log.warning("Disk cache: %s is damaged (%s) and was set aside", name, reason)
        if self._folder.set_aside(name):
            self._count(quarantined=1)
        self._bus.emit(CacheEvent("evicted", "ssd", "damaged"))
