"""Features after the projector, per encoder unit: the half of the vision cache that the engine speaks to.

A unit is what the tower encodes at once: a whole picture, or one tile of it where the family's tiles are independent.
Features are kept per unit and never as one composite for a request, so that ten pictures of which nine are known cost
one encoder call. Features are a function of pixels, model and processor settings only; sampled tokens and logits are
never kept here. What a unit looks like to the prompt (its grid and token count) is remembered even after its features
had to go: it is a few bytes, and saves decoding a picture only to learn how many placeholders it needs.
"""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from app.cache.config import MIB
from app.cache.events import CacheEvent, EventBus
from app.cache.identity import namespace_of
from app.cache.inventory import Holding
from app.cache.protocols import TierRow
from app.cache.sizes import nested_nbytes
from app.cache.units import (
    Features,
    Geometries,
    UnitFeatures,
    UnitGeometry,
    UnitKey,
    fault_of,
    fresh_handles,
    rows_of,
)
from app.cache.vision_entries import Held, VisionEntries
from app.cache.vision_stats import VisionCacheStats
from app.cache.vision_tier import FeatureTier

log = logging.getLogger(__name__)

GEOMETRIES = 20_000
"""So many units' geometries are remembered."""


class UnitCache:
    """Features by unit, within one byte budget and a count limit for each level, with a disk tier behind them.

    Args:
        max_pixel_entries: count limit of the pixel level; 0 switches it off.
        max_encoding_entries: count limit of the feature level; 0 switches it off.
        enabled: ``False`` makes every look-up a miss and keeps nothing.
        max_memory_mb: budget of both levels in MiB.
        max_bytes: the same in bytes; takes precedence.
        bus: where events go.

    Attributes:
        entries: what it holds.
        tier: the way to the disk tier, if there is one.
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
        nbytes = int(max_memory_mb * MIB) if max_bytes is None else max_bytes
        self.entries = VisionEntries({"pixels": max_pixel_entries, "features": max_encoding_entries}, nbytes, bus)
        self.tier = FeatureTier(on_fault=self.entries.bypass)
        self._geometries = Geometries(GEOMETRIES)
        self.entries.spill = self._spill

    def __len__(self) -> int:
        return len(self.entries)

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
        return self._get(UnitKey(namespace_of(identity), digest, tuple(grid), settings), tokens)

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
        geometry = UnitGeometry(key.grid, rows_of(features) if tokens is None else tokens, seconds)
        return self._put(Held("features", key, features, geometry, persist), tokens)

    def holds(self, identity: object, digest: str, settings: str = "", *, grid: Sequence[int] = ()) -> bool:
        """Whether a unit's features are in memory or on disk; counts nothing, refreshes nothing, reads no file."""
        key = UnitKey(namespace_of(identity), digest, tuple(grid), settings)
        if not self._keeps_features:
            return False
        return self.entries.get("features", key) is not None or self.tier.holds(key.identity, key.text)

    def geometry(
        self, identity: object, digest: str, settings: str = "", *, grid: Sequence[int] = ()
    ) -> UnitGeometry | None:
        """Return grid, token count and encode time of a unit that was encoded before, also if its features are gone."""
        return self._geometries.get(UnitKey(namespace_of(identity), digest, tuple(grid), settings))

    def skip(self, identity: object, digest: str, settings: str = "", *, grid: Sequence[int] = ()) -> float:
        """Count a unit that reused KV state covers, so that nobody asked for its features; return seconds saved."""
        geometry = self.geometry(identity, digest, settings, grid=grid) or UnitGeometry(tuple(grid), 0, 0.0)
        self._skipped(geometry, hit=False)
        return geometry.seconds

    # -- budget and figures -----------------------------------------------------------------------------------------

    def get_stats(self) -> dict[str, Any]:
        """Return counters and sizes at one moment."""
        with self.entries.lock:
            return {
                **self.entries.counters.to_dict(),
                "bytes": self.entries.ledger.used,
                "max_bytes": self.entries.ledger.limit,
                "pixel_entries": self.entries.count("pixels"),
                "encoding_entries": self.entries.count("features"),
            }

    @property
    def stats(self) -> VisionCacheStats:
        """A consistent copy of the counters."""
        with self.entries.lock:
            return self.entries.counters.copy(self.entries.ledger.used)

    def reset_stats(self) -> None:
        """Zero the counters; sizes stay."""
        with self.entries.lock:
            self.entries.counters = VisionCacheStats()

    def row(self) -> TierRow:
        """Return a consistent statistics row; safe from any thread."""
        with self.entries.lock:
            stats, ledger = self.entries.counters, self.entries.ledger
            extra: Mapping[str, float | int | str] = {
                "encoder_skips": stats.encoder_skips,
                "encoder_calls": stats.total_images_processed,
                "seconds_saved": stats.total_time_saved,
                "pixel_hits": stats.pixel_cache_hits,
            }
            size = (len(self), ledger.used, ledger.limit)
            counts = (stats.encoding_cache_hits, stats.encoding_cache_misses, stats.bypassed)
            return TierRow("vision", *size, *counts, stats.reasons(), extra)

    def holdings(self) -> list[Holding]:
        """Return the entries as a list for people, last used first; safe from any thread."""
        return self.entries.holdings()

    def set_limit(self, nbytes: int) -> None:
        """Change the byte budget now, evicting down to it; 0 turns the cache off."""
        self.entries.set_limit(nbytes)

    def clear(self) -> None:
        """Forget pixels, features and geometries."""
        self._geometries.clear()
        self.entries.clear()

    def drop(self, identity: object) -> None:
        """Spill (where a tier is attached) and forget the features of one model."""
        self.entries.drop(namespace_of(identity))

    def spill_all(self) -> None:
        """Hand all features to the disk tier; they stay in memory."""
        self.entries.spill_all()

    # -- inside -----------------------------------------------------------------------------------------------------

    @property
    def _keeps_features(self) -> bool:
        return self.enabled and self.entries.limits["features"] > 0

    def _get(self, key: UnitKey, tokens: int | None = None) -> UnitFeatures | None:
        """Return features, checked against ``tokens`` where given, and count what was found. Never raises."""
        try:
            found = self._from_memory(key, tokens) or self._from_disk(key, tokens)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.entries.bypass(f"look-up failed ({error})", error)
            return None
        if found is None:
            self._missed()
        else:
            self._skipped(found.geometry)
        return found

    def _put(self, held: Held, tokens: int | None = None) -> bool:
        """Keep features that were encoded just now, if they add up. Never raises."""
        geometry = held.geometry
        assert geometry is not None
        self._encoded(geometry, nested_nbytes(held.value))
        fault = fault_of(held.value, geometry.grid, tokens)
        if fault:
            self._refused(fault)
            return False
        self._geometries.put(held.key, geometry)
        return self._keep(held)

    def _from_memory(self, key: UnitKey, tokens: int | None) -> UnitFeatures | None:
        with self.entries.lock:
            held = self.entries.get("features", key) if self.enabled else None
            if held is None or held.geometry is None:
                return None
            if fault_of(held.value, held.geometry.grid, held.geometry.tokens if tokens is None else tokens):
                self.entries.evict(held, "damaged")
                return None
            self.entries.touch(held)
            return UnitFeatures(fresh_handles(held.value), held.geometry)

    def _from_disk(self, key: UnitKey, tokens: int | None) -> UnitFeatures | None:
        loaded = self.tier.load(key.identity, key.text) if self._keeps_features else None
        if loaded is None:
            return None
        features, meta = loaded
        geometry = UnitGeometry(tuple(meta.get("grid", key.grid)), int(meta["tokens"]), float(meta["seconds"]))
        if fault_of(features, geometry.grid, geometry.tokens if tokens is None else tokens):
            return None
        self._geometries.put(key, geometry)
        self._keep(Held("features", key, features, geometry), told=False)
        return UnitFeatures(fresh_handles(features), geometry, "disk")

    def _keep(self, held: Held, *, told: bool = True) -> bool:
        try:
            if self.enabled:
                return self.entries.keep(held, told=told)
        except Exception as error:  # noqa: BLE001 - a fault in a cache must not break a chat
            self.entries.bypass(f"storing failed ({error})", error)
        with self.entries.lock:
            self.entries.counters.refused += 1
        return False

    def _spill(self, held: Held) -> None:
        assert held.geometry is not None
        geometry = held.geometry
        meta = {"tokens": geometry.tokens, "seconds": geometry.seconds, "grid": list(geometry.grid)}
        self.tier.spill(held.key.identity, held.key.text, held.value, meta)

    # -- counting and telling ---------------------------------------------------------------------------------------

    def _encoded(self, geometry: UnitGeometry, nbytes: int) -> None:
        with self.entries.lock:
            self.entries.counters.total_images_processed += 1
            self.entries.tell(CacheEvent("encoded", "vision", "", geometry.tokens, nbytes, geometry.seconds))

    def _refused(self, fault: str) -> None:
        log.warning("Vision features were not kept: %s", fault)
        with self.entries.lock:
            self.entries.counters.refused += 1
        self.entries.flush()

    def _missed(self) -> None:
        with self.entries.lock:
            self.entries.counters.encoding_cache_misses += 1
            self.entries.tell(CacheEvent("missed", "vision", "these pixels were not encoded yet"))
        self.entries.flush()

    def _skipped(self, geometry: UnitGeometry, *, hit: bool = True) -> None:
        with self.entries.lock:
            counts = self.entries.counters
            counts.encoding_cache_hits += hit
            counts.encoder_skips += 1
            counts.total_time_saved += geometry.seconds
            self.entries.tell(CacheEvent("encoder_skipped", "vision", "", geometry.tokens, 0, geometry.seconds))
        self.entries.flush()
