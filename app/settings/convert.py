"""Settings in the units that people read, to budgets in the units that the caches count."""

from __future__ import annotations

import os
from pathlib import Path

from app import paths
from app.blas import THREADS_VARIABLE
from app.cache.config import GIB, MIB, CacheConfig
from app.settings.declarations import Settings, Ssd

SECONDS_PER_DAY = 86400


def to_cache_config(settings: Settings) -> CacheConfig:
    """Return what the cache stack is built from."""
    caches, ssd = settings.caches, settings.ssd
    return CacheConfig(
        prefix_kind=caches.prefix_kind,
        prefix_bytes=caches.prefix_mb * MIB,
        vision_bytes=caches.vision_mb * MIB,
        min_prefix_tokens=caches.min_prefix_tokens,
        block_size=caches.block_size,
        max_entries=caches.max_entries,
        kv_quantize=caches.kv_quantize,
        kv_bits=caches.kv_bits,
        kv_group_size=caches.kv_group_size,
        ssd_dir=ssd_dir(ssd) if ssd.enabled else None,
        ssd_bytes=int(ssd.size_gb * GIB),
        ssd_retention_seconds=ssd.retention_days * SECONDS_PER_DAY or None,
    )


def ssd_dir(ssd: Ssd) -> Path:
    """Return the folder of the disk tier, whether it is switched on or not."""
    return Path(ssd.directory).expanduser() if ssd.directory else paths.default_ssd_dir()


def put_into_environment(settings: Settings) -> None:
    """Hand on what libraries read once, while they are loaded: call it before MLX is imported.

    A variable that the user has set wins.
    """
    if settings.advanced.blas_threads:
        os.environ.setdefault(THREADS_VARIABLE, str(settings.advanced.blas_threads))
