"""Whether models fit, with the numbers."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.inference.library.facts import ModelFacts, facts
from app.inference.library.fit import CHUNK, SHORT_TOKENS, available_bytes, fit
from app.inference.state_size import RESERVE, StateSize

MODEL = ModelFacts(
    "m", memory_bytes=1000, vision_bytes=50, context_length=10_000, state=StateSize(2, ((3, 100),), hidden=1, heads=0)
)


def test_the_parts_add_up() -> None:
    found = fit(MODEL, 10**9, caches=700, tokens=4000)
    assert (found.weights, found.vision, found.caches, found.tokens) == (1000, 50, 700, 4000)
    assert found.state == MODEL.state.turn(4000, CHUNK)
    assert found.total == found.needed + 700 == 1000 + 50 + found.state + 700


def test_more_than_the_model_takes_is_not_reckoned_with() -> None:
    assert fit(MODEL, 10**9, tokens=50_000).tokens == 10_000
    assert fit(ModelFacts("short", context_length=512), 10**9).tokens == 512


def test_the_three_verdicts() -> None:
    needed = fit(MODEL, 10**9, tokens=8000).needed
    roomy = int((needed + 5000) / RESERVE) + 1
    assert fit(MODEL, roomy, caches=5000, tokens=8000).verdict == "fits"
    assert fit(MODEL, roomy - 100, caches=5000, tokens=8000).verdict == "tight"
    short = 1050 + MODEL.state.turn(SHORT_TOKENS, CHUNK)
    assert fit(MODEL, int(short / RESERVE) + 2, tokens=8000).verdict == "tight"
    assert fit(MODEL, int(short / RESERVE) - 10, tokens=8000).verdict == "too_large"
    assert fit(MODEL, 900).verdict == "too_large"
    assert fit(MODEL, 900).tokens_that_fit == 0


@given(st.integers(0, 200_000))
def test_the_longest_conversation_that_fits_is_the_longest(available: int) -> None:
    tokens = fit(MODEL, available).tokens_that_fit
    left = int(RESERVE * available) - MODEL.memory_bytes - MODEL.vision_bytes
    assert 0 <= tokens <= MODEL.context_length
    assert tokens == 0 or MODEL.state.turn(tokens, CHUNK) <= left
    assert tokens == MODEL.context_length or left < 0 or MODEL.state.turn(tokens + 1, CHUNK) > left


def test_the_demo_model_fits_here_and_what_makes_way_counts() -> None:
    assert fit(facts("demo"), available_bytes()).verdict == "fits"
    assert available_bytes(held=2**50) > 2**50
