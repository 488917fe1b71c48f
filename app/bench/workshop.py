"""Models for benchmarks: made for the occasion, or any that the app can load."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from app.cache.config import GIB, CacheConfig, PrefixKind
from app.inference.engine import Engine, EngineConfig

SIDES = {"mid": 448}
DEFAULT_SIDE = 168


@contextmanager
def engine_for(model: str, kind: PrefixKind = "memory") -> Iterator[Engine]:
    """Yield an engine with ``model`` loaded and one kind of prefix cache.

    Args:
        model: ``mid`` (Qwen2-VL, 100 million random weights), ``tiles`` (SmolVLM, 50 million), or what the app takes.
        kind: as in the settings.
    """
    engine = Engine(EngineConfig(CacheConfig(prefix_kind=kind, prefix_bytes=8 * GIB), canary=False))
    with folder_of(model) as ref:
        engine.load(ref)
    try:
        yield engine
    finally:  # not ``close()``: MLX could not be used on this thread any more
        engine.unload()
        engine.caches.close()


@contextmanager
def folder_of(model: str) -> Iterator[str]:
    """Yield what to load for ``model``; what was made for it is gone afterwards."""
    from app.bench.checkpoints import qwen, smolvlm

    makers = {"mid": qwen.make, "tiles": smolvlm.make}
    if model not in makers:
        yield model
        return
    with tempfile.TemporaryDirectory() as folder:
        yield str(makers[model](Path(folder)))


def side_for(model: str) -> int:
    """Return the side of the pictures that ``model`` is asked about, in pixels."""
    return SIDES.get(model, DEFAULT_SIDE)
