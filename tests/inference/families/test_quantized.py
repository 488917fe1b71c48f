"""State that is stored quantized is near, not equal: the same tokens are reused and run, and logits stay close.

``SECOND_GLANCE_DIFF`` and ``SECOND_GLANCE_SEED`` as in the test of exact state; ``-s`` shows how near it came.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.cache.config import CacheConfig, PrefixKind
from app.cache.layers.packed import PackedState
from app.cache.memory import MemoryAwarePrefixCache
from tests.inference.families.bench import Answer, open_bench
from tests.inference.families.conftest import BLOCK, CHUNK
from tests.inference.families.steps import conversation
from tests.inference.families.test_differential import LENGTH, SEED, Comparison, pictures
from tests.models.wide import HEAD_SIZE

CONVERSATIONS = int(os.environ.get("SECOND_GLANCE_DIFF", "2"))
PLAIN, WINDOWS, STATES, CROSS = "qwen2_vl", "gemma3", "lfm2_vl", "mllama"
FAMILIES = ["qwen2_vl", "qwen3_vl", "gemma3", "smolvlm", "llava", "lfm2_vl", "internvl_chat", "mllama", "text_llama"]
NEAR = {8: 0.15, 4: 2.5}
"""Largest difference of a logit by bits, as a share of the logits' own spread (standard deviation)."""
KINDS: list[PrefixKind] = ["memory", "paged"]


class NearComparison(Comparison):
    """Compares the logits that an answer begins with; what follows may be another answer where two are near."""

    apart, near = 0.0, 0.0

    def _compare_answers(self, kind: str, found: Answer, expected: Answer) -> None:
        first, wanted = found.logits[0], expected.logits[0]
        apart = float(np.abs(first - wanted).max() / wanted.std())
        self.apart = max(self.apart, apart)
        assert apart < self.near, kind


@pytest.mark.parametrize(
    ("family", "bits"), [*((family, 8) for family in FAMILIES), *((f, 4) for f in (PLAIN, WINDOWS, STATES, CROSS))]
)
def test_quantized_state_is_reused_as_far_as_exact_state_and_is_near(
    checkpoints: Callable[[str], Path], family: str, bits: int
) -> None:
    config = CacheConfig(block_size=BLOCK, kv_quantize=True, kv_bits=bits, kv_group_size=HEAD_SIZE)
    folder = checkpoints(f"{family}_wide")
    on = {kind: open_bench(f"{family}_wide", folder, replace(config, prefix_kind=kind), CHUNK) for kind in KINDS}
    prompts = on["memory"].engine.caches.prompts
    assert isinstance(prompts, MemoryAwarePrefixCache)
    prompts.config = replace(prompts.config, kv_min_quantize_tokens=0)
    pool = pictures(family) if on["memory"].adapter.sees_images else []
    apart = 0.0
    for number in range(CONVERSATIONS):
        compared = NearComparison(on, pool)
        compared.near = NEAR[bits]
        compared.play(conversation(f"{SEED}/{family}/{number}", LENGTH))
        apart = max(apart, compared.apart)
    print(f"{family}, {bits} bits: {CONVERSATIONS} conversations, logits at most {apart:.4f} of their spread apart")

    layers = [layer for entry in prompts.entries.order for layer in entry.snapshot.layers]
    assert any(isinstance(layer, PackedState) for layer in layers)
    assert apart > 0, "nothing was at a loss, so nothing was quantized"
    for bench in on.values():
        bench.close()
