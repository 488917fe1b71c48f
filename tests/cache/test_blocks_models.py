"""Blocks under real models: the next token's logits are those of an uncut cache, bit by bit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest
from mlx_vlm.models.cache import make_prompt_cache

from app.cache.blocks import BlockAwarePrefixCache
from app.cache.paged import PagedCacheManager

CHUNK = 16


def run(model: Any, tokens: Sequence[int], cache: list[Any], start: int = 0) -> mx.array:
    """Prefill ``tokens[start:]`` on a fixed grid; return the last logits."""
    logits = None
    while start < len(tokens):
        stop = min(len(tokens), (start // CHUNK + 1) * CHUNK)
        logits = model(mx.array([tokens[start:stop]]), cache=cache).logits[:, -1]
        start = stop
    mx.eval(logits)
    return logits


@pytest.mark.parametrize("family", ["text_llama", "gemma3", "gemma4", "lfm2_vl", "text_mamba"])
def test_a_prompt_that_continues_from_blocks_gives_the_logits_of_a_cold_one(
    checkpoints: Callable[[str], Path], family: str
) -> None:
    import mlx_vlm

    model = mlx_vlm.load(str(checkpoints(family)))[0].language_model
    tokens = [3 + (7 * k * k + k) % 90 for k in range(95)]
    cache = BlockAwarePrefixCache("model", PagedCacheManager(8, 400))
    live = make_prompt_cache(model)
    run(model, tokens[:64], live)
    assert cache.save(tokens[:64], live)

    found = cache.lookup(tokens)
    assert found.reused == 64
    cold = make_prompt_cache(model)
    assert mx.array_equal(run(model, tokens, found.cache, 64), run(model, tokens, cold))
    assert cache.save(tokens, found.cache)
    expected = run(model, [*tokens, 5], cold, 95)
    for _ in range(3):  # failure 34: the same prompt several times gives the same every time
        again = cache.lookup([*tokens, 5])
        assert again.reused == 95
        assert mx.array_equal(run(model, [*tokens, 5], again.cache, 95), expected)
    other = cache.lookup([*tokens[:64], 9, 9, 9])
    assert other.reused == 64, "the earlier turn is still a place to come back to"
    cache.manager.check_invariants()
