"""What a request got belongs to the request: no cache holds on to it once it is done, or to what a model left."""

from __future__ import annotations

import gc
import weakref

import pytest

from app.cache.config import CacheConfig, PrefixKind
from app.cache.events import EventBus
from app.cache.snapshot import Snapshot
from app.cache.stack import TieredPrompts, make_prompts
from tests.cache.oracle import OracleModel

KINDS: list[PrefixKind] = ["memory", "simple", "paged"]
TOKENS = tuple(range(100, 140))


def filled(kind: PrefixKind, model: OracleModel) -> TieredPrompts:
    prompts = make_prompts(CacheConfig(prefix_kind=kind, block_size=8, min_prefix_tokens=1), 1 << 20, EventBus())
    prompts.use("model")
    assert prompts.save(TOKENS, model.cold(TOKENS))
    return prompts


def states() -> list[object]:
    """Return the stored states that are alive in this process."""
    gc.collect()
    return [found for found in gc.get_objects() if isinstance(found, Snapshot)]


@pytest.mark.parametrize("kind", KINDS)
def test_the_state_that_a_look_up_gave_goes_with_its_request(kind: PrefixKind) -> None:
    prompts = filled(kind, OracleModel(("KVCache",)))
    found = prompts.lookup((*TOKENS, 1, 2))
    assert found.cache is not None
    layer = weakref.ref(found.cache[0])
    del found
    gc.collect()

    assert layer() is None


@pytest.mark.parametrize("forget", ["drop", "clear"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_prompt_that_was_cut_and_never_stored_keeps_no_model_s_state(kind: PrefixKind, forget: str) -> None:
    others = {id(state): state for state in states()}
    prompts = filled(kind, OracleModel(("KVCache",)))
    assert prompts.lookup((*TOKENS[:20], 1, 2)).reused >= 16
    if forget == "drop":
        prompts.drop("model")
    else:
        prompts.clear()

    assert [state for state in states() if id(state) not in others] == []
