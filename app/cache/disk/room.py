"""Keeping the folder within its limit, and the volume with room for others. Runs on the writer's thread."""

from __future__ import annotations

import time
from collections.abc import Callable

from app.cache.disk import faults
from app.cache.disk.folder import CacheFolder
from app.cache.disk.index import DiskIndex, IndexRow
from app.cache.events import EvictionReason

ALLOWANCE = 160 * 1024
"""Bytes kept free beyond the tensors of a write: its header, and the pages by which index and journal may grow."""
Evicted = Callable[[IndexRow, EvictionReason], None]


class Room:
    """Counts the bytes of everything in the folder and evicts, least recently used first, over all namespaces.

    ``limit`` and ``min_free`` are bytes and may be changed at any time; ``min_free`` ``None`` means the folder's own
    minimum (5 % of the volume, never under 2 GiB).
    """

    def __init__(
        self, folder: CacheFolder, index: DiskIndex, limit: int, min_free: int | None, on_evicted: Evicted
    ) -> None:
        self.limit = limit
        self.min_free = min_free
        self._folder = folder
        self._index = index
        self._on_evicted = on_evicted

    def make(self, nbytes: int, max_entries: int, reason: EvictionReason = "memory") -> bool:
        """Evict until ``nbytes`` more fit, or with none as far as the limits say.

        ``False`` where no eviction could help; nothing was evicted then for the sake of bytes to come.
        """
        overhead = self._overhead() + ALLOWANCE
        helps = self._missing_free(nbytes) <= self._index.totals()[1]
        if nbytes and (nbytes + overhead > self.limit or not helps):
            return False
        while True:
            count, used = self._index.totals()
            short = helps and self._missing_free(nbytes) > 0
            over = used + overhead + nbytes > self.limit
            if not over and not short and count + (nbytes > 0) <= max_entries:
                return helps
            row = self._index.oldest()
            if row is None:
                return False
            self.evict(row, reason if over or short else "count")

    def expire(self, retention: float) -> None:
        """Remove what was not used for ``retention`` seconds; a clock set back expires nothing."""
        for row in self._index.expired(time.time() - retention):
            self.evict(row, "expired")

    def evict(self, row: IndexRow, reason: EvictionReason) -> None:
        """Forget ``row`` first, then delete its file, so that a crash in between leaves a file without a row."""
        self._index.remove(row.id)
        faults.step("evicted")
        self._folder.remove(row.file)
        self._on_evicted(row, reason)

    def usage(self) -> int:
        """Bytes of everything: entries, quarantine, index."""
        return self._index.totals()[1] + self._overhead()

    def _overhead(self) -> int:
        """Everything in the folder that is not a finished entry; the quarantine gives way first."""
        kept = sum(f.nbytes for f in self._folder.quarantined())
        for found in self._folder.quarantined():
            if kept <= self.limit // 10:
                break
            kept -= self._folder.remove(found.name, self._folder.quarantine)
        if self._index_bytes() > self.limit // 8:
            self._index.checkpoint()
        return kept + self._index_bytes()

    def _index_bytes(self) -> int:
        index = self._folder.index_path
        paths = (index.with_name(index.name + suffix) for suffix in ("", "-wal", "-shm"))
        return sum(path.stat().st_size for path in paths if path.exists())

    def _missing_free(self, nbytes: int) -> int:
        """Bytes by which the volume would fall short of its minimum; negative where there is room."""
        least = self._folder.minimum_free() if self.min_free is None else self.min_free
        return least + nbytes - self._folder.free_bytes()
