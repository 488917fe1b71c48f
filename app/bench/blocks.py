"""Rebuilding a prompt from blocks, beside a plain copy of the same bytes, and looking it up among many; one run."""

from __future__ import annotations

import random
import statistics
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import mlx.core as mx
import mlx_lm.models.cache as lm
import numpy as np

from app.bench.timing import median_seconds, timed
from app.cache.block_hash import PromptChain
from app.cache.blocks import BlockAwarePrefixCache

HEADS, HEAD_SIZE = 8, 64
SHARED, PROMPT = 10_000, 20_000
SMALL = 4
"""Head size where only bookkeeping is measured."""


def run(
    n_tokens: int = 8192, layers: int = 8, block_size: int = 64, entries: int = 1_000, repeats: int = 7
) -> dict[str, Any]:
    """Measure rebuild against copy, storing a turn that adds few tokens, and look-up among many prompts.

    Args:
        n_tokens: length of the prompt that is rebuilt.
        layers: plain float32 KV layers, 8 heads of 64.
        block_size: tokens per block.
        entries: stored prompts that share their first 10,000 tokens with the one looked up.
        repeats: runs of which the median counts.

    Returns:
        Bytes, seconds, and ratios: seconds of a copy / seconds of the rebuild, 1.0 is as fast. ``rebuild_ratio`` is to
        a copy by NumPy, ``rebuild_ratio_to_mlx`` to MLX's own copy of the rows in use.
    """
    cache = BlockAwarePrefixCache.for_budget(1 << 34, block_size=block_size)
    tokens = tuple(range(n_tokens))
    live = _live(n_tokens, layers, HEAD_SIZE)
    cache.save(tokens, live)
    found = cache.store.find("", (*tokens, n_tokens))
    hit = found.hit
    rebuild = _median(lambda: cache.store.rebuild("", hit), repeats)
    cache.store.release(found)
    copied = _median(partial(_copy, live), repeats)
    native = _median(partial(_copy_by_mlx, live), repeats)
    return {
        "nbytes": cache.manager.nbytes,
        "block_size": block_size,
        "rebuild_seconds": rebuild,
        "copy_seconds": copied,
        "mlx_copy_seconds": native,
        "rebuild_ratio": copied / rebuild,
        "rebuild_ratio_to_mlx": native / rebuild,
        **_next_turn(cache, tokens, live, repeats),
        **_look_up(block_size, entries, repeats),
    }


def _next_turn(
    cache: BlockAwarePrefixCache, tokens: tuple[int, ...], live: list[Any], repeats: int
) -> dict[str, float]:
    """Store the history with one more block each time: only what is new is copied."""
    seconds = []
    for _ in range(repeats):
        rows = mx.ones((1, HEADS, cache.block_size, HEAD_SIZE))
        for layer in live:
            layer.update_and_fetch(rows, rows)
        tokens = (*tokens, *range(len(tokens), len(tokens) + cache.block_size))
        mx.eval([layer.keys for layer in live], [layer.values for layer in live])
        seconds.append(timed(partial(cache.save, tokens, live)))
    return {"next_turn_seconds": statistics.median(seconds)}


def _look_up(block_size: int, entries: int, repeats: int) -> dict[str, float]:
    """Find a 20,000-token prompt among ``entries`` that share their first 10,000 tokens."""
    cache, chooser = BlockAwarePrefixCache.for_budget(1 << 34, block_size=block_size), random.Random(0)
    shared = tuple(chooser.randrange(150_000) for _ in range(SHARED))
    live = _live(SHARED + 8, 1, SMALL)
    for entry in range(entries):
        cache.save((*shared, *(1_000_000 * (entry + 1) + i for i in range(8))), live)
    prompt = (*shared, *(chooser.randrange(150_000) for _ in range(PROMPT - SHARED)))
    found = cache.store.find("", prompt)
    assert found.hit.length == SHARED
    cache.store.release(found)
    seconds = _median(lambda: cache.store.release(cache.store.find("", prompt)), repeats)
    unseeded = _median(lambda: PromptChain(prompt, block_size).hash_before(SHARED // block_size), repeats)
    return {"look_up_seconds": seconds, "hash_shared_seconds": unseeded}


def _live(n_tokens: int, layers: int, head_size: int) -> list[Any]:
    caches = [lm.KVCache() for _ in range(layers)]
    for cache in caches:
        cache.update_and_fetch(*(mx.random.normal((1, HEADS, n_tokens, head_size)) for _ in range(2)))
    mx.eval([cache.keys for cache in caches], [cache.values for cache in caches])
    return caches


def _copy(live: Sequence[Any]) -> None:
    for cache in live:
        for array in (cache.keys, cache.values):
            np.asarray(array)[:, :, : cache.offset].copy()


def _copy_by_mlx(live: Sequence[Any]) -> None:
    mx.eval([mx.contiguous(a[..., 1 : c.offset, :]) for c in live for a in (c.keys, c.values)])


def _median(work: Callable[[], object], repeats: int) -> float:
    work()
    return median_seconds(work, repeats)
