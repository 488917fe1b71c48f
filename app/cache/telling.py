"""What every cache tells: what it did, and requests that it could not serve."""

from __future__ import annotations

import logging
import threading
from typing import Generic, Protocol, TypeVar

from app.cache.counters import Counters
from app.cache.events import CacheEvent, EventBus, Tier
from app.cache.protocols import MatchKind

log = logging.getLogger(__name__)


class CountsBypassed(Protocol):
    """Counters of whatever kind."""

    bypassed: int


C = TypeVar("C", bound=CountsBypassed)


class Telling(Generic[C]):
    """Counts and tells for a cache, which calls :meth:`flush` without its lock.

    Attributes:
        lock: covers everything of the cache.
        bus: where events go.
        counters: since the last reset.
    """

    def __init__(self, lock: threading.RLock, counters: C, tier: Tier, bus: EventBus | None = None) -> None:
        self.lock = lock
        self.bus = bus or EventBus()
        self.counters = counters
        self._tier: Tier = tier
        self._events: list[CacheEvent] = []
        self._told: set[str] = set()

    def tell(self, event: CacheEvent) -> None:
        """Tell the subscribers of ``event`` at the next :meth:`flush`."""
        with self.lock:
            self._events.append(event)

    def bypass(self, reason: str, error: BaseException | None = None) -> None:
        """Count a request that the cache could not serve; an error is logged with its traceback, once per cause."""
        with self.lock:
            self.counters.bypassed += 1
            self._events.append(CacheEvent("bypassed", self._tier, reason))
            cause = f"{type(error).__name__}: {reason}"
            first = cause not in self._told
            self._told.add(cause)
        if first:
            level = logging.INFO if error is None else logging.WARNING
            log.log(level, "The %s cache was bypassed: %s", self._tier, reason, exc_info=error)
        self.flush()

    def flush(self) -> None:
        """Tell the subscribers what happened; call it without holding the lock."""
        with self.lock:
            events, self._events = self._events, []
        self.bus.emit(*events)


class PromptTelling(Telling[Counters]):
    """What every prompt store tells besides: look-ups."""

    def __init__(self, lock: threading.RLock, bus: EventBus | None = None) -> None:
        super().__init__(lock, Counters(), "prefix", bus)

    def note(self, kind: MatchKind, reused: int, reason: str, seconds: float = 0.0, nbytes: int = 0) -> None:
        """Count one answered look-up and tell the subscribers."""
        with self.lock:
            self.counters.looked_up(kind, reused)
            self.tell(CacheEvent("hit" if reused else "missed", "prefix", reason, reused, nbytes, seconds))
        self.flush()
