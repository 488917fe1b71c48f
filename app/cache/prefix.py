"""Whole-entry prefix cache with a count limit: the simplest prompt store, and the one to compare others with."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from app.cache.entries import EntryStore
from app.cache.events import EventBus
from app.cache.promptstore import WholeEntryPrompts

UNLIMITED = 1 << 62


class PrefixCacheManager(WholeEntryPrompts):
    """Up to ``max_entries`` whole sequences, least recently used out first.

    Args:
        model: a :class:`~app.cache.identity.CacheIdentity` or an identity digest; anything else names no namespace.
        max_entries: count limit.
        max_bytes: byte limit, in practice none.
        bus: where events go.

    Raises:
        ValueError: ``max_entries`` is under 1.
    """

    def __init__(
        self, model: object = None, max_entries: int = 100, *, max_bytes: int = UNLIMITED, bus: EventBus | None = None
    ) -> None:
        if max_entries < 1:
            raise ValueError(f"max_entries must be at least 1, not {max_entries}")
        super().__init__(EntryStore(max_bytes, max_entries, bus), model)

    def fetch_cache(self, tokens: Sequence[int]) -> tuple[list[Any] | None, list[int]]:
        """Return private layer caches for the longest reusable prefix, and the tokens still to run (at least one)."""
        found = self.lookup(tokens)
        return found.cache, list(tokens[found.reused :])

    def store_cache(self, tokens: Sequence[int], prompt_cache: Sequence[Any]) -> bool:
        """Keep a snapshot of ``prompt_cache``, which holds exactly ``tokens``; storing again replaces."""
        return self._keep(tokens, prompt_cache, supersede=False)

    def get_stats(self) -> dict[str, Any]:
        """Return counters at one moment."""
        counts = self.entries.snapshot_counters()
        return {
            "hits": counts.hits,
            "misses": counts.misses,
            "hit_rate": counts.hit_rate,
            "tokens_saved": counts.tokens_saved,
            "total_queries": counts.queries,
            "evictions": counts.evictions,
            "evictions_by_reason": counts.reasons(),
            "bypassed": counts.bypassed,
        }
