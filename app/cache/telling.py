"""What every prompt store tells: look-ups, and requests that it could not serve."""

from __future__ import annotations

import logging
import threading

from app.cache.counters import Counters
from app.cache.events import CacheEvent, EventBus
from app.cache.protocols import MatchKind

log = logging.getLogger(__name__)


class Telling:
    """Counts and tells for a prompt store, which calls :meth:`flush` without its lock.

    Attributes:
        lock: covers everything of the store.
        bus: where events go.
        counters: since the last reset.
    """

    def __init__(self, lock: threading.RLock, bus: EventBus | None = None) -> None:
        self.lock = lock
        self.bus = bus or EventBus()
        self.counters = Counters()
        self._events: list[CacheEvent] = []
        self._told: set[str] = set()

    def note(self, kind: MatchKind, reused: int, reason: str, seconds: float = 0.0, nbytes: int = 0) -> None:
        """Count one answered look-up and tell the subscribers."""
        with self.lock:
            self.counters.looked_up(kind, reused)
            event = CacheEvent("hit" if reused else "missed", "prefix", reason, reused, nbytes, seconds)
            self._events.append(event)
        self.flush()

    def bypass(self, reason: str, error: BaseException | None = None) -> None:
        """Count a request that the cache could not serve; an error is logged with its traceback, once per cause."""
        with self.lock:
            self.counters.bypassed += 1
            self._events.append(CacheEvent("bypassed", "prefix", reason))
            cause = f"{type(error).__name__}: {reason}"
            first = cause not in self._told
            self._told.add(cause)
        if first:
            level = logging.INFO if error is None else logging.WARNING
            log.log(level, "The prefix cache was bypassed: %s", reason, exc_info=error)
        self.flush()

    def flush(self) -> None:
        """Tell the subscribers what happened; call it without holding the lock."""
        with self.lock:
            events, self._events = self._events, []
        self.bus.emit(*events)
