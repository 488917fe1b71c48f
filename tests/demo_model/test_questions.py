"""Answers are right: each is checked against the scene by other means than the code that made it."""

from __future__ import annotations

import random
import re

import pytest
from demo_model.comparisons import change, compare, with_ordinal
from demo_model.dialogues import sample_dialogue
from demo_model.questions import HEDGE, KINDS_OF_QUESTION, NUMERALS, Question, ask
from demo_model.scenes import COLOURS, KINDS, PLACES, Scene, Shape, Strip, sample_edit, sample_scene
from demo_model.smalltalk import NO_PICTURE, chat
from hypothesis import given
from hypothesis import strategies as st

seeds = st.integers(0, 10**6)

DESK = Scene(
    224, 224, "grey", "Mail",
    (Shape("red", "circle", "top left"), Shape("blue", "star", "middle"), Shape("red", "star", "bottom right")),
    Strip("number", 7),
)  # fmt: skip


def answers(kind: str, scene: Scene = DESK) -> dict[str, str]:
    """Many questions of a kind about one scene, spelt in one way, with their answers."""
    asked = [ask(scene, random.Random(seed), kind) for seed in range(1000)]
    return {spelt(question.text): question.answer for question in asked}


def spelt(text: str) -> str:
    """Lower case, British, without punctuation and short forms."""
    return re.sub(r"[^a-z ]", "", text.lower().replace("color", "colour").replace("what's", "what is"))


@pytest.mark.parametrize(
    ("kind", "question", "answer"),
    [
        ("describe", "what do you see",
         'A grey window titled "Mail" with a red circle, a blue star and a red star. It shows the number 7.'),
        ("count", "how many shapes are there", "There are three shapes."),
        ("count of a kind", "how many stars are there", "There are two stars."),
        ("count of a kind", "how many circles are there", "There is one circle."),
        ("count of a kind", "how many squares are there", "There are no squares."),
        ("colour", "what colour is the circle", "The circle is red."),
        ("colour", "what colour is the star", "There are two stars: blue and red."),
        ("colour", "what colour is the square", "There is no square."),
        ("shape", "what shape is blue", "The blue shape is a star."),
        ("shape", "what shape is red", "There are two red shapes: a circle and a star."),
        ("place", "what is in the top left", "A red circle."),
        ("place", "what is in the top right", "There is nothing in the top right."),
        ("presence", "is there a star", "Yes, a blue star and a red star."),
        ("presence", "is there a square", "No, there is no square."),
        ("position", "where is the circle", "It is in the top left."),
        ("position", "where is the star", "There are two stars: in the middle and in the bottom right."),
        ("title", "what does the title say", 'The title says "Mail".'),
        ("background", "is the window light or dark", "The background is grey."),
        ("strip", "which number do you see", "The number is 7."),
        ("strip", "is there a button", "There is no button."),
        ("check", "is the circle red", "Yes, the circle is red."),
        ("check", "is the circle green", "No, the circle is red."),
        ("inventory", "which colours do you see", "I see red and blue."),
    ],
)  # fmt: skip
def test_an_answer(kind: str, question: str, answer: str):
    assert answers(kind)[question] == answer


@given(seeds)
def test_answers_name_only_what_is_there(seed: int):
    rng = random.Random(seed)
    scene = sample_scene(rng)
    for kind in ("describe", "inventory", "place"):
        text = ask(scene, rng, kind).answer
        named = set(re.findall(rf"({'|'.join(COLOURS)}) ({'|'.join(KINDS)})\b", text))
        assert named <= {(s.colour, s.kind) for s in scene.shapes}
        if kind == "describe":
            assert named == {(s.colour, s.kind) for s in scene.shapes}


@given(seeds, st.sampled_from(sorted(KINDS_OF_QUESTION)))
def test_questions_and_answers_are_whole_sentences(seed: int, kind: str):
    rng = random.Random(seed)
    question = ask(sample_scene(rng), rng, kind)
    assert question.kind == kind
    assert question.text.strip() == question.text != ""
    assert question.answer[0].isupper()
    assert question.answer.endswith(".")
    assert "None" not in question.text + question.answer


@given(seeds)
def test_unknown_pictures_get_a_hedge(seed: int):
    scene = Scene(112, 112, "light", None, (), None, known=False)
    assert ask(scene, random.Random(seed)).answer == HEDGE


@given(seeds)
def test_a_change_is_told_apart_from_none(seed: int):
    rng = random.Random(seed)
    scene = sample_scene(rng)
    edited = sample_edit(rng, scene)
    assert change(scene, scene) == "Nothing changed."
    told = change(scene, edited)
    assert told not in ("Nothing changed.", "They are two different windows.")
    assert change(edited, scene) != told


def test_changes_in_words():
    without = Scene(224, 224, "grey", "Mail", DESK.shapes[1:], DESK.strip)
    assert change(DESK, without) == "The red circle is gone."
    assert change(without, DESK) == "A red circle was added."
    renamed = Scene(224, 224, "grey", "Maps", DESK.shapes, DESK.strip)
    assert change(DESK, renamed) == 'The title changed from "Mail" to "Maps".'
    assert change(DESK, sample_scene(random.Random(1))) == "They are two different windows."


@given(seeds)
def test_comparing_follows_the_order(seed: int):
    rng = random.Random(seed)
    first, second = sample_scene(rng), sample_scene(rng)
    forth, back = (compare(*pair, random.Random(seed)) for pair in ((first, second), (second, first)))
    swapped = {"The first picture.": "The second picture.", "The second picture.": "The first picture."}
    if forth.kind == back.kind == "more shapes":
        assert back.answer == swapped.get(forth.answer, forth.answer)


@given(seeds)
def test_an_ordinal_names_the_picture_once(seed: int):
    text = with_ordinal(Question("count", "How many shapes?", ""), "second", random.Random(seed))
    assert text.lower().count("second") == 1


@given(seeds)
def test_dialogues_ask_only_about_pictures_that_came(seed: int):
    dialogue = sample_dialogue(random.Random(seed), turns=6)
    seen = 0
    for turn in dialogue.turns:
        seen += len(turn.scenes)
        assert seen <= 3
        if not seen:
            assert turn.kind in ("small talk", "no picture")
        if turn.kind == "no picture":
            assert turn.answer == NO_PICTURE
        if "second" in turn.text.lower():
            assert seen >= 2
    assert len(dialogue.turns) == 6


@given(seeds)
def test_small_talk_has_an_honest_answer(seed: int):
    text, answer = chat(random.Random(seed))
    assert text
    assert answer.endswith(".")


def test_places_and_numerals_cover_what_can_happen():
    assert len(NUMERALS) == 5
    assert len(PLACES) == 5
