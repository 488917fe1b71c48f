"""Failures that people met elsewhere, on models of the families concerned; numbers are those of the reports."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import pytest

from app.inference.types import ImageRef, Message
from tests.inference.families.bench import Answer, Bench
from tests.inference.families.chats import reference
from tests.inference.families.conftest import CHUNK
from tests.models.pictures import waves

Benches = Callable[[str], Mapping[str, Bench]]
A, B, C = (reference(waves(seed, 64, 64)) for seed in (1, 2, 3))
QUESTION = "What is in the picture, and what would you call it if you had to sell it at a market tomorrow?"


def asked(*images: ImageRef, text: str = QUESTION) -> list[Message]:
    return [Message("system", "Answer briefly."), Message("user", text, images)]


def followed(chat: Sequence[Message], answer: Answer, text: str = "Why?", *images: ImageRef) -> list[Message]:
    said = Message("assistant", answer.finished.text, token_ids=answer.finished.token_ids)
    return [*chat, said, Message("user", text, images)]


def same(found: Answer, expected: Answer) -> bool:
    equal = found.finished.token_ids == expected.finished.token_ids
    return equal and bool(np.abs(found.logits - expected.logits).max() < 1e-4)


@pytest.fixture
def bench(benches: Benches, request: pytest.FixtureRequest) -> Bench:
    found = benches(request.param)["memory"]
    found.reset()
    return found


@pytest.mark.parametrize("bench", ["qwen2_vl", "gemma3", "smolvlm", "llava"], indirect=True)
def test_pictures_never_answer_for_each_other(bench: Bench) -> None:
    """Reports 1 to 4: one text, pictures of one size; every one used to be answered like the first."""
    found = [bench.ask(asked(image)) for image in (A, B, A, C)]
    expected = [bench.ask(asked(image), use_cache=False) for image in (A, B, A, C)]

    _, spans = bench.key(asked(B))
    reused = [answer.finished.stats.reused_tokens for answer in found]
    prompt = found[0].finished.stats.prompt_tokens
    assert all(same(*pair) for pair in zip(found, expected, strict=True))
    assert reused[0] == 0
    assert reused[2] == prompt - 1
    assert reused[1] <= spans[0].start
    assert reused[3] <= spans[0].start
    assert [answer.finished.stats.encoder_calls for answer in found] == [1, 1, 0, 1]


@pytest.mark.parametrize("bench", ["qwen2_vl", "qwen3_vl", "internvl_chat"], indirect=True)
def test_a_later_picture_keeps_what_stood_before_it(bench: Bench) -> None:
    """Report 13: one hash for all pictures of a request threw away much earlier text."""
    chat = asked(A)
    chat = followed(chat, bench.ask(chat), "And this one?", B)
    _, spans = bench.key(chat)

    added = bench.ask(chat)
    replaced = bench.ask([chat[0], Message("user", QUESTION, (C,)), *chat[2:]])

    assert added.finished.stats.reused_tokens >= next(s.start for s in spans if s.digest != spans[0].digest) - CHUNK
    assert added.finished.stats.encoder_calls == 1
    assert replaced.finished.stats.reused_tokens == spans[0].start


@pytest.mark.parametrize("bench", ["qwen2_5_vl", "gemma4", "idefics3", "mllama"], indirect=True)
def test_the_order_of_pictures_counts(bench: Bench) -> None:
    """Report 17: after two pictures a question about the third was answered from the first."""
    orders = [(A, B, C), (B, A, C), (C, B, A)]
    found = [bench.ask(asked(*order, text="What is in the third?")) for order in orders]
    expected = [bench.ask(asked(*order, text="What is in the third?"), use_cache=False) for order in orders]

    assert all(same(*pair) for pair in zip(found, expected, strict=True))
    assert not same(found[0], found[1])
    assert sum(answer.finished.stats.encoder_calls for answer in found) == 3


@pytest.mark.parametrize("bench", ["qwen2_vl", "qwen3_vl", "mllama"], indirect=True)
def test_nothing_of_a_picture_is_left_for_the_next_chat(bench: Bench) -> None:
    """Report 27: positions of an image request stayed on the model and bent the text request after it."""
    text, picture = [Message("user", "Tell me a story.")], asked(A)
    alone = bench.ask(text, use_cache=False)

    bench.ask(picture)
    after = bench.ask(text)
    interleaved = bench.ask(followed(picture, bench.ask(picture)))
    again = bench.ask(followed(text, after))

    assert same(after, alone)
    assert same(interleaved, bench.ask(followed(picture, bench.ask(picture)), use_cache=False))
    assert same(again, bench.ask(followed(text, after), use_cache=False))


@pytest.mark.parametrize("bench", ["gemma3", "gemma4", "gemma4_bidirectional", "lfm2_vl", "text_mamba"], indirect=True)
def test_a_prompt_sent_four_times_gives_four_equal_answers(bench: Bench) -> None:
    """Reports 34 and 45: answers A A B B past the window; an exact hit left nothing to run."""
    images = () if bench.model.adapter.sees_images is False else (A,)

    answers = [bench.ask(asked(*images)) for _ in range(4)]

    assert all(same(answer, answers[0]) for answer in answers)
    assert [answer.finished.stats.prefilled_tokens for answer in answers[1:]] == [1, 1, 1]


@pytest.mark.parametrize(
    ("family", "kind"), [("qwen2_vl", "memory"), ("gemma3", "memory"), ("gemma3", "paged"), ("lfm2_vl", "paged")]
)
def test_two_chats_about_one_picture_keep_their_states(benches: Benches, family: str, kind: str) -> None:
    """Report 37, from the other side: what one chat leaves behind is not what another one goes on with."""
    bench = benches(family)[kind]
    bench.reset()
    chats = [asked(A, text=text) for text in ("What is open?", "How many windows are there?")]
    answers = [bench.ask(chat) for chat in chats]

    turns = [bench.ask(followed(chat, answer)).finished.stats for chat, answer in zip(chats, answers, strict=True)]

    for answer, turn in zip(answers, turns, strict=True):
        assert turn.reused_tokens >= answer.finished.stats.prompt_tokens - 1
    assert [turn.encoder_calls for turn in turns] == [0, 0]


@pytest.mark.parametrize("bench", ["gemma3", "lfm2_vl", "text_lfm2", "text_mamba"], indirect=True)
def test_the_second_turn_runs_its_own_tokens_only(bench: Bench) -> None:
    """Reports 37 and 42: models whose state cannot be shortened ran the whole history in each turn."""
    chat = asked(*((A,) if bench.model.adapter.sees_images else ()))
    first = bench.ask(chat)

    second = bench.ask(followed(chat, first)).finished.stats

    new = second.prompt_tokens - first.finished.stats.prompt_tokens
    assert second.prefilled_tokens <= new + 1
    assert second.encoder_calls == 0
