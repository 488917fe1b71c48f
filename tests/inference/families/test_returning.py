"""What people come back to where state cannot be cut: the last question, and an answer that was stopped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
import pytest

from app.cache.config import CacheConfig, PrefixKind
from app.inference.events import Progress, TextDelta
from app.inference.types import CancelToken, ChatRequest, Message
from tests.inference.families.bench import ANSWER, Answer, Bench, open_bench
from tests.inference.families.chats import reference
from tests.inference.families.conftest import BLOCK, CHUNK
from tests.models.pictures import waves

if TYPE_CHECKING:
    from collections.abc import Callable

FAMILIES = ["gemma3", "gemma4", "lfm2_vl", "text_lfm2", "text_mamba"]
KINDS: list[PrefixKind] = ["memory", "simple", "paged"]
QUESTION = "What is in the picture, and what is beside it, above it and below it?"
LONG = "Read this first. " * 30
"""Several chunks of a prompt."""


@pytest.fixture(scope="module", params=[(family, kind) for family in FAMILIES for kind in KINDS], ids="-".join)
def opened(request: pytest.FixtureRequest, checkpoints: Callable[[str], Path]) -> Iterator[Bench]:
    family, kind = request.param
    bench = open_bench(family, checkpoints(family), CacheConfig(prefix_kind=kind, block_size=BLOCK), CHUNK)
    yield bench
    bench.close()


@pytest.fixture
def bench(opened: Bench) -> Bench:
    opened.reset()
    return opened


def first_turn(bench: Bench) -> tuple[list[Message], Answer]:
    images = (reference(waves(1)),) if bench.adapter.sees_images else ()
    chat = [Message("system", "Answer briefly."), Message("user", QUESTION, images)]
    answer = bench.ask(chat)
    said = Message("assistant", answer.finished.text, token_ids=answer.finished.token_ids)
    return [*chat, said], answer


def held(bench: Bench, chat: list[Message]) -> int:
    """Return how many tokens of a chat that ends with an answer were certainly run."""
    key, _ = bench.key([*chat, Message("user", "?")])
    prompt, _ = bench.key(chat[:-1])
    said = chat[-1].token_ids
    assert said is not None
    assert key[: len(prompt) + len(said)] == (*prompt, *said)
    return len(prompt) + len(said) - 1


def stop_in_the_answer(bench: Bench, chat: list[Message], after: int) -> None:
    cancel, pieces = CancelToken(), 0
    for event in bench.engine.generate(ChatRequest(tuple(chat), ANSWER), cancel):
        pieces += isinstance(event, TextDelta)
        if pieces == after:
            cancel.cancel()
    assert pieces


def stop_in_the_prompt(bench: Bench, chat: list[Message], *, typing: bool = False) -> int:
    """Stop the prompt, or the work ahead, after its next chunk; return how many tokens were run in this chunk."""
    cancel, chunks = CancelToken(), []
    request, engine = ChatRequest(tuple(chat), ANSWER), bench.engine
    for event in engine.prepare(request, cancel) if typing else engine.generate(request, cancel):
        if isinstance(event, Progress) and event.stage == "prefill":
            chunks.append(event.done)
            cancel.cancel()
    (done,) = chunks
    return done


def test_another_last_question_keeps_all_before_it(bench: Bench) -> None:
    chat, _ = first_turn(bench)
    least = held(bench, chat)
    for text in ("Why?", "Who made it?", "Why?", "And where?"):
        edited = [*chat, Message("user", text)]
        found, expected = bench.ask(edited), bench.ask(edited, use_cache=False)

        assert found.finished.token_ids == expected.finished.token_ids
        assert found.finished.stats.reused_tokens >= least


def test_another_picture_in_the_last_question_keeps_all_before_it(bench: Bench) -> None:
    if not bench.adapter.sees_images:
        pytest.skip("it sees none")
    chat, _ = first_turn(bench)
    least = held(bench, chat)
    for number in (2, 3):
        swapped = [*chat, Message("user", "And this one?", (reference(waves(number)),))]
        found, expected = bench.ask(swapped), bench.ask(swapped, use_cache=False)
        other = bench.ask([*chat, replace(swapped[-1], text="Is it like the first?")])
        _, spans = bench.key(swapped)

        assert found.finished.token_ids == expected.finished.token_ids
        assert found.finished.stats.reused_tokens >= least
        assert other.finished.stats.reused_tokens >= spans[-1].end


def test_a_stopped_answer_is_generated_anew_from_its_prompt_s_end(bench: Bench) -> None:
    chat, _ = first_turn(bench)
    least = held(bench, chat)
    asked = [*chat, Message("user", "Why?")]
    for stops in (1, 2):
        stop_in_the_answer(bench, asked, stops)

    again = [bench.ask(asked).finished for _ in range(3)]

    expected = bench.ask(asked, use_cache=False).finished
    assert [answer.token_ids for answer in again] == [expected.token_ids] * 3
    assert [answer.stats.prefilled_tokens for answer in again] == [1, 1, 1]
    assert bench.ask([*chat, Message("user", "Where?")]).finished.stats.reused_tokens >= least


def test_stops_inside_a_long_prompt_take_no_boundary_s_place(bench: Bench) -> None:
    chat, _ = first_turn(bench)
    least = held(bench, chat)
    reached = least + sum(stop_in_the_prompt(bench, [*chat, Message("user", LONG)]) for _ in range(5))
    for text, due in (("Why?", least), (f"{LONG}Why?", reached), ("Who made it?", least), ("And where?", least)):
        edited = [*chat, Message("user", text)]
        found, expected = bench.ask(edited), bench.ask(edited, use_cache=False)

        assert found.finished.token_ids == expected.finished.token_ids
        assert due <= found.finished.stats.reused_tokens
        assert found.finished.stats.reused_tokens <= max(due, least + len("<|im_start|>user\n"))


def test_an_edit_behind_a_long_text_runs_the_last_two_chunks_at_most(bench: Bench) -> None:
    chat, _ = first_turn(bench)
    least = held(bench, chat)
    for question in ("What is the first word of all this?", "How many words are there in it?", "Why?"):
        edited = [*chat, Message("user", f"{LONG}{question}")]
        first = question.startswith("What")
        found, expected = bench.ask(edited), bench.ask(edited, use_cache=False)

        assert found.finished.token_ids == expected.finished.token_ids
        assert np.abs(found.logits - expected.logits).max() < 1e-4
        stats = found.finished.stats
        assert stats.reused_tokens >= least if first else stats.prefilled_tokens <= 2 * CHUNK + len(question)
    assert bench.ask([*chat, Message("user", "Short?")]).finished.stats.reused_tokens >= least


def test_stops_of_work_ahead_take_no_boundary_s_place(bench: Bench) -> None:
    chat, _ = first_turn(bench)
    least = held(bench, chat)
    pasted = [*chat, Message("user", LONG), Message("assistant", "I see."), Message("user", "")]
    for _ in range(5):
        stop_in_the_prompt(bench, pasted, typing=True)

    edited = [*chat, Message("user", "Why?")]
    found, expected = bench.ask(edited), bench.ask(edited, use_cache=False)

    assert found.finished.token_ids == expected.finished.token_ids
    assert found.finished.stats.reused_tokens >= least
