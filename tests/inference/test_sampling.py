"""Choosing tokens: every filter, and random state that belongs to the request."""

from __future__ import annotations

import math

import mlx.core as mx
import pytest

from app.inference.sampling import Sampler
from app.inference.types import SamplingParams

LOGITS = mx.log(mx.array([[0.5, 0.25, 0.15, 0.07, 0.03]]))


def drawn(params: SamplingParams, logits: mx.array = LOGITS, times: int = 200) -> set[int]:
    sampler = Sampler(params)
    return {int(sampler(logits).item()) for _ in range(times)}


def test_greedy_takes_the_likeliest():
    assert drawn(SamplingParams(temperature=0.0, top_p=0.1, seed=1)) == {0}


def test_without_filters_everything_may_come():
    assert drawn(SamplingParams(temperature=1.5, seed=1), times=400) == {0, 1, 2, 3, 4}


@pytest.mark.parametrize(
    ("filters", "allowed"),
    [
        ({"top_k": 2}, {0, 1}),
        ({"top_k": 99}, {0, 1, 2, 3, 4}),
        ({"top_p": 0.7}, {0, 1}),
        ({"top_p": 0.76}, {0, 1, 2}),
        ({"min_p": 0.4}, {0, 1}),
        ({"min_p": 0.2, "top_k": 2}, {0, 1}),
        ({"top_p": 0.0001}, {0}),
        ({"min_p": 1.0}, {0}),
        ({"min_p": 1.5}, {0}),
    ],
)
def test_filters_keep_exactly_the_tokens_they_promise(filters: dict[str, float], allowed: set[int]):
    assert drawn(SamplingParams(temperature=1.5, seed=3, **filters), times=400) == allowed


@pytest.mark.parametrize("coldest", [1e-8, 1e-40, 1e-300])
def test_the_colder_the_nearer_to_greedy(coldest: float):
    assert drawn(SamplingParams(temperature=coldest, seed=3), LOGITS + 20) == {0}


@pytest.mark.parametrize("hottest", [1e30, 1e300, math.inf])
def test_the_hottest_still_draws_only_what_is_kept(hottest: float):
    assert drawn(SamplingParams(temperature=hottest, top_k=3, seed=3), times=400) == {0, 1, 2}


def test_filters_do_not_depend_on_the_order_of_the_vocabulary():
    shuffled = LOGITS[:, mx.array([4, 2, 0, 3, 1])]

    assert drawn(SamplingParams(temperature=1.5, seed=3, top_k=2), shuffled) == {2, 4}


def test_a_seed_repeats_itself_whatever_runs_between():
    params = SamplingParams(temperature=1.0, seed=7)
    alone = [int(Sampler(params)(LOGITS).item())]
    first, other = Sampler(params), Sampler(SamplingParams(temperature=1.0, seed=8))
    sequence = []
    for _ in range(20):
        sequence.append(int(first(LOGITS).item()))
        other(LOGITS)
        mx.random.seed(0)

    again = Sampler(params)
    assert sequence == [int(again(LOGITS).item()) for _ in range(20)]
    assert sequence[:1] == alone


def test_no_seed_means_another_sequence_each_time():
    params = SamplingParams(temperature=1.0)
    sequences = {tuple(int(s(LOGITS).item()) for _ in range(30)) for s in (Sampler(params), Sampler(params))}

    assert len(sequences) == 2


def test_repetition_penalty_covers_the_prompt_and_what_was_generated():
    close = mx.log(mx.array([[0.4, 0.35, 0.25]]))
    penalised = Sampler(SamplingParams(repetition_penalty=3.0), history=[0])

    assert [int(penalised(close).item()) for _ in range(2)] == [1, 2]
    assert int(Sampler(SamplingParams(repetition_penalty=1.0), history=[0])(close).item()) == 0


def test_the_penalty_leaves_the_given_logits_alone():
    before = LOGITS.tolist()
    Sampler(SamplingParams(repetition_penalty=2.0), history=[0, 1])(LOGITS)

    assert LOGITS.tolist() == before
