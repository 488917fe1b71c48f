"""The caches: prefix state, vision features, and the disk tier behind them.

Everything public can be imported from here; a name's module is loaded when the name is first used, so that importing
``app.cache`` costs nothing (no MLX, no Pillow, no SQLite).
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

_PUBLIC = {
    "block": ("BlockTable", "CacheBlock"),
    "block_hash": ("compute_block_hash",),
    "block_index": ("BlockHashToBlockMap",),
    "block_queue": ("FreeKVCacheBlockQueue",),
    "blocks": ("BlockAwarePrefixCache",),
    "config": ("CacheConfig",),
    "events": ("CacheEvent", "EventBus"),
    "hybrid": ("HybridKVCacheCoordinator", "KVCacheCoordinatorNoPrefixCache", "UnitaryKVCacheCoordinator"),
    "identity": ("CacheIdentity",),
    "index": ("PrefixIndex",),
    "layers": ("LayerRefused", "LayerState", "concat_layers", "layer_from_arrays", "snapshot_layer"),
    "ledger": ("ByteLedger",),
    "lru": ("LRU",),
    "media": ("MediaSpan", "cut_before_span", "salt_token", "salt_tokens"),
    "memory": ("MemoryAwarePrefixCache", "MemoryCacheConfig"),
    "multimodal": ("MLLMPrefixCacheEntry", "MLLMPrefixCacheManager", "MLLMStats"),
    "paged": ("CacheStats", "PagedCacheManager"),
    "pixels": ("NormalisedImage", "compute_image_hash", "compute_images_hash", "normalise"),
    "prefix": ("PrefixCacheManager",),
    "protocols": ("CacheOverview", "Lookup", "PromptStore", "TierRow"),
    "sizes": ("estimate_kv_cache_memory",),
    "snapshot": ("Snapshot",),
    "ssd": ("SSDCacheConfig", "SSDCacheStats", "SSDCacheTier"),
    "stack": ("CacheStack",),
    "units": ("PixelEntry", "UnitFeatures", "UnitGeometry"),
    "vision": ("VisionEmbeddingCache",),
    "vision_stats": ("VisionCacheStats",),
}
_ALIASES = {
    "MLLMCacheManager": "MLLMPrefixCacheManager",
    "VLMCacheManager": "MLLMPrefixCacheManager",
    "VLMPrefixCacheManager": "MLLMPrefixCacheManager",
    "MLLMCacheStats": "MLLMStats",
    "VLMCacheStats": "MLLMStats",
    "MLLMCacheEntry": "MLLMPrefixCacheEntry",
    "VLMCacheEntry": "MLLMPrefixCacheEntry",
    "VLMPrefixCacheEntry": "MLLMPrefixCacheEntry",
}
_MODULE_OF = {name: module for module, names in _PUBLIC.items() for name in names}

__all__ = sorted([*_MODULE_OF, *_ALIASES])  # noqa: PLE0605 - computed from the table above

if TYPE_CHECKING:
    from app.cache.config import CacheConfig as CacheConfig


def __getattr__(name: str) -> Any:
    target = _ALIASES.get(name, name)
    if target not in _MODULE_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = getattr(importlib.import_module(f"{__name__}.{_MODULE_OF[target]}"), target)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return __all__
