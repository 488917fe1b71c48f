"""What the caches tell the outside: one event type, one bus. The panel, the log and the tests read the same events.

The idea that observers subscribe to cache events instead of polling internals comes from vLLM v1's block-stored and
block-removed events.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Literal

log = logging.getLogger(__name__)

EventKind = Literal[
    "stored",
    "hit",
    "missed",
    "evicted",
    "spilled",
    "promoted",
    "encoded",
    "encoder_skipped",
    "bypassed",
    "cleared",
    "resized",
]
Tier = Literal["prefix", "vision", "ssd"]
EvictionReason = Literal["memory", "count", "replaced", "superseded", "cleared", "limit_lowered", "expired", "damaged"]
EVICTION_REASONS: tuple[EvictionReason, ...] = (
    "memory",
    "count",
    "replaced",
    "superseded",
    "cleared",
    "limit_lowered",
    "expired",
    "damaged",
)


@dataclass(frozen=True, slots=True)
class CacheEvent:
    """One thing that happened in one tier.

    Attributes:
        kind: what happened.
        tier: where.
        reason: why, in the vocabulary of the contract (eviction reason) or in words (miss, bypass).
        tokens: tokens concerned (reused, stored, evicted), 0 where the tier counts no tokens.
        nbytes: bytes concerned.
        seconds: time the work took or, for ``encoder_skipped``, the time it saved.
        at: ``time.time()`` of the event.
    """

    kind: EventKind
    tier: Tier
    reason: str = ""
    tokens: int = 0
    nbytes: int = 0
    seconds: float = 0.0
    at: float = field(default_factory=time.time)


Subscriber = Callable[[CacheEvent], None]


class EventBus:
    """Calls every subscriber, on the thread that caused the event and never inside a cache's lock.

    A subscriber that raises is logged and dropped: an observer must not break a chat.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._subscribers: list[Subscriber] = []

    def subscribe(self, subscriber: Subscriber) -> Callable[[], None]:
        """Add ``subscriber``; the returned callable takes it off again and may be called twice."""
        with self._lock:
            self._subscribers.append(subscriber)
        return lambda: self._remove(subscriber)

    def emit(self, *events: CacheEvent) -> None:
        """Hand ``events`` to all subscribers, in order."""
        with self._lock:
            subscribers = tuple(self._subscribers)
        for event in events:
            for subscriber in subscribers:
                try:
                    subscriber(event)
                except Exception:
                    log.exception("A cache event subscriber failed and was removed")
                    self._remove(subscriber)

    def _remove(self, subscriber: Subscriber) -> None:
        with self._lock:
            if subscriber in self._subscribers:
                self._subscribers.remove(subscriber)
