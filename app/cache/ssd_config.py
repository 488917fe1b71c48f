"""Where the disk tier lives and how much it may hold."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from app.cache.config import GIB


@dataclass(frozen=True, slots=True)
class SSDCacheConfig:
    """Where the tier lives and how much it may hold.

    Attributes:
        cache_dir: directory that the user picked; everything lies in a sub-folder of it.
        max_size_gb: limit in GiB of everything in that sub-folder.
        max_entries: limit of entries.
        file_permissions: mode of every file.
        dir_permissions: mode of every folder.
        spill_queue_size: spills that may wait for the writer.
        retention_seconds: entries unused for longer are removed; ``None`` keeps them.
        min_free_bytes: bytes of the volume that must stay free; ``None`` for 5 % of it, never under 2 GiB.
    """

    cache_dir: str | Path
    max_size_gb: float = 10
    max_entries: int = 10000
    file_permissions: int = 0o600
    dir_permissions: int = 0o700
    spill_queue_size: int = 64
    retention_seconds: float | None = None
    min_free_bytes: int | None = None

    def __post_init__(self) -> None:
        positive = {"max_size_gb": self.max_size_gb, "max_entries": self.max_entries}
        positive["spill_queue_size"] = self.spill_queue_size
        if self.retention_seconds is not None:
            positive["retention_seconds"] = self.retention_seconds
        for name, value in positive.items():
            if not 0 < value < math.inf:
                raise ValueError(f"{name} must be a positive number, not {value}")

    @property
    def max_size_bytes(self) -> int:
        """The limit in bytes."""
        return int(self.max_size_gb * GIB)
