"""The vision cache: processed pixels, and features after the projector, per encoder unit.

A unit is what the tower encodes at once: a whole picture, or one tile of it where the family's tiles are independent.
Features are kept per unit and never as one composite for a request, so that ten pictures of which nine are known cost
one encoder call. Features are a function of pixels, model and processor settings only; sampled tokens and logits are
never kept here. What a unit looks like to the prompt (its grid and token count) is remembered even after its features
had to go: it is a few bytes, and saves decoding a picture only to learn how many placeholders it needs.
"""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from app.cache.config import MIB
from app.cache.events import CacheEvent, EventBus, EvictionReason
from app.cache.identity import namespace_of
from app.cache.inventory import Holding
from app.cache.ledger import ByteLedger
from app.cache.lru import LRU
from app.cache.pixels import compute_image_hash, compute_images_hash
from app.cache.protocols import TierRow
from app.cache.sizes import nested_nbytes
from app.cache.units import (
    Features,
    PixelEntry,
    UnitFeatures,
    UnitGeometry,
    UnitKey,
    detached,
    fault_of,
    fresh_handles,
    rows_of,
)
from app.cache.vision_stats import VisionCacheStats
from app.cache.vision_tier import FeatureTier

log = logging.getLogger(__name__)

Level = Literal["pixels", "features"]
GEOMETRIES = 20_000


@dataclass(slots=True, eq=False)
class _Held:
    level: Level
    key: Any
    value: Any
    nbytes: int
    persist: bool = True


class VisionEmbeddingCache:
    """Pixels and features within one byte budget and a count limit for each.

    Args:
        max_pixel_entries: count limit of the pixel level; 0 switches it off.
        max_encoding_entries: count limit of the feature level; 0 switches it off.
        enabled: ``False`` makes every look-up a miss and keeps nothing.
        max_memory_mb: budget of both levels in MiB.
        max_bytes: the same in bytes; takes precedence.
        bus: where events go.
    """

    def __init__(
        self,
        max_pixel_entries: int = 100,
        max_encoding_entries: int = 50,
        enabled: bool = True,
        *,
        max_memory_mb: float = 512,
        max_bytes: int | None = None,
        bus: EventBus | None = None,
    ) -> None:
        self.enabled = enabled
        self.limits: dict[Level, int] = {"pixels": max_pixel_entries, "features": max_encoding_entries}
        self.ledger = ByteLedger(int(max_memory_mb * MIB) if max_bytes is None else max_bytes)
        self.bus = bus or EventBus()
        self.tier = FeatureTier()
        self._lock = threading.RLock()
        self._held: dict[Level, OrderedDict[Any, _Held]] = {"pixels": OrderedDict(), "features": OrderedDict()}
        self._order: LRU[_Held] = LRU()
        self._geometries: OrderedDict[UnitKey, UnitGeometry] = OrderedDict()
        self._stats = VisionCacheStats()
        self._events: list[CacheEvent] = []
        self._leaving: list[_Held] = []

    def __len__(self) -> int:
        return len(self._order)

    # -- features of one unit ---------------------------------------------------------------------------------------

    def get_unit(
        self,
        identity: object,
        digest: str,
        settings: str = "",
        *,
        grid: Sequence[int] = (),
        tokens: int | None = None,
    ) -> UnitFeatures | None:
        """Return a unit's features from memory or disk, or ``None``.

        Args:
            identity: model, as a :class:`~app.cache.identity.CacheIdentity` or its digest.
            digest: content of the unit.
            settings: what else the processor's output depends on.
            grid: the unit's shape.
            tokens: placeholders in the prompt; an entry of another length is deleted and counts as a miss.
        """
        key = UnitKey(namespace_of(identity), digest, tuple(grid), settings)
        found = self._from_memory(key, tokens) or self._from_disk(key, tokens)
        with self._lock:
            if found is None:
                self._stats.encoding_cache_misses += 1
                self._events.append(CacheEvent("missed", "vision", "these pixels were not encoded yet"))
            else:
                self._skipped(found.geometry)
        self._flush()
        return found

    def put_unit(
        self,
        identity: object,
        digest: str,
        settings: str = "",
        *,
        features: Features,
        grid: Sequence[int] = (),
        tokens: int | None = None,
        seconds: float = 0.0,
        persist: bool = True,
    ) -> bool:
        """Keep the features of one unit; ``False``, with nothing changed, if they do not fit or do not add up.

        Args:
            identity: see :meth:`get_unit`.
            digest: content of the unit.
            settings: see :meth:`get_unit`.
            features: an array or nested tuples of arrays; copied and evaluated.
            grid: the unit's shape.
            tokens: placeholders that the unit takes; checked against the features where given.
            seconds: what encoding took.
            persist: whether they may go to disk.
        """
        key = UnitKey(namespace_of(identity), digest, tuple(grid), settings)
        rows = rows_of(features) if tokens is None else tokens
        with self._lock:
            self._stats.total_images_processed += 1
            self._events.append(CacheEvent("encoded", "vision", "", rows, nested_nbytes(features), seconds))
        fault = fault_of(features, key.grid, tokens)
        if fault:
            log.warning("Vision features were not kept: %s", fault)
            with self._lock:
                self._stats.refused += 1
            self._flush()
            return False
        self._remember(key, UnitGeometry(key.grid, rows, seconds))
        return self._keep("features", key, features, persist)

    def holds(self, identity: object, digest: str, settings: str = "", *, grid: Sequence[int] = ()) -> bool:
        """Whether a unit's features are in memory or on disk; counts nothing, refreshes nothing, reads no file."""
        key = UnitKey(namespace_of(identity), digest, tuple(grid), settings)
        if not self.enabled or self.limits["features"] < 1:
            return False
        with self._lock:
            held = key in self._held["features"]
        return held or self.tier.holds(key.identity, key.text)

    def geometry(
        self, identity: object, digest: str, settings: str = "", *, grid: Sequence[int] = ()
    ) -> UnitGeometry | None:
        """Return grid, token count and encode time of a unit that was encoded before, also if its features are gone."""
        with self._lock:
            return self._geometries.get(UnitKey(namespace_of(identity), digest, tuple(grid), settings))

    def skip(self, identity: object, digest: str, settings: str = "", *, grid: Sequence[int] = ()) -> float:
        """Count a unit that reused KV state covers, so that nobody asked for its features; return seconds saved."""
        geometry = self.geometry(identity, digest, settings, grid=grid) or UnitGeometry(tuple(grid), 0, 0.0)
        with self._lock:
            self._skipped(geometry, hit=False)
        self._flush()
        return geometry.seconds

    # -- contract ---------------------------------------------------------------------------------------------------

    def get_features(self, image: Any, identity: object) -> Features | None:
        """Return the features of a picture (path, bytes, Pillow image or digest), or ``None``.

        Raises:
            ImageRefused: the picture cannot be decoded.
        """
        digest = _digest(image)
        with self._lock:
            wanted = (namespace_of(identity), digest, "")
            grid = next((k.grid for k in self._geometries if (k.identity, k.digest, k.settings) == wanted), ())
        found = self.get_unit(identity, digest, grid=grid)
        return None if found is None else found.features

    def set_features(
        self, image: Any, identity: object, features: Features, grid: Sequence[int], encode_time: float = 0.0
    ) -> bool:
        """Keep the features of a picture; ``False`` if their number cannot belong to ``grid``.

        Raises:
            ImageRefused: the picture cannot be decoded.
        """
        flat = _flat_grid(grid)
        return self.put_unit(identity, _digest(image), features=features, grid=flat, seconds=encode_time)

    def get_pixel_values(self, images: Sequence[Any], settings: str = "") -> PixelEntry | None:
        """Return what the processor made of these pictures in this order, or ``None``.

        Raises:
            ImageRefused: one of the pictures cannot be decoded.
        """
        key = (compute_images_hash(images), settings)
        with self._lock:
            held = self._held["pixels"].get(key) if self.enabled else None
            if held is None:
                self._stats.pixel_cache_misses += 1
                return None
            self._order.touch(held)
            self._stats.pixel_cache_hits += 1
            self._stats.total_time_saved += held.value.processing_time
            entry: PixelEntry = held.value
        handed: PixelEntry = fresh_handles(entry)
        return handed

    def set_pixel_values(
        self,
        images: Sequence[Any],
        pixel_values: Any,
        image_grid_thw: Any = None,
        processing_time: float = 0.0,
        settings: str = "",
    ) -> bool:
        """Keep what the processor made of these pictures.

        Raises:
            ImageRefused: one of the pictures cannot be decoded.
        """
        entry = PixelEntry(pixel_values, image_grid_thw, processing_time)
        return self._keep("pixels", (compute_images_hash(images), settings), entry, persist=False)

    def get_stats(self) -> dict[str, Any]:
        """Return counters and sizes at one moment."""
        with self._lock:
            return {
                **self._stats.to_dict(),
                "bytes": self.ledger.used,
                "max_bytes": self.ledger.limit,
                "pixel_entries": len(self._held["pixels"]),
                "encoding_entries": len(self._held["features"]),
            }

    @property
    def stats(self) -> VisionCacheStats:
        """A consistent copy of the counters."""
        with self._lock:
            return self._stats.copy(self.ledger.used)

    def reset_stats(self) -> None:
        """Zero the counters; sizes stay."""
        with self._lock:
            self._stats = VisionCacheStats()

    def set_limit(self, nbytes: int) -> None:
        """Change the byte budget now, evicting down to it; 0 turns the cache off."""
        with self._lock:
            self.ledger.set_limit(nbytes)
            while self.ledger.overdraft and self._evict_oldest("limit_lowered"):
                pass
            self._events.append(CacheEvent("resized", "vision", "", 0, nbytes))
        self._flush()

    def clear(self) -> None:
        """Forget pixels, features and geometries."""
        with self._lock:
            nbytes = self.ledger.used
            for held in list(self._order):
                self._evict(held, "cleared")
            self._geometries.clear()
            self._events.append(CacheEvent("cleared", "vision", "", 0, nbytes))
        self._flush()

    def drop(self, identity: object) -> None:
        """Spill (where a tier is attached) and forget the features of one model."""
        name = namespace_of(identity)
        with self._lock:
            for held in [h for h in self._held["features"].values() if h.key.identity == name]:
                self._leaving.append(held)
                self._evict(held, "cleared")
        self._flush()

    def spill_all(self) -> None:
        """Hand all features to the disk tier; they stay in memory."""
        with self._lock:
            self._leaving += self._held["features"].values()
        self._flush()

    def row(self) -> TierRow:
        """Return a consistent statistics row; safe from any thread."""
        with self._lock:
            stats = self._stats
            extra: Mapping[str, float | int | str] = {
                "encoder_skips": stats.encoder_skips,
                "encoder_calls": stats.total_images_processed,
                "seconds_saved": stats.total_time_saved,
                "pixel_hits": stats.pixel_cache_hits,
            }
            size = (len(self._order), self.ledger.used, self.ledger.limit)
            counts = (stats.encoding_cache_hits, stats.encoding_cache_misses, stats.bypassed)
            return TierRow("vision", *size, *counts, stats.reasons(), extra)

    def holdings(self) -> list[Holding]:
        """Return the entries as a list for people, last used first; safe from any thread."""
        with self._lock:
            return [self._holding(held) for held in reversed(list(self._order))]

    # -- inside -----------------------------------------------------------------------------------------------------

    def _holding(self, held: _Held) -> Holding:
        added, used = self._order.times(held)
        if held.level == "pixels":
            return Holding("vision", "pixels", "", held.nbytes, added_at=added, used_at=used)
        tokens, key = rows_of(held.value), held.key
        return Holding("vision", "features", key.identity, held.nbytes, tokens, tokens, (), key.digest, added, used)

    def _from_memory(self, key: UnitKey, tokens: int | None) -> UnitFeatures | None:
        with self._lock:
            held = self._held["features"].get(key) if self.enabled else None
            if held is None:
                return None
            geometry = self._geometries.get(key) or UnitGeometry(key.grid, rows_of(held.value), 0.0)
            if fault_of(held.value, key.grid, geometry.tokens if tokens is None else tokens):
                self._evict(held, "damaged")
                return None
            self._order.touch(held)
            value = held.value
        return UnitFeatures(fresh_handles(value), geometry)

    def _from_disk(self, key: UnitKey, tokens: int | None) -> UnitFeatures | None:
        if not self.enabled or self.limits["features"] < 1:
            return None
        loaded = self.tier.load(key.identity, key.text)
        if loaded is None:
            return None
        features, meta = loaded
        geometry = UnitGeometry(key.grid, int(meta["tokens"]), float(meta["seconds"]))
        if fault_of(features, key.grid, geometry.tokens if tokens is None else tokens):
            return None
        self._remember(key, geometry)
        self._keep("features", key, features, persist=True, told=False)
        return UnitFeatures(fresh_handles(features), geometry, "disk")

    def _skipped(self, geometry: UnitGeometry, *, hit: bool = True) -> None:
        self._stats.encoding_cache_hits += hit
        self._stats.encoder_skips += 1
        self._stats.total_time_saved += geometry.seconds
        self._events.append(CacheEvent("encoder_skipped", "vision", "", geometry.tokens, 0, geometry.seconds))

    def _remember(self, key: UnitKey, geometry: UnitGeometry) -> None:
        with self._lock:
            self._geometries[key] = geometry
            self._geometries.move_to_end(key)
            while len(self._geometries) > GEOMETRIES:
                self._geometries.popitem(last=False)

    def _keep(self, level: Level, key: Any, value: Any, persist: bool, told: bool = True) -> bool:
        nbytes = nested_nbytes(value)
        with self._lock:
            kept = self.enabled and self.limits[level] > 0 and nbytes <= self.ledger.limit - self.ledger.reserved
            if kept:
                self._replace(level, key, nbytes)
                held = _Held(level, key, detached(value), nbytes, persist)
                kept = self.ledger.charge(nbytes)
            if kept:
                self._held[level][key] = held
                self._order.touch(held)
                if told:
                    self._events.append(CacheEvent("stored", "vision", level, 0, nbytes))
            else:
                self._stats.refused += 1
        self._flush()
        return kept

    def _replace(self, level: Level, key: Any, nbytes: int) -> None:
        """Make room for an entry; the old one of the same key goes first, so that no bystander does."""
        old = self._held[level].get(key)
        if old is not None:
            self._evict(old, "replaced")
        while len(self._held[level]) >= self.limits[level]:
            oldest = next(held for held in self._order if held.level == level)
            self._evict(oldest, "count")
        while self.ledger.free < nbytes and self._evict_oldest("memory"):
            pass

    def _evict_oldest(self, reason: EvictionReason) -> bool:
        held = self._order.victim()
        if held is None:
            return False
        self._evict(held, reason)
        return True

    def _evict(self, held: _Held, reason: EvictionReason) -> None:
        del self._held[held.level][held.key]
        self._order.discard(held)
        self.ledger.refund(held.nbytes)
        self._stats.left(reason)
        self._events.append(CacheEvent("evicted", "vision", reason, 0, held.nbytes))
        if held.level == "features" and reason in {"memory", "count", "limit_lowered"}:
            self._leaving.append(held)

    def _flush(self) -> None:
        with self._lock:
            events, self._events = self._events, []
            leaving, self._leaving = self._leaving, []
            geometries = {id(h): self._geometries.get(h.key) for h in leaving}
        for held in leaving:
            geometry = geometries[id(held)] or UnitGeometry(held.key.grid, rows_of(held.value), 0.0)
            if held.persist:
                meta = {"tokens": geometry.tokens, "seconds": geometry.seconds}
                self.tier.spill(held.key.identity, held.key.text, held.value, meta)
        self.bus.emit(*events)


def _digest(image: Any) -> str:
    """Return the content digest of a picture; 64 hex digits are one already."""
    if isinstance(image, str) and len(image) == 64 and all(c in "0123456789abcdef" for c in image):
        return image
    return compute_image_hash(image)


def _flat_grid(grid: Any) -> tuple[int, ...]:
    """Return a grid given as numbers, nested lists or an array as a flat tuple."""
    values = grid.tolist() if hasattr(grid, "tolist") else grid
    return tuple(int(n) for item in (values or ()) for n in (item if isinstance(item, (list, tuple)) else (item,)))
