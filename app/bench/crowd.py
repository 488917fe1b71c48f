"""Looking up and storing a prompt among many others, in each kind of prefix cache."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable
from typing import Any

import mlx.core as mx
import mlx_lm.models.cache as lm

from app.bench.timing import timed
from app.cache.config import GIB, CacheConfig, PrefixKind
from app.cache.stack import CacheStack

SHARED, OWN = 512, 32
"""Tokens that all stored prompts begin with, and tokens of their own."""
HEADS, SIZE = 1, 4
"""Sizes at which bookkeeping is all there is to measure."""
SAMPLE = 50


def crowd(kind: PrefixKind, entries: int, repeats: int) -> dict[str, float]:
    """Fill a cache with ``entries`` prompts.

    Returns:
        ``look_up_ms`` of a prompt that continues one of them, ``miss_ms`` of one that shares nothing, ``save_ms`` of
        one more; medians.
    """
    stack = CacheStack(CacheConfig(prefix_kind=kind, prefix_bytes=8 * GIB, max_entries=10 * entries))
    stack.bind("crowd")
    prompts, state, chooser = stack.prompts, _state(), random.Random(entries)
    shared = tuple(chooser.randrange(150_000) for _ in range(SHARED))
    keys = [(*shared, *_own(number)) for number in range(entries)]
    for key in keys:
        prompts.save(key, state)
    asked = chooser.sample(keys, min(entries, SAMPLE))
    found = {
        "look_up_ms": _median([lambda key=key: prompts.lookup((*key, 1)) for key in asked * repeats]),  # type: ignore[misc]
        "miss_ms": _median([lambda n=n: prompts.lookup((*_own(-n - 1), 1)) for n in range(SAMPLE)]),  # type: ignore[misc]
        "save_ms": _median([lambda n=n: prompts.save((*shared, *_own(-n - 1)), state) for n in range(SAMPLE)]),  # type: ignore[misc]
    }
    stack.close()
    return found


def _own(number: int) -> tuple[int, ...]:
    return tuple(1_000_000 + number * OWN + offset for offset in range(OWN))


def _state() -> list[Any]:
    layer = lm.KVCache()
    layer.update_and_fetch(*(mx.zeros((1, HEADS, SHARED + OWN, SIZE)) for _ in range(2)))
    mx.eval(layer.keys, layer.values)
    return [layer]


def _median(calls: list[Callable[[], Any]]) -> float:
    return 1000 * statistics.median(map(timed, calls))
