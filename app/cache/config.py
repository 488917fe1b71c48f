"""Budgets and choices of all caches, as one frozen value that can be replaced while the app runs."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

PrefixKind = Literal["memory", "paged", "simple"]
MIB = 1024 * 1024
GIB = 1024 * MIB


@dataclass(frozen=True, slots=True)
class CacheConfig:
    """What the cache stack is built from.

    Attributes:
        prefix_kind: whole entries with a byte budget, paged blocks, or whole entries with a count limit only.
        prefix_bytes: budget of the prefix tier; 0 switches it off.
        vision_bytes: budget of pixels and features together; 0 switches it off.
        total_bytes: optional limit over all memory tiers; ``None`` for the sum of the two.
        min_prefix_tokens: shorter prefixes are neither stored nor reused.
        block_size: tokens per block of the paged kind.
        max_entries: count limit of whole entries.
        kv_quantize: store plain KV layers quantized to ``kv_bits`` in groups of ``kv_group_size``.
        ssd_dir: folder of the disk tier; ``None`` for none.
        ssd_bytes: limit of everything in that folder.
        ssd_retention_seconds: entries unused for longer are removed; ``None`` keeps them.
    """

    prefix_kind: PrefixKind = "memory"
    prefix_bytes: int = 2 * GIB
    vision_bytes: int = 512 * MIB
    total_bytes: int | None = None
    min_prefix_tokens: int = 1
    block_size: int = 64
    max_entries: int = 1000
    kv_quantize: bool = False
    kv_bits: int = 8
    kv_group_size: int = 64
    ssd_dir: Path | None = None
    ssd_bytes: int = 10 * GIB
    ssd_retention_seconds: float | None = None
