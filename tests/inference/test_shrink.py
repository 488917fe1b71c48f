"""Limits that the user puts on a model: the size of pictures, the length of conversations."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest

from app.errors import PromptTooLong
from app.inference.engine import Engine
from app.inference.shrink import LEAST_SIDE, shrunk, shrunk_size
from app.inference.types import ChatRequest, Message
from tests.inference.chat import GREEDY, SYSTEM, Chat, finished
from tests.inference.conftest import image_ref, picture

LARGE = image_ref(picture("square", "red", (224, 140)), "large.png")


@pytest.fixture
def limit(engine: Engine) -> Iterator[Callable[..., None]]:
    """Return a function that puts other limits into force, for this test."""
    before = engine.config
    yield lambda **limits: engine.configure(replace(before, **limits))
    engine.configure(before)


def test_the_longer_side_is_made_as_long_as_it_may_be() -> None:
    small = shrunk(LARGE, 112)
    assert (small.width, small.height, small.load().size) == (112, 70, (112, 70))
    assert small.source == LARGE.digest != small.digest
    assert shrunk(small, 80).source == LARGE.digest
    assert shrunk(LARGE, 112).digest == small.digest != shrunk(LARGE, 100).digest
    assert shrunk_size(3, 4000, 100) == (1, 100), "no side vanishes"


@pytest.mark.parametrize("side", [0, 224, 5000])
def test_what_is_small_enough_stays_as_it_is(side: int) -> None:
    assert shrunk(LARGE, side) is LARGE


def test_no_picture_becomes_too_small_to_see() -> None:
    assert shrunk_size(224, 140, 1) == shrunk_size(224, 140, LEAST_SIDE) == (64, 40)


def test_a_limit_holds_for_the_next_question_and_each_size_has_features_of_its_own(
    engine: Engine, limit: Callable[..., None], towers: Callable[[], int]
) -> None:
    whole = Chat(engine).ask("What is in the picture?", [LARGE])
    limit(image_side=112)
    small = Chat(engine).ask("What is in the picture?", [LARGE])
    [seen] = small.stats.images
    assert (seen.digest, seen.skipped) == (LARGE.digest, False)
    assert seen.tokens < whole.stats.images[0].tokens
    assert engine.image_tokens(LARGE.width, LARGE.height) == seen.tokens
    view = engine.preview(LARGE)
    assert view is not None
    assert view.tokens == seen.tokens
    before = towers()
    again = Chat(engine).ask("Which colour is it?", [LARGE])
    assert again.stats.images[0].skipped
    limit(image_side=0)
    assert Chat(engine).ask("Which colour is it?", [LARGE]).stats.images[0].skipped, "the whole picture is known too"
    assert towers() == before


def test_work_ahead_looks_at_the_smaller_picture(engine: Engine, limit: Callable[..., None]) -> None:
    limit(image_side=112)
    request = ChatRequest((SYSTEM, Message("user", "What?", (LARGE,))), GREEDY)
    list(engine.prepare(request))
    assert finished(engine, request).stats.encoder_calls == 0


def test_a_conversation_may_be_held_shorter_than_the_model_takes(engine: Engine, limit: Callable[..., None]) -> None:
    request = ChatRequest((SYSTEM, Message("user", "Tell me. " * 20)), replace(GREEDY, max_tokens=4))
    needed = finished(engine, request).stats.prompt_tokens
    model = engine.model
    assert model is not None
    limit(context_limit=needed)
    with pytest.raises(PromptTooLong, match=f"the model takes {needed:,}"):
        list(engine.generate(request))
    limit(context_limit=needed + 2)
    assert finished(engine, request).stats.generated_tokens <= 2
    limit(context_limit=10**6)
    assert engine._loaded().info.context_length == engine.model.context_length == model.context_length
