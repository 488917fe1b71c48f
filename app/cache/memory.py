"""Whole-entry prefix cache with a byte budget: the app's default prompt store."""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.cache.config import MIB
from app.cache.entries import EntryStore
from app.cache.events import EventBus
from app.cache.layers.packed import check_quantization, pack_layer
from app.cache.promptstore import WholeEntryPrompts
from app.cache.snapshot import Snapshot

log = logging.getLogger(__name__)

MINIMUM_LIMIT = 100 * MIB
ASSUMED_RAM = 8 * 1024 * MIB


@dataclass(frozen=True, slots=True)
class MemoryCacheConfig:
    """Limits and choices of :class:`MemoryAwarePrefixCache`.

    Attributes:
        max_memory_mb: byte limit in MiB; ``None`` takes a share of the available RAM.
        max_memory_percent: that share, in (0, 1].
        max_entries: count limit.
        enable_memory_tracking: ``False`` keeps the count limit only.
        kv_quantize: store plain KV layers quantized. Smaller, but no longer bitwise equal to a cold run.
        kv_bits: bits per value.
        kv_group_size: values per scale; layers whose head size is no multiple of it are stored as they are.
        kv_min_quantize_tokens: shorter entries are stored as they are.
        min_prefix_tokens: shorter prefixes are not reused.

    Raises:
        ValueError: a value outside its range, or a quantization that MLX does not have.
    """

    max_memory_mb: float | None = None
    max_memory_percent: float = 0.2
    max_entries: int = 1000
    enable_memory_tracking: bool = True
    kv_quantize: bool = False
    kv_bits: int = 8
    kv_group_size: int = 64
    kv_min_quantize_tokens: int = 256
    min_prefix_tokens: int = 128

    def __post_init__(self) -> None:
        if not 0 < self.max_memory_percent <= 1:
            raise ValueError(f"max_memory_percent must be in (0, 1], not {self.max_memory_percent}")
        if self.max_memory_mb is not None and not 0 <= self.max_memory_mb < math.inf:
            raise ValueError(f"max_memory_mb must be a number of MiB, not {self.max_memory_mb}")
        if self.max_entries < 1:
            raise ValueError(f"max_entries must be at least 1, not {self.max_entries}")
        if self.kv_min_quantize_tokens < 0:
            raise ValueError(f"kv_min_quantize_tokens must not be negative, but is {self.kv_min_quantize_tokens}")
        if self.min_prefix_tokens < 1:
            raise ValueError(f"min_prefix_tokens must be at least 1, not {self.min_prefix_tokens}")
        check_quantization(self.kv_bits, self.kv_group_size)

    def compute_memory_limit(self) -> int:
        """Return the limit in bytes: explicit, else a share of available RAM (at least 100 MiB), else of 8 GiB."""
        if self.max_memory_mb is not None:
            return int(self.max_memory_mb * MIB)
        available = _available_ram()
        if available > 0:
            return max(int(available * self.max_memory_percent), MINIMUM_LIMIT)
        return int(ASSUMED_RAM * self.max_memory_percent)


class MemoryAwarePrefixCache(WholeEntryPrompts):
    """Snapshots of whole sequences within a byte budget, found by longest legal reuse.

    Args:
        model: a :class:`~app.cache.identity.CacheIdentity` or an identity digest; other objects say nothing about
            compatibility and name no namespace.
        config: limits.
        bus: where events go.
    """

    def __init__(
        self, model: object = None, config: MemoryCacheConfig | None = None, *, bus: EventBus | None = None
    ) -> None:
        self.config = config or MemoryCacheConfig()
        limit = self.config.compute_memory_limit() if self.config.enable_memory_tracking else 1 << 62
        super().__init__(EntryStore(limit, self.config.max_entries, bus), model, self.config.min_prefix_tokens)

    # -- contract ---------------------------------------------------------------------------------------------------

    def fetch(self, tokens: Sequence[int]) -> tuple[list[Any] | None, list[int]]:
        """Return private layer caches for the longest reusable prefix, and the tokens still to run (at least one)."""
        found = self.lookup(tokens)
        return found.cache, list(tokens[found.reused :])

    def store(self, tokens: Sequence[int], cache: Sequence[Any], evict_prefixes: bool = True) -> bool:
        """Keep a snapshot of ``cache``, which holds exactly ``tokens``.

        Args:
            tokens: salted tokens.
            cache: live layer caches; they are copied.
            evict_prefixes: let shorter entries go that the new one can be cut back to.

        Returns:
            ``False`` if it was refused: too large, a layer that cannot be copied, or another length than the tokens.
        """
        return self._keep(tokens, cache, supersede=evict_prefixes)

    def remove(self, tokens: Sequence[int]) -> bool:
        """Forget one entry; ``False`` if there is none."""
        return self.entries.remove(self.identity, tokens)

    def try_reserve_memory(self, nbytes: int) -> bool:
        """Promise bytes to work to come, evicting for them; ``False``, with nothing evicted, if they cannot fit."""
        return self.entries.reserve(nbytes)

    def release_reserved_memory(self, nbytes: int) -> None:
        """Take a promise back. Reservations survive :meth:`clear`."""
        self.entries.ledger.release(nbytes)

    @property
    def memory_usage_mb(self) -> float:
        """MiB charged for entries."""
        return self.entries.ledger.used / MIB

    @property
    def memory_limit_mb(self) -> float:
        """MiB allowed."""
        return self.entries.ledger.limit / MIB

    def get_stats(self) -> dict[str, Any]:
        """Return counters and sizes at one moment."""
        with self.entries.lock:
            counts = self.entries.snapshot_counters()
            ledger, count = self.entries.ledger, len(self.entries)
            used, limit, reserved = ledger.used, ledger.limit, ledger.reserved
        return {
            "hits": counts.hits,
            "misses": counts.misses,
            "hit_rate": counts.hit_rate,
            "evictions": counts.evictions,
            "evictions_by_reason": counts.reasons(),
            "tokens_saved": counts.tokens_saved,
            "bypassed": counts.bypassed,
            "refused": counts.refused,
            "match_kinds": dict(counts.kinds),
            "current_memory_mb": used / MIB,
            "max_memory_mb": limit / MIB,
            "reserved_memory_mb": reserved / MIB,
            "memory_utilization": used / limit if limit else 0.0,
            "entry_count": count,
            "last_match": self.last_lookup.kind,
            "last_why": self.last_lookup.why,
        }

    def check_ssd(self, tokens: Sequence[int]) -> dict[str, Any] | None:
        """Ask the disk tier, without reading a file: ``match_type`` and ``matched_tokens``, or ``None``."""
        return self.disk.check(tokens)

    def save_to_disk(self, directory: str | Path) -> bool:
        """Write all entries that may be persisted; ``False`` (logged) if the folder cannot be written."""
        from app.cache.persist import save_entries

        try:
            save_entries(Path(directory), self.entries)
        except OSError as error:
            log.warning("The prefix cache could not be saved to %s: %s", directory, error)
            return False
        return True

    def load_from_disk(self, directory: str | Path) -> int:
        """Read saved entries of this identity, newest first, as long as there is room; return how many came in."""
        from app.cache.persist import load_entries

        return load_entries(Path(directory), self.entries, self.identity)

    # -- policy -----------------------------------------------------------------------------------------------------

    def _plan(self, cache: Sequence[Any], n_tokens: int) -> Snapshot:
        plan = super()._plan(cache, n_tokens)
        config = self.config
        if not config.kv_quantize or n_tokens < config.kv_min_quantize_tokens:
            return plan
        layers = (pack_layer(layer, config.kv_bits, config.kv_group_size) for layer in plan.layers)
        return Snapshot(tuple(layers), n_tokens)


def _available_ram() -> int:
    try:
        import psutil  # type: ignore[import-untyped]

        return int(psutil.virtual_memory().available)
    except (ImportError, OSError):
        return 0
