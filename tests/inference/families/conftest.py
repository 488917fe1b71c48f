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
    from tests.inference.families.bench import open_bench

    opened: list[Bench] = []

    @cache
    def of(family: str) -> Mapping[str, Bench]:
        folder, kinds = checkpoints(family), ("memory", "paged")
        configs = {kind: CacheConfig(prefix_kind=kind, block_size=BLOCK) for kind in kinds}
        found = {kind: open_bench(family, folder, config, CHUNK) for kind, config in configs.items()}
        opened.extend(found.values())
        return found

    yield of
    for bench in opened:
        bench.close()
