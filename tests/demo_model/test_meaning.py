"""End to end: the bundled model's answers are true of the picture, cached or not.

The pictures are ones that it gets right; the model card says how often it does. All use Pillow's own font, so they are
the same on every machine.
"""

from __future__ import annotations

import random
from pathlib import Path

import pytest
from demo_model.questions import ask, counted
from demo_model.smalltalk import ABOUT, GREETING

from app.cache.pixels import normalise
from app.inference.engine import Engine
from app.inference.events import Finished
from app.inference.types import ImageRef, SamplingParams
from demo_model import draw
from tests.inference.chat import Chat
from tests.inference.conftest import image_ref

ANSWER = SamplingParams(max_tokens=64)
RIGHT = (
    ("colour", 37), ("colour", 62), ("colour", 137), ("shape", 16), ("shape", 23), ("shape", 25), ("shape", 27),
    ("presence", 24), ("presence", 37), ("presence", 41), ("place", 16), ("place", 25), ("place", 37), ("place", 39),
    ("title", 16), ("title", 25), ("title", 41), ("position", 26), ("position", 37), ("position", 51),
    ("count of a kind", 16), ("count of a kind", 32), ("describe", 16), ("describe", 24), ("describe", 32),
    ("colour", 23), ("colour", 41), ("colour", 46), ("position", 16), ("position", 42), ("position", 67),
    ("presence", 62), ("presence", 68), ("check", 16), ("check", 51), ("inventory", 24), ("inventory", 69),
    ("strip", 27), ("strip", 39), ("strip", 69), ("strip", 77), ("strip", 70), ("strip", 93),
    ("describe", 41), ("describe", 67), ("describe", 137),
)  # fmt: skip
HOW_MANY = "How many shapes are there?"


def new_chat(engine: Engine, use_cache: bool = True) -> Chat:
    return Chat(engine, use_cache, ANSWER, [])


def drawn(seed: int) -> ImageRef:
    image, scene = draw(seed)
    assert scene.font == "builtin"
    return image_ref(image)


def number_of_shapes(seed: int) -> str:
    return counted(len(draw(seed)[1].shapes), "shape") + "."


def from_file(path: Path) -> ImageRef:
    image = normalise(path)
    return ImageRef(image.digest, image.width, image.height, lambda: image.image, path.name)


@pytest.mark.parametrize(("kind", "seed"), RIGHT)
def test_an_answer_is_true_and_the_same_from_the_cache(engine: Engine, kind: str, seed: int):
    question = ask(draw(seed)[1], random.Random(seed), kind)
    picture = drawn(seed)
    cold, warm, uncached = (new_chat(engine, use).ask(question.text, [picture]) for use in (True, True, False))
    assert cold.text == warm.text == uncached.text == question.answer
    assert warm.stats.reused_tokens > 0
    assert uncached.stats.reused_tokens == 0


@pytest.mark.parametrize("seeds", [(23, 42), (42, 23), (26, 16)])
def test_the_same_path_with_new_pixels_is_answered_anew(engine: Engine, tmp_path: Path, seeds: tuple[int, int]):
    path = tmp_path / "screenshot.png"
    answers = []
    for seed in seeds:
        draw(seed)[0].save(path)
        answers.append(new_chat(engine).ask(HOW_MANY, [from_file(path)]).text)
    assert answers == [number_of_shapes(seed) for seed in seeds]
    assert answers[0] != answers[1]


def ask_about_both(engine: Engine, pictures: list[ImageRef], use_cache: bool) -> list[Finished]:
    chat = new_chat(engine, use_cache)
    return [
        chat.ask("In the first picture, how many shapes are there?", pictures),
        chat.ask("In the second picture, how many shapes are there?"),
    ]


def test_two_pictures_in_either_order_are_encoded_once_and_answered_as_uncached(engine: Engine):
    pictures = [drawn(23), drawn(42)]
    encoder_calls = []
    for order in (pictures, pictures[::-1]):
        cached, uncached = (ask_about_both(engine, order, use_cache) for use_cache in (True, False))
        assert [turn.token_ids for turn in cached] == [turn.token_ids for turn in uncached]
        encoder_calls.append(sum(turn.stats.encoder_calls for turn in cached))
    assert encoder_calls == [2, 0]


@pytest.mark.parametrize("seeds", [(3, 16), (23, 32), (41, 42)])
def test_first_and_second_are_meant_as_they_were_sent(engine: Engine, seeds: tuple[int, int]):
    for order in (seeds, seeds[::-1]):
        for number, seed in zip(("first", "second"), order, strict=True):
            question = f"In the {number} picture, what does the title say?"
            pictures = [drawn(each) for each in order]
            cached, uncached = (new_chat(engine, use).ask(question, pictures) for use in (True, False))
            assert cached.text == uncached.text == f'The title says "{draw(seed)[1].title}".'


def test_talk_without_a_picture_is_honest(engine: Engine):
    chat = new_chat(engine)
    assert chat.ask("Hello").text == GREETING
    assert chat.ask("What can you do?").text == ABOUT
