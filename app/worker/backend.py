"""How the worker comes by an engine. Nothing of MLX is imported before the worker thread asks for one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from app.cache.config import CacheConfig
from app.worker.jobs import EngineLike
from app.worker.reports import MemoryUse

if TYPE_CHECKING:
    from pathlib import Path

    from app.inference.engine import EngineConfig
    from app.inference.events import Progress
    from app.inference.library.quantized import Bits
    from app.inference.types import CancelToken


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """What the user may choose of the engine: ``EngineConfig`` without importing it, as that imports MLX."""

    cache: CacheConfig = field(default_factory=CacheConfig)
    prefill_chunk: int = 512
    context_limit: int = 0
    image_side: int = 0


class Quantize(Protocol):
    """Makes a copy of a model with fewer bits per weight; see :func:`app.inference.quantizing.quantize`."""

    def __call__(
        self, ref: str, target: Path, bits: Bits, on_progress: Callable[[Progress], None], cancel: CancelToken
    ) -> None:
        """Make it, or raise."""
        ...


def quantize(ref: str, target: Path, bits: Bits, on_progress: Callable[[Progress], None], cancel: CancelToken) -> None:
    """Make a real copy."""
    from app.inference import quantizing

    quantizing.quantize(ref, target, bits, on_progress, cancel)


@dataclass(frozen=True, slots=True)
class Backend:
    """Makes an engine from options, and its configuration from other options, says how much memory is in use, and
    makes smaller copies of models.

    All are called on the worker thread.
    """

    make: Callable[[EngineOptions], EngineLike]
    config: Callable[[EngineOptions], Any]
    memory: Callable[[], MemoryUse] = lambda: MemoryUse(0, 0)
    quantize: Quantize = quantize


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
