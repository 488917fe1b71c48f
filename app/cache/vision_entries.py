"""What the vision cache holds: pixels and features in one order of use, within one byte budget and a count for each.

As in the store of prompts (:mod:`app.cache.entries`): one lock, and what may be slow or foreign (spilling, subscribers)
runs outside it.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.cache.events import CacheEvent, EventBus, EvictionReason
from app.cache.inventory import Holding
from app.cache.ledger import ByteLedger
from app.cache.lru import LRU
from app.cache.sizes import nested_nbytes
from app.cache.telling import Telling
from app.cache.units import UnitGeometry, detached, rows_of
from app.cache.vision_stats import VisionCacheStats

Level = Literal["pixels", "features"]
SPILLED: frozenset[EvictionReason] = frozenset({"memory", "count", "limit_lowered"})


@dataclass(slots=True, eq=False)
class Held:
    """One entry.

    Attributes:
        level: what it is.
        key: a :class:`~app.cache.units.UnitKey` for features; content and settings for pixels.
        value: features, or a :class:`~app.cache.units.PixelEntry`.
        geometry: of the unit, for features.
        persist: whether it may go to disk.
        nbytes: what it was charged with.
    """

    level: Level
    key: Any
    value: Any
    geometry: UnitGeometry | None = None
    persist: bool = True
    nbytes: int = 0


class VisionEntries(Telling[VisionCacheStats]):
    """Pixels and features by key; whenever the lock is free, ledger.used == sum of the entries' bytes <= limit.

    Attributes:
        limits: how many entries of each level may be held; 0 switches a level off.
        ledger: bytes of both levels.
        order: entries by last use.
        spill: called, without the lock, with features that left and may go to disk.
    """

    def __init__(self, limits: Mapping[Level, int], max_bytes: int, bus: EventBus | None = None) -> None:
        super().__init__(threading.RLock(), VisionCacheStats(), "vision", bus)
        self.limits = dict(limits)
        self.ledger = ByteLedger(max_bytes)
        self.order: LRU[Held] = LRU()
        self.spill: Callable[[Held], None] | None = None
        self._held: dict[Level, OrderedDict[Any, Held]] = {"pixels": OrderedDict(), "features": OrderedDict()}
        self._leaving: list[Held] = []

    def __len__(self) -> int:
        return len(self.order)

    def count(self, level: Level) -> int:
        """Return how many entries of one level there are."""
        return len(self._held[level])

    def get(self, level: Level, key: Any) -> Held | None:
        """Return an entry, without refreshing it."""
        with self.lock:
            return self._held[level].get(key)

    def touch(self, held: Held) -> None:
        """Make an entry the most recently used."""
        with self.lock:
            self.order.touch(held)

    def keep(self, held: Held, *, told: bool = True) -> bool:
        """Take in a copy of what ``held`` has; ``False``, with nothing changed, if it cannot fit.

        ``told=False`` says nothing to the subscribers: it only came back from the disk.
        """
        nbytes = nested_nbytes(held.value)
        with self.lock:
            kept = self.limits[held.level] > 0 and nbytes <= self.ledger.limit - self.ledger.reserved
            if kept:
                held.value, held.nbytes = detached(held.value), nbytes
                self._make_room(held)
                kept = self.ledger.charge(nbytes)
            if kept:
                self._held[held.level][held.key] = held
                self.order.touch(held)
                if told:
                    self.tell(CacheEvent("stored", "vision", held.level, 0, nbytes))
            else:
                self.counters.refused += 1
        self.flush()
        return kept

    def _make_room(self, new: Held) -> None:
        """Make room for an entry; the old one of the same key goes first, so that no bystander does."""
        old = self._held[new.level].get(new.key)
        if old is not None:
            self.evict(old, "replaced")
        while len(self._held[new.level]) >= self.limits[new.level]:
            self.evict(next(held for held in self.order if held.level == new.level), "count")
        while self.ledger.free < new.nbytes and self._evict_oldest("memory"):
            pass

    def set_limit(self, nbytes: int) -> None:
        """Change the byte limit and evict down to it."""
        with self.lock:
            self.ledger.set_limit(nbytes)
            while self.ledger.overdraft and self._evict_oldest("limit_lowered"):
                pass
            self.tell(CacheEvent("resized", "vision", "", 0, nbytes))
        self.flush()

    def clear(self) -> None:
        """Forget everything."""
        with self.lock:
            nbytes = self.ledger.used
            for held in list(self.order):
                self.evict(held, "cleared")
            self.tell(CacheEvent("cleared", "vision", "", 0, nbytes))
        self.flush()

    def drop(self, identity: str) -> None:
        """Spill and forget the features of one model."""
        with self.lock:
            for held in [h for h in self._held["features"].values() if h.key.identity == identity]:
                self._leaving.append(held)
                self.evict(held, "cleared")
        self.flush()

    def spill_all(self) -> None:
        """Spill all features; they stay."""
        with self.lock:
            self._leaving += self._held["features"].values()
        self.flush()

    def evict(self, held: Held, reason: EvictionReason) -> None:
        """Let an entry go; :meth:`flush` then spills it, where that is wanted."""
        with self.lock:
            del self._held[held.level][held.key]
            self.order.discard(held)
            self.ledger.refund(held.nbytes)
            self.counters.left(reason)
            self.tell(CacheEvent("evicted", "vision", reason, 0, held.nbytes))
            if held.level == "features" and reason in SPILLED:
                self._leaving.append(held)

    def _evict_oldest(self, reason: EvictionReason) -> bool:
        held = self.order.victim()
        if held is None:
            return False
        self.evict(held, reason)
        return True

    def flush(self) -> None:
        """Spill what left and tell the subscribers what happened; call it without holding the lock."""
        with self.lock:
            leaving, self._leaving = self._leaving, []
        for held in leaving:
            if held.persist and self.spill is not None:
                self.spill(held)
        super().flush()

    def holdings(self) -> list[Holding]:
        """Return the entries as a list for people, last used first."""
        with self.lock:
            return [self._holding(held) for held in reversed(list(self.order))]

    def _holding(self, held: Held) -> Holding:
        added, used = self.order.times(held)
        if held.level == "pixels":
            return Holding("vision", "pixels", "", held.nbytes, added_at=added, used_at=used)
        tokens, key = rows_of(held.value), held.key
        return Holding("vision", "features", key.identity, held.nbytes, tokens, tokens, (), key.digest, added, used)
