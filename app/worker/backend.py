"""How the worker comes by an engine. Nothing of MLX is imported before the worker thread asks for one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final

from app.cache.config import CacheConfig
from app.worker.jobs import EngineLike
from app.worker.reports import MemoryUse

if TYPE_CHECKING:
    from app.inference.engine import EngineConfig


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What the user may choose of the engine: ``EngineConfig`` without importing it, as that imports MLX."""

    cache: CacheConfig = field(default_factory=CacheConfig)
    prefill_chunk: int = 512
    context_limit: int = 0
    image_side: int = 0


@dataclass(frozen=True, slots=True)
class Backend:
    """Makes an engine from options, and its configuration from other options, and says how much memory is in use.

    All are called on the worker thread.
    """

    make: Callable[[EngineOptions], EngineLike]
    config: Callable[[EngineOptions], Any]
    memory: Callable[[], MemoryUse] = lambda: MemoryUse(0, 0)


def engine_config(options: EngineOptions) -> EngineConfig:
    """Return the engine's own form of ``options``."""
    from app.inference.engine import EngineConfig

    return EngineConfig(
        cache=options.cache,
        prefill_chunk=options.prefill_chunk,
        context_limit=options.context_limit,
        image_side=options.image_side,
    )


def make_engine(options: EngineOptions) -> EngineLike:
    """Make the real engine."""
    from app.inference.engine import Engine

    return Engine(engine_config(options))


def memory_use() -> MemoryUse:
    """Return what MLX reports."""
    import mlx.core as mx

    return MemoryUse(mx.get_active_memory(), mx.get_peak_memory())


REAL: Final = Backend(make_engine, engine_config, memory_use)
