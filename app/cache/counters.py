"""What a prompt store counted since the last reset. Sizes are not counters and are never reset."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from app.cache.events import EVICTION_REASONS, EvictionReason
from app.cache.protocols import MatchKind


@dataclass(slots=True)
class Counters:
    """Counts of one prompt store; the owner's lock covers it.

    Attributes:
        hits: look-ups that reused something.
        misses: look-ups that reused nothing.
        bypassed: requests that could not use the store (fault, placeholders without spans, refused layers).
        tokens_saved: tokens that did not have to be run.
        kinds: look-ups by how they matched.
        evicted: removed entries by reason.
        stored: entries accepted.
        refused: entries not accepted (too large, too short, pinned full).
    """

    hits: int = 0
    misses: int = 0
    bypassed: int = 0
    tokens_saved: int = 0
    stored: int = 0
    refused: int = 0
    kinds: Counter[MatchKind] = field(default_factory=Counter)
    evicted: Counter[EvictionReason] = field(default_factory=Counter)

    @property
    def queries(self) -> int:
        """Look-ups that were answered."""
        return self.hits + self.misses

    @property
    def hit_rate(self) -> float:
        """Hits per look-up, 0.0 before the first."""
        return self.hits / self.queries if self.queries else 0.0

    @property
    def evictions(self) -> int:
        """Entries that had to go for want of room or because a limit was lowered."""
        return sum(self.evicted[reason] for reason in ("memory", "count", "limit_lowered"))

    def looked_up(self, kind: MatchKind, reused: int) -> None:
        """Count one look-up."""
        self.kinds[kind] += 1
        self.tokens_saved += reused
        if reused:
            self.hits += 1
        else:
            self.misses += 1

    def reasons(self) -> dict[str, int]:
        """Return evictions by reason, with a zero for reasons that did not occur."""
        return {reason: self.evicted[reason] for reason in EVICTION_REASONS}
