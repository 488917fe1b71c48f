"""Loaded models, each opened once per session by the loader of the app."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from app.inference.families.base import FamilyAdapter
from tests.models import SPECS

if TYPE_CHECKING:
    from tests.inference.families.bench import Bench

CHUNK, BLOCK = 64, 16
"""Prefill chunk and block size, small so that tiny prompts have several of each."""


@pytest.fixture(scope="session")
def adapters(checkpoints: Callable[[str], Path]) -> Callable[[str], FamilyAdapter]:
    """Return ``family → adapter`` of its tiny checkpoint."""
    from app.inference.loading import load_adapter
    from app.inference.types import CancelToken

    @cache
    def load(family: str) -> FamilyAdapter:
        around = SPECS[family].around
        with around() if around else contextlib.nullcontext():
            return load_adapter(str(checkpoints(family)), lambda progress: None, CancelToken())

    return load


@pytest.fixture(scope="session")
def benches(checkpoints: Callable[[str], Path]) -> Iterator[Callable[[str], Mapping[str, Bench]]]:
    """Return ``family → kind of prefix cache → bench``."""
    from app.cache.config import CacheConfig
    from app.inference.engine import Engine, EngineConfig
    from tests.inference.families.bench import Bench

    engines: list[Engine] = []

    def make(family: str, kind: str) -> Bench:
        engine = Engine(EngineConfig(CacheConfig(prefix_kind=kind, block_size=BLOCK), prefill_chunk=CHUNK))
        engines.append(engine)
        around = SPECS[family].around
        with around() if around else contextlib.nullcontext():
            engine.load(str(checkpoints(family)))
        return Bench(engine)

    @cache
    def of(family: str) -> Mapping[str, Bench]:
        return {kind: make(family, kind) for kind in ("memory", "paged")}

    yield of
    for engine in engines:  # not close(): it would end this thread's MLX streams, which other tests still need
        engine.unload()
        engine.caches.close()
