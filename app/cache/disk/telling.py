"""What the disk tier tells: figures, events, and a failure of the disk in one sentence."""

from __future__ import annotations

import logging
import sqlite3
import threading
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from app.cache.disk.entry_file import EntryDamaged
from app.cache.disk.index import IndexRow
from app.cache.disk.stats import SSDCacheStats
from app.cache.events import CacheEvent, EventBus, EvictionReason
from app.cache.layers import LayerRefused
from app.errors import UserError

log = logging.getLogger("app.cache.ssd")
"""One name for all that the tier says, wherever it is said."""
T = TypeVar("T")

DISK_ERRORS = (OSError, sqlite3.Error)


class DiskTelling:
    """Counts and tells for the tier. No fault of the disk reaches a chat: it is counted, and said once."""

    def __init__(self, bus: EventBus | None = None) -> None:
        self._bus = bus or EventBus()
        self._lock = threading.Lock()
        self._stats = SSDCacheStats()
        self._closed = False

    def reset_stats(self) -> None:
        """Zero the counters; sizes stay."""
        with self._lock:
            self._stats = SSDCacheStats()

    def _evicted(self, row: IndexRow, reason: EvictionReason) -> None:
        with self._lock:
            self._stats.evictions[reason] += 1
        self._bus.emit(CacheEvent("evicted", "ssd", reason, row.stop - row.start, row.nbytes))

    def _drop(self, reason: str) -> bool:
        self._count(drops=1)
        log.info("Disk cache: %s", reason)
        return False

    def _count(self, **changes: float) -> None:
        with self._lock:
            now = {name: getattr(self._stats, name) + change for name, change in changes.items()}
            self._stats = replace(self._stats, **now)

    def _guarded(self, work: Callable[[], T]) -> T | None:
        try:
            return work()
        except (*DISK_ERRORS, LayerRefused, EntryDamaged, KeyError, ValueError) as error:
            self._failed(error)
            return None

    def _failed(self, error: Exception) -> None:
        """Say the first failure of its kind in the log and keep the sentence for the panel; the chat goes on."""
        sentence = in_words(error)
        with self._lock:
            known = self._stats.last_error == sentence
            self._stats.last_error = sentence
        if not known and not self._closed:
            log.warning("Disk cache: %s", sentence, exc_info=not isinstance(error, DISK_ERRORS))
            self._bus.emit(CacheEvent("bypassed", "ssd", sentence))


def in_words(error: Exception) -> str:
    """Return what is said of a tier that failed."""
    if isinstance(error, UserError):
        return str(error)
    if isinstance(error, OSError):
        return f"The disk cache could not be used: {error.strerror or error}."
    return f"The disk cache could not be used: {error}."
