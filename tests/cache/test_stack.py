"""All tiers as one thing: budgets, identities, live changes, closing."""

from __future__ import annotations

from dataclasses import replace

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache

from app.cache.config import MIB, CacheConfig
from app.cache.events import EventBus
from app.cache.identity import CacheIdentity
from app.cache.stack import CacheStack, budgets
from tests.cache.disk.states import filled
from tests.cache.oracle import OracleModel, readable

A, B = CacheIdentity("a"), CacheIdentity("b")
TOKENS = tuple(range(1, 41))


@pytest.fixture
def stack():
    made = CacheStack(CacheConfig())
    yield made
    made.close()


def fill(stack: CacheStack, model: OracleModel, tokens=TOKENS, **how) -> None:
    assert stack.prompts.save(tokens, model.cold(tokens), **how)


@pytest.mark.parametrize("kind", ["memory", "simple", "paged"])
def test_every_kind_serves_the_same_chat(kind):
    stack, model = CacheStack(CacheConfig(prefix_kind=kind, block_size=8)), OracleModel()
    stack.bind(A)
    fill(stack, model)
    longer = (*TOKENS, 99)
    found = stack.prompts.lookup(longer)
    assert found.reused == 40
    assert readable(found.cache) == readable(model.cold(TOKENS))
    row = stack.overview().row("prefix")
    assert row.hits == 1
    assert row.nbytes > 0
    stack.close()


@pytest.mark.parametrize("kind", ["memory", "paged"])
def test_state_is_stored_compressed_where_that_is_chosen(kind):
    tokens, sizes = tuple(range(1, 301)), {}
    for quantize in (False, True):
        stack = CacheStack(CacheConfig(prefix_kind=kind, block_size=32, kv_quantize=quantize, kv_group_size=32))
        stack.bind(A)
        caches = [filled(KVCache(), tokens)]
        assert stack.prompts.save(tokens, caches)
        found = stack.prompts.lookup((*tokens, 7))
        assert (found.reused, type(found.cache[0])) == (300, KVCache)
        sizes[quantize] = stack.overview().row("prefix").nbytes
        stack.close()
    assert sizes[True] < sizes[False] / 2


def test_changing_the_model_makes_every_tier_miss_and_changing_back_makes_it_hit(stack):
    model = OracleModel()
    stack.bind(A)
    fill(stack, model)
    stack.vision.put_unit(A, "d", features=mx.ones((4, 8)))
    stack.bind(B)
    assert stack.prompts.lookup(TOKENS).why == "model changed"
    assert stack.vision.get_unit(B, "d") is None
    stack.bind(A.digest)
    assert stack.prompts.lookup(TOKENS).reused == 39
    assert stack.vision.get_unit(A, "d") is not None
    stack.release(A)
    assert stack.overview().total_bytes == 0


def test_one_overall_limit_scales_both_tiers():
    config = CacheConfig(prefix_bytes=300 * MIB, vision_bytes=100 * MIB)
    assert budgets(config) == (300 * MIB, 100 * MIB)
    assert budgets(replace(config, total_bytes=400 * MIB)) == (300 * MIB, 100 * MIB)
    assert budgets(replace(config, total_bytes=200 * MIB)) == (150 * MIB, 50 * MIB)
    assert budgets(replace(config, total_bytes=0)) == (0, 0)


def test_budgets_change_at_once_and_zero_switches_off(stack):
    model = OracleModel()
    stack.bind(A)
    fill(stack, model)
    stack.vision.put_unit(A, "d", features=mx.ones((4, 8)))
    stack.configure(CacheConfig(total_bytes=1000))
    rows = stack.overview()
    assert rows.total_bytes <= 1000
    assert sum(row.limit for row in rows.rows) == 1000
    stack.configure(CacheConfig(prefix_bytes=0, vision_bytes=0))
    assert stack.overview().total_bytes == 0
    assert stack.prompts.lookup(TOKENS).why == "the cache is switched off"
    stack.configure(CacheConfig())
    fill(stack, model)
    assert stack.prompts.lookup(TOKENS).reused == 39


def test_another_kind_is_put_in_place_while_the_app_runs(stack):
    model = OracleModel()
    stack.bind(A, placeholder_ids=[7])
    stack.configure(CacheConfig(prefix_kind="simple"))
    assert stack.overview().total_bytes == 0
    assert not stack.prompts.save(TOKENS, model.cold(TOKENS))
    stack.bind(A)
    fill(stack, model)
    assert stack.prompts.lookup(TOKENS).reused == 39


def test_clearing_a_tier_and_resetting_figures(stack):
    model = OracleModel()
    stack.bind(A)
    fill(stack, model)
    stack.vision.put_unit(A, "d", features=mx.ones((4, 8)))
    stack.clear("prefix")
    assert stack.overview().row("prefix").nbytes == 0
    assert stack.overview().row("vision").nbytes > 0
    stack.clear()
    assert stack.overview().total_bytes == 0
    stack.reset_stats()
    assert sum(stack.overview().row("prefix").evictions.values()) == 0


@pytest.mark.parametrize("kind", ["memory", "paged"])
def test_what_memory_held_comes_back_from_disk_after_a_restart(tmp_path, kind):
    config, model = CacheConfig(ssd_dir=tmp_path, prefix_kind=kind, block_size=8), OracleModel()
    stack = CacheStack(config)
    stack.bind(A)
    fill(stack, model)
    fill(stack, model, tuple(range(500, 540)), persist=False)
    stack.vision.put_unit(A, "d", features=mx.ones((4, 8)), seconds=0.5)
    assert [row.name for row in stack.overview().rows] == ["prefix", "vision", "ssd"]
    stack.close()
    stack.close()
    again = CacheStack(config)
    again.bind(A)
    found = again.prompts.lookup((*TOKENS, 99))
    assert (found.reused, found.source) == (40, "disk")
    assert readable(found.cache) == readable(model.cold(TOKENS))
    assert again.prompts.lookup((*range(500, 540), 99)).reused == 0
    assert again.vision.get_unit(A, "d").source == "disk"
    again.bind(B)
    assert again.prompts.lookup((*TOKENS, 99)).reused == 0
    again.clear("ssd")
    again.close()


def test_a_disk_tier_can_come_and_go_while_the_app_runs(stack, tmp_path):
    model = OracleModel()
    stack.bind(A)
    fill(stack, model)
    stack.configure(CacheConfig(ssd_dir=tmp_path))
    assert stack.ssd is not None
    stack.configure(CacheConfig(ssd_dir=tmp_path, ssd_retention_seconds=60.0))
    stack.configure(CacheConfig())
    assert stack.ssd is None
    stack.clear()
    stack.configure(CacheConfig(ssd_dir=tmp_path))
    assert stack.prompts.lookup((*TOKENS, 99)).source == "disk"
    stack.configure(CacheConfig(ssd_dir=tmp_path, ssd_bytes=0))
    assert stack.ssd is None


def test_a_folder_that_cannot_be_made_is_told_in_a_sentence_without_codes(tmp_path):
    (tmp_path / "file").touch()
    seen, bus = [], EventBus()
    bus.subscribe(seen.append)
    stack = CacheStack(CacheConfig(ssd_dir=tmp_path / "file" / "cache"), bus)
    assert stack.ssd is None
    (event,) = seen
    assert stack.ssd_notice == event.reason
    assert event.reason.endswith(".")
    assert "Errno" not in event.reason
    stack.close()


def test_a_second_process_on_the_folder_runs_without_the_tier_and_says_so(tmp_path):
    seen, bus = [], EventBus()
    bus.subscribe(seen.append)
    first = CacheStack(CacheConfig(ssd_dir=tmp_path))
    second = CacheStack(CacheConfig(ssd_dir=tmp_path), bus)
    assert second.ssd is None
    assert second.ssd_notice
    assert second.overview().row("ssd").extra["last_error"] == second.ssd_notice
    assert [(e.kind, e.tier) for e in seen] == [("bypassed", "ssd")]
    first.close()
    second.configure(second.config)
    assert second.ssd is not None
    second.close()
