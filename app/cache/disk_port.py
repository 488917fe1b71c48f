"""How a prompt store speaks to the tier behind it. Without a tier every answer is "nothing"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, cast

from app.cache.matching import Stored
from app.cache.media import MediaSpan, cut_before_span
from app.cache.protocols import MatchKind
from app.cache.snapshot import Snapshot


class DiskTier(Protocol):
    """What is asked of ``SSDCacheTier``."""

    def enqueue_spill(self, tokens: Sequence[int], cache: Any, memory_bytes: int = 0) -> bool:
        """Queue a state for writing."""
        ...

    def lookup_ssd(self, tokens: Sequence[int]) -> dict[str, Any] | None:
        """Return what is known of exactly ``tokens``."""
        ...

    def lookup_ssd_prefix(self, tokens: Sequence[int], most: int | None = None) -> dict[str, Any] | None:
        """Return what is known of the longest stored prefix of ``tokens``."""
        ...


@dataclass(frozen=True, slots=True)
class FromDisk:
    """A state that was read, and how much of it the prompt can use."""

    snapshot: Snapshot
    reused: int
    kind: MatchKind
    why: str = "the rest is new"


class DiskPort:
    """A tier, or none."""

    def __init__(self, tier: object | None = None) -> None:
        self.tier = tier

    def use(self, identity: str) -> None:
        """Point the tier at a namespace."""
        if hasattr(self.tier, "use"):
            cast(Any, self.tier).use(identity)

    def spill(self, entry: Stored, back_to: str) -> bool:
        """Queue ``entry`` in its own namespace, then return to the one in use; ``False`` if it was not taken."""
        if self.tier is None:
            return True
        self.use(entry.identity)
        try:
            return cast(DiskTier, self.tier).enqueue_spill(entry.tokens, entry.snapshot, entry.nbytes)
        finally:
            self.use(back_to)

    def wait(self, seconds: float) -> None:
        """Let the tier write what is queued, for at most ``seconds``."""
        if seconds > 0 and hasattr(self.tier, "flush"):
            cast(Any, self.tier).flush(seconds)

    def check(self, tokens: Sequence[int]) -> dict[str, Any] | None:
        """Say what the tier holds for ``tokens``, without reading a file."""
        if self.tier is None:
            return None
        tier = cast(DiskTier, self.tier)
        found = tier.lookup_ssd(tokens)
        if found is not None:
            return {**found, "match_type": "exact", "matched_tokens": len(tokens)}
        found = tier.lookup_ssd_prefix(tokens)
        if found is None:
            return None
        matched = found.get("matched_tokens", found.get("num_tokens", 0))
        return {**found, "match_type": "prefix", "matched_tokens": matched}

    def longer(
        self, tokens: Sequence[int], spans: Sequence[MediaSpan], in_memory: int, minimum: int
    ) -> FromDisk | None:
        """Read the longest stored prefix if it reuses more than ``in_memory`` tokens, at least ``minimum``.

        One token is left to run. Where memory serves the prompt and the disk has no more, nothing was missed there.
        """
        most, at_least = len(tokens) - 1, max(in_memory + 1, minimum)
        if not hasattr(self.tier, "load") or at_least > most:
            return None
        tier = cast(Any, self.tier)
        found = tier.lookup_ssd_prefix(tokens, most)
        reused = 0 if found is None else cut_before_span(min(found["num_tokens"], most), spans)
        if reused < at_least:
            if not in_memory and hasattr(tier, "missed"):
                tier.missed()
            return None
        snapshot = tier.load(found, reused)
        if snapshot is None or snapshot.n_tokens < reused:
            return None
        return FromDisk(snapshot, reused, "prefix")
