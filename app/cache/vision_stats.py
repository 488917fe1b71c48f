"""What the vision cache counted since the last reset."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field, replace
from typing import Any

from app.cache.events import EVICTION_REASONS, EvictionReason


@dataclass(slots=True)
class VisionCacheStats:
    """Counters of both levels. ``total_time_saved`` adds the measured encode (or processing) time of what was reused.

    ``encoder_skips`` counts units for which the encoder did not run: known features, and units that reused KV state
    covers. ``bytes`` is the size at the time of asking.
    """

    pixel_cache_hits: int = 0
    pixel_cache_misses: int = 0
    encoding_cache_hits: int = 0
    encoding_cache_misses: int = 0
    total_time_saved: float = 0.0
    total_images_processed: int = 0
    evictions: int = 0
    bytes: int = 0
    encoder_skips: int = 0
    refused: int = 0
    bypassed: int = 0
    evicted: Counter[EvictionReason] = field(default_factory=Counter)

    @property
    def pixel_hit_rate(self) -> float:
        """Hits per look-up of pixels, 0.0 before the first."""
        return _rate(self.pixel_cache_hits, self.pixel_cache_misses)

    @property
    def encoding_hit_rate(self) -> float:
        """Hits per look-up of features, 0.0 before the first."""
        return _rate(self.encoding_cache_hits, self.encoding_cache_misses)

    def copy(self, nbytes: int) -> VisionCacheStats:
        """Return a copy that also says how many bytes are held."""
        return replace(self, bytes=nbytes, evicted=self.evicted.copy())

    def left(self, reason: EvictionReason) -> None:
        """Count an entry that went; ``evictions`` are those that had to go for want of room or a lowered limit."""
        self.evicted[reason] += 1
        self.evictions += reason in {"memory", "count", "limit_lowered"}

    def reasons(self) -> dict[str, int]:
        """Return evictions by reason, with a zero for reasons that did not occur."""
        return {reason: self.evicted[reason] for reason in EVICTION_REASONS}

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {
            "pixel_cache_hits": self.pixel_cache_hits,
            "pixel_cache_misses": self.pixel_cache_misses,
            "pixel_hit_rate": self.pixel_hit_rate,
            "encoding_cache_hits": self.encoding_cache_hits,
            "encoding_cache_misses": self.encoding_cache_misses,
            "encoding_hit_rate": self.encoding_hit_rate,
            "total_time_saved": self.total_time_saved,
            "total_images_processed": self.total_images_processed,
            "encoder_skips": self.encoder_skips,
            "evictions": self.evictions,
            "evictions_by_reason": self.reasons(),
            "refused": self.refused,
            "bypassed": self.bypassed,
            "bytes": self.bytes,
        }


def _rate(hits: int, misses: int) -> float:
    return hits / (hits + misses) if hits + misses else 0.0
