"""An answer may speak of ``<image>``: what stands for a picture in a prompt is no picture where somebody wrote it."""

from __future__ import annotations

from collections.abc import Callable, Mapping

import numpy as np
import pytest

from app.inference.types import ChatRequest, Message
from tests.inference.families.bench import ANSWER, Bench
from tests.inference.families.chats import reference
from tests.models.pictures import waves

FAMILIES = ["qwen2_vl", "gemma3", "smolvlm", "llava", "internvl_chat", "paligemma", "mllama"]


@pytest.fixture(params=FAMILIES)
def bench(benches: Callable[[str], Mapping[str, Bench]], request: pytest.FixtureRequest) -> Bench:
    found = benches(request.param)["memory"]
    found.reset()
    return found


def chat_with(answer: Message) -> list[Message]:
    return [Message("user", "What is in the picture?", (reference(waves(3)),)), answer, Message("user", "Why?")]


def written(bench: Bench, *, generated: bool) -> Message:
    """Return an answer with the marker in it: as another model wrote it, or with the ids of this one's letters."""
    marker = bench.adapter.marker
    text = f"Write {marker} or {bench.adapter.placeholder}."
    if not generated:
        return Message("assistant", text)
    return Message("assistant", text, token_ids=tuple(i for letter in text for i in bench.adapter.tokenize(letter)))


@pytest.mark.parametrize("generated", [False, True], ids=["as text", "as generated"])
def test_a_marker_in_an_answer_is_text(bench: Bench, generated: bool) -> None:
    chat = chat_with(written(bench, generated=generated))

    found, expected = bench.ask(chat), bench.ask(chat, use_cache=False)

    assert found.finished.token_ids == expected.finished.token_ids
    assert np.abs(found.logits - expected.logits).max() < 1e-4
    assert found.finished.stats.encoder_calls == 1
    _, spans = bench.key(chat)
    assert len({span.image for span in spans}) == 1


def test_an_answer_with_a_marker_is_gone_on_with(bench: Bench) -> None:
    begun = written(bench, generated=False)
    request = ChatRequest(tuple(chat_with(begun)[:-1]), ANSWER, continue_answer=True)

    warm, cold = (
        [*bench.engine.generate(r)][-1]
        for r in (request, ChatRequest(request.messages, ANSWER, use_cache=False, continue_answer=True))
    )

    assert warm.token_ids == cold.token_ids
    assert warm.text.startswith("Write ")


@pytest.mark.parametrize("family", ["text_llama", "text_mamba"])
def test_a_model_without_pictures_is_told_of_markers_as_of_any_text(
    benches: Callable[[str], Mapping[str, Bench]], family: str
) -> None:
    bench = benches(family)["memory"]
    bench.reset()
    chat = [Message("user", "What does <image> mean, and <|image_pad|>?"), Message("assistant", "<image>")]
    chat.append(Message("user", "Why?"))

    found, expected = bench.ask(chat), bench.ask(chat, use_cache=False)

    assert "<image> mean" in bench.model.builder.render(chat)
    assert found.finished.token_ids == expected.finished.token_ids
