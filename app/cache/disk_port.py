"""How a prompt store speaks to the tier behind it. Without a tier every answer is "nothing"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from app.cache.matching import Stored
from app.cache.media import MediaSpan, cut_before_span
from app.cache.protocols import MatchKind
from app.cache.snapshot import Snapshot


class SpillTier(Protocol):
    """What the cache contract promises of a tier: it takes states, and says what it has."""

    def enqueue_spill(self, tokens: Sequence[int], cache: Any, memory_bytes: int = 0) -> bool:
        """Queue a state for writing."""
        ...

    def lookup_ssd(self, tokens: Sequence[int]) -> dict[str, Any] | None:
        """Return what is known of exactly ``tokens``."""
        ...

    def lookup_ssd_prefix(self, tokens: Sequence[int], most: int | None = None) -> dict[str, Any] | None:
        """Return what is known of the longest stored prefix of ``tokens``."""
        ...


@runtime_checkable
class Namespaced(Protocol):
    """A tier that keeps the states of models apart."""

    def use(self, namespace: str) -> None:
        """Serve and fill the namespace of this identity digest from now on."""
        ...


@runtime_checkable
class Queueing(Protocol):
    """A tier that writes later than it takes."""

    def flush(self, timeout: float = ...) -> bool:
        """Wait until everything queued is written; ``False`` when ``timeout`` seconds were not enough."""
        ...


@runtime_checkable
class Restoring(SpillTier, Protocol):
    """A tier that gives back what it took."""

    def load(self, found: dict[str, Any], n_tokens: int | None = None) -> Snapshot | None:
        """Read what a look-up found, cut to ``n_tokens``."""
        ...

    def missed(self) -> None:
        """Count one look-up that found nothing better than memory had."""
        ...


@dataclass(frozen=True, slots=True)
class FromDisk:
    """A state that was read, and how much of it the prompt can use."""

    snapshot: Snapshot
    reused: int
    kind: MatchKind
    why: str = "the rest is new"


class DiskPort:
    """A tier, or none. What one cannot do, as its protocols say, is not asked of it."""

    def __init__(self, tier: SpillTier | None = None) -> None:
        self.tier = tier

    def use(self, identity: str) -> None:
        """Point the tier at a namespace."""
        if isinstance(self.tier, Namespaced):
            self.tier.use(identity)

    def spill(self, entry: Stored, back_to: str) -> bool:
        """Queue ``entry`` in its own namespace, then return to the one in use; ``False`` if it was not taken."""
        if self.tier is None:
            return True
        self.use(entry.identity)
        try:
            return self.tier.enqueue_spill(entry.tokens, entry.snapshot, entry.nbytes)
        finally:
            self.use(back_to)

    def wait(self, seconds: float) -> None:
        """Let the tier write what is queued, for at most ``seconds``."""
        if seconds > 0 and isinstance(self.tier, Queueing):
            self.tier.flush(seconds)

    def check(self, tokens: Sequence[int]) -> dict[str, Any] | None:
        """Say what the tier holds for ``tokens``, without reading a file."""
        if self.tier is None:
            return None
        found = self.tier.lookup_ssd(tokens)
        if found is not None:
            return {**found, "match_type": "exact", "matched_tokens": len(tokens)}
        found = self.tier.lookup_ssd_prefix(tokens)
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
        tier = self.tier
        if not isinstance(tier, Restoring) or at_least > most:
            return None
        found = tier.lookup_ssd_prefix(tokens, most)
        reused = 0 if found is None else cut_before_span(min(found["num_tokens"], most), spans)
        if found is None or reused < at_least:
            if not in_memory:
                tier.missed()
            return None
        snapshot = tier.load(found, reused)
        if snapshot is None or snapshot.n_tokens < reused:
            return None
        return FromDisk(snapshot, reused, "prefix")
