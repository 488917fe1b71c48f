"""A vision family without an adapter is run in full every time, rather than cached wrongly."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from app.inference.engine import Engine
from app.inference.families import registry
from app.inference.types import Message
from tests.inference.families.bench import Bench
from tests.inference.families.chats import reference
from tests.models.pictures import waves


def test_works_and_says_that_nothing_is_reused(
    checkpoints: Callable[[str], Path],
    benches: Callable[[str], Mapping[str, Bench]],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    adapted = benches("qwen2_vl")["memory"]
    monkeypatch.delitem(registry.FAMILIES, "qwen2_vl")
    engine = Engine()
    info = engine.load(str(checkpoints("qwen2_vl")))
    unknown = Bench(engine)
    chat = [Message("user", "What is in the picture?", (reference(waves(1)),))]

    answers = [unknown.ask(chat).finished for _ in range(2)]

    assert any("not known" in note for note in info.notes)
    assert {answer.token_ids for answer in answers} == {adapted.ask(chat, use_cache=False).finished.token_ids}
    assert [(answer.stats.reused_tokens, answer.stats.match) for answer in answers] == [(0, "bypassed")] * 2
    assert [answer.stats.encoder_calls for answer in answers] == [1, 1]
    assert "nothing is known" in answers[1].stats.why
    unknown.close()


def test_a_written_placeholder_is_not_taken_for_another_picture(
    checkpoints: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(registry.FAMILIES, "qwen2_vl")
    engine = Engine()
    engine.load(str(checkpoints("qwen2_vl")))
    unknown = Bench(engine)
    chat = [Message("user", "Is <|image_pad|> a token?", (reference(waves(1)),))]

    answer = unknown.ask(chat).finished

    assert answer.stats.encoder_calls == 1
    assert answer.token_ids
    unknown.close()
