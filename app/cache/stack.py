"""All cache tiers as one thing: built from one configuration, changed while the app runs, closed once."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Protocol, cast

from app.cache.config import GIB, MIB, CacheConfig
from app.cache.events import CacheEvent, EventBus, Tier
from app.cache.identity import digest_of, namespace_of
from app.cache.inventory import Holding
from app.cache.memory import MemoryAwarePrefixCache, MemoryCacheConfig
from app.cache.prefix import PrefixCacheManager
from app.cache.protocols import CacheOverview, PromptStore, TierRow
from app.cache.vision import VisionEmbeddingCache
from app.errors import UserError

if TYPE_CHECKING:
    from app.cache.ssd import SSDCacheConfig, SSDCacheTier

log = logging.getLogger(__name__)

UNITS = 10_000
"""Count limit of the vision levels; the byte budget is the one that matters."""


class TieredPrompts(PromptStore, Protocol):
    """A prompt store that can have a disk tier behind it."""

    placeholder_ids: frozenset[int]

    def set_ssd_tier(self, tier: Any) -> None:
        """Attach or (``None``) detach the tier."""
        ...

    def spill_all(self) -> None:
        """Hand everything that may be persisted to the tier."""
        ...

    def reset_stats(self) -> None:
        """Zero the counters."""
        ...

    def holdings(self) -> list[Holding]:
        """Return the entries as a list for people."""
        ...


class CacheStack:
    """The prefix tier, the vision tier and the disk tier behind both. One thread uses it; anyone may read figures.

    Attributes:
        config: budgets in force.
        bus: events of all tiers.
        prompts: prefix state of conversations.
        vision: pixels and features.
        ssd: the disk tier; ``None`` without one.
        ssd_notice: why there is no disk tier although one was asked for; empty otherwise.
    """

    def __init__(self, config: CacheConfig | None = None, bus: EventBus | None = None) -> None:
        self.config = config or CacheConfig()
        self.bus = bus or EventBus()
        self.ssd: SSDCacheTier | None = None
        self.ssd_notice = ""
        self._identity = ""
        self._placeholders: frozenset[int] = frozenset()
        self._closed = False
        prefix_bytes, vision_bytes = budgets(self.config)
        self.prompts: TieredPrompts = make_prompts(self.config, prefix_bytes, self.bus)
        self.vision = VisionEmbeddingCache(UNITS, UNITS, max_bytes=vision_bytes, bus=self.bus)
        self._open_ssd()

    def bind(self, identity: object, placeholder_ids: Iterable[int] = ()) -> None:
        """Serve and fill the namespace of this identity (or identity digest) from now on.

        Args:
            identity: what makes state compatible.
            placeholder_ids: token ids that only stand for media; a prompt that still has them bypasses the caches.
        """
        self._identity = namespace_of(identity)
        self._placeholders = frozenset(placeholder_ids)
        self._point()

    def release(self, identity: object) -> None:
        """Spill (where there is a disk tier) and forget what belongs to this identity in memory."""
        self.prompts.drop(prompt_namespace(namespace_of(identity), self.config))
        self.vision.drop(identity)

    def configure(self, config: CacheConfig) -> None:
        """Put another configuration into force now: limits evict at once, another kind or folder starts anew."""
        old, self.config = self.config, config
        if _ssd_place(old) != _ssd_place(config):
            self._close_ssd()
        prefix_bytes, vision_bytes = budgets(config)
        if _kind(old) != _kind(config):
            self.prompts.spill_all()
            self.prompts.clear()
            self.prompts = make_prompts(config, prefix_bytes, self.bus)
        self.prompts.set_limit(prefix_bytes)
        self.vision.set_limit(vision_bytes)
        if self.ssd is None:
            self._open_ssd()
        else:
            self.ssd.configure(_ssd_config(config))
        self._point()

    def overview(self) -> CacheOverview:
        """Return a row per tier; safe from any thread."""
        rows = [self.prompts.row(), self.vision.row()]
        if self.ssd is not None:
            rows.append(self.ssd.row())
        elif self.config.ssd_dir is not None:
            rows.append(TierRow("ssd", 0, 0, self.config.ssd_bytes, 0, 0, extra={"last_error": self.ssd_notice}))
        return CacheOverview(tuple(rows))

    def holdings(self) -> tuple[Holding, ...]:
        """Return what lies in each tier, last used first; safe from any thread."""
        disk = self.ssd.holdings() if self.ssd is not None else ()
        return (*self.prompts.holdings(), *self.vision.holdings(), *disk)

    def clear(self, tier: Tier | None = None) -> None:
        """Forget everything in one tier, or in all. Nothing is closed."""
        if tier in (None, "prefix"):
            self.prompts.clear()
        if tier in (None, "vision"):
            self.vision.clear()
        if tier in (None, "ssd") and self.ssd is not None:
            self.ssd.clear()

    def reset_stats(self) -> None:
        """Zero all counters; sizes stay."""
        for tier in (self.prompts, self.vision, self.ssd):
            if tier is not None:
                tier.reset_stats()

    def close(self) -> None:
        """Hand what may be kept to the disk tier, wait for it a bounded time, and let everything go; idempotent."""
        if self._closed:
            return
        self._closed = True
        self._close_ssd()
        self.prompts.clear()
        self.vision.clear()

    # -- the disk tier ----------------------------------------------------------------------------------------------

    def _open_ssd(self) -> None:
        """Open the tier where one is wanted; a folder that cannot be used leaves the app without it, and says so."""
        self.ssd_notice = ""
        if self.config.ssd_dir is None or self.config.ssd_bytes <= 0:
            return
        from app.cache.disk.telling import in_words
        from app.cache.ssd import SSDCacheTier

        try:
            self.ssd = SSDCacheTier(_ssd_config(self.config), self.bus)
            self.ssd.start_writer()
        except (UserError, OSError) as error:
            self.ssd, self.ssd_notice = None, in_words(error)
            log.info("The disk cache is not in use: %s", error)
            self.bus.emit(CacheEvent("bypassed", "ssd", self.ssd_notice))
        self._point()

    def _close_ssd(self) -> None:
        if self.ssd is None:
            return
        self.prompts.spill_all()
        self.vision.spill_all()
        self.prompts.set_ssd_tier(None)
        self.vision.tier.tier = None
        self.ssd.close()
        self.ssd = None

    def _point(self) -> None:
        """Let every tier serve the present identity, and stand one behind the other."""
        namespace = prompt_namespace(self._identity, self.config)
        self.prompts.placeholder_ids = self._placeholders
        self.prompts.use(namespace)
        self.prompts.set_ssd_tier(self.ssd)
        self.vision.tier.tier = self.ssd
        self.vision.tier.back_to = namespace
        if self.ssd is not None:
            self.ssd.use(namespace)


def prompt_namespace(identity: str, config: CacheConfig) -> str:
    """Return the namespace of prompt state; state stored at a loss has its own, and is never served without that."""
    if not config.kv_quantize or not identity:
        return identity
    return digest_of({"identity": identity, "kv_bits": config.kv_bits, "kv_group_size": config.kv_group_size})


def budgets(config: CacheConfig) -> tuple[int, int]:
    """Return the byte limits of the prefix and the vision tier, scaled down together to the overall limit, if any."""
    asked = config.prefix_bytes + config.vision_bytes
    if config.total_bytes is None or asked <= config.total_bytes:
        return config.prefix_bytes, config.vision_bytes
    prefix = config.prefix_bytes * config.total_bytes // asked
    return prefix, config.total_bytes - prefix


def make_prompts(config: CacheConfig, nbytes: int, bus: EventBus) -> TieredPrompts:
    """Build the prefix tier of the kind that is chosen."""
    if config.prefix_kind == "paged":
        from app.cache.blocks import BlockAwarePrefixCache

        paged = BlockAwarePrefixCache.for_budget(
            nbytes,
            block_size=config.block_size,
            bus=bus,
            min_prefix_tokens=config.min_prefix_tokens,
            kv_bits=config.kv_bits if config.kv_quantize else None,
            kv_group_size=config.kv_group_size,
        )
        return cast(TieredPrompts, paged)
    if config.prefix_kind == "simple":
        simple = PrefixCacheManager(max_entries=config.max_entries, max_bytes=nbytes, bus=bus)
        simple.min_prefix_tokens = config.min_prefix_tokens
        return simple
    memory = MemoryCacheConfig(
        max_memory_mb=nbytes / MIB,
        max_entries=config.max_entries,
        kv_quantize=config.kv_quantize,
        kv_bits=config.kv_bits,
        kv_group_size=config.kv_group_size,
        min_prefix_tokens=config.min_prefix_tokens,
    )
    return MemoryAwarePrefixCache(None, memory, bus=bus)


def _kind(config: CacheConfig) -> tuple[object, ...]:
    """Return what cannot change without building the prefix tier anew."""
    quantized = (config.kv_quantize, config.kv_bits, config.kv_group_size)
    return (config.prefix_kind, config.block_size, config.max_entries, config.min_prefix_tokens, quantized)


def _ssd_place(config: CacheConfig) -> tuple[object, ...]:
    return (config.ssd_dir, config.ssd_bytes > 0)


def _ssd_config(config: CacheConfig) -> SSDCacheConfig:
    from app.cache.ssd import SSDCacheConfig

    assert config.ssd_dir is not None
    return SSDCacheConfig(
        cache_dir=config.ssd_dir,
        max_size_gb=config.ssd_bytes / GIB,
        retention_seconds=config.ssd_retention_seconds,
    )
