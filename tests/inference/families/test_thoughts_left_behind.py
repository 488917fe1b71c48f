"""Where state cannot be cut and no prompt holds earlier thoughts, a chat does not pile up what it left behind."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.cache.config import CacheConfig, PrefixKind
from app.inference.types import Message
from tests.inference.families.bench import Bench, open_bench
from tests.inference.families.conftest import BLOCK, CHUNK
from tests.models import SPECS, build
from tests.models.templates import THINKING_ALWAYS

KINDS: list[PrefixKind] = ["memory", "simple", "paged"]
TURNS = 9


@pytest.fixture(params=KINDS)
def bench(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """Short convolutions, and prompts that open the thought."""
    spec = SPECS["text_lfm2"]
    tokens = replace(spec.tokens, shown=("<think>", "</think>"))
    folder = build(replace(spec, tokens=tokens, template=THINKING_ALWAYS), tmp_path / "thinker")
    bench = open_bench("text_lfm2", folder, CacheConfig(prefix_kind=request.param, block_size=BLOCK), CHUNK)
    yield bench
    bench.close()


def asked(chat: list[Message], number: int) -> list[Message]:
    return [*chat, Message("user", f"Question number {number}: what is it, and why?")]


def led(bench: Bench, chat: list[Message], turns: int) -> Iterator[list[Message]]:
    """Ask one question after the other; yield the chat as it was asked each time."""
    for number in range(turns):
        chat = asked(chat, number)
        assert bench.ask(chat).finished.thinking
        yield chat
        chat = [*chat, Message("assistant", "Yes.")]


def entries(bench: Bench) -> int:
    return bench.engine.caches.prompts.row().entries


def test_a_long_chat_holds_a_constant_number_of_states(bench: Bench) -> None:
    chat, held = [Message("system", "Answer briefly.")], []
    for asking in led(bench, chat, TURNS):
        chat = asking
        held.append(entries(bench))
    assert len(set(held[4:])) == 1, held
    assert bench.ask(chat).finished.stats.prefilled_tokens == 1, "another answer begins at the prompt's end"
    before, _ = bench.key(chat[:-2])
    for text in ("Why?", "Where?"):
        found = bench.ask([*chat[:-1], Message("user", text)]).finished.stats
        assert found.reused_tokens >= len(before) - len("<think>\n"), "another question goes on from the turn before"


def test_another_chat_with_the_same_beginning_keeps_its_states(bench: Bench) -> None:
    system = Message("system", "Answer briefly.")
    other = [system, Message("user", "Quite another thing, is it not?")]
    first = bench.ask(other).finished
    for _ in led(bench, [system], TURNS):
        pass

    again = bench.ask(other).finished
    following = bench.ask([*other, Message("assistant", "Yes."), Message("user", "Why?")]).finished

    assert again.token_ids == first.token_ids
    assert again.stats.prefilled_tokens == 1
    assert following.stats.reused_tokens >= again.stats.prompt_tokens - len("<think>\n")
