"""Figures of the disk tier, all from work done."""

from __future__ import annotations

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any


@dataclass(slots=True)
class SSDCacheStats:
    """Counters since the last reset.

    Latency is in seconds, sizes in bytes. ``promotion_failures`` counts entries that were found but could not be used
    (damaged, gone); ``drops`` counts spills refused because the queue was full or the disk could not take them;
    ``unchanged`` counts spills that wrote nothing, because the disk held the state already.
    """

    spill_count: int = 0
    spill_bytes: int = 0
    ssd_hits: int = 0
    ssd_misses: int = 0
    reload_latency_sum: float = 0.0
    reload_bytes: int = 0
    promotion_failures: int = 0
    drops: int = 0
    quarantined: int = 0
    unchanged: int = 0
    spill_seconds: float = 0.0
    last_error: str = ""
    evictions: Counter[str] = field(default_factory=Counter)

    @property
    def hit_rate(self) -> float:
        """Hits per look-up, 0.0 before the first."""
        queries = self.ssd_hits + self.ssd_misses
        return self.ssd_hits / queries if queries else 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return {**asdict(self), "evictions": dict(self.evictions), "hit_rate": self.hit_rate}
