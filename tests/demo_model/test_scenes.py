"""Pictures follow from their seed and show what their scene says."""

from __future__ import annotations

import random

import numpy as np
import pytest
from demo_model.layout import MAX_PIXELS, TOKEN, Layout, model_size, shape_circle, token_grid
from demo_model.scenes import (
    COLOURS,
    HIDDEN_ON,
    KINDS,
    PLACES,
    STRIPS,
    WORDS,
    Scene,
    Shape,
    sample_edit,
    sample_scene,
)  # fmt: skip
from demo_model.strange import paint_strange
from hypothesis import given
from hypothesis import strategies as st

from demo_model import draw, paint

seeds = st.integers(0, 10**6)


def scene_of(seed: int) -> Scene:
    return sample_scene(random.Random(seed))


def test_the_same_seed_draws_the_same_picture():
    first, second, other = draw(7), draw(7), draw(8)
    assert first[1] == second[1] != other[1]
    assert first[0].tobytes() == second[0].tobytes() != other[0].tobytes()


@given(seeds)
def test_a_scene_is_within_its_bounds(seed: int):
    scene = scene_of(seed)
    assert 112 <= min(scene.width, scene.height) <= max(scene.width, scene.height) <= 448
    assert 1 <= len(scene.shapes) <= 4
    assert scene.title is None or scene.title in WORDS
    assert scene.strip is None or scene.strip in STRIPS
    assert [s.place for s in scene.shapes] == [place for place in PLACES if scene.at(place)]
    assert len({str(s) for s in scene.shapes}) == len(scene.shapes)
    assert all(s.colour != HIDDEN_ON[scene.backdrop] for s in scene.shapes)


@given(seeds)
def test_shapes_stay_inside_and_apart(seed: int):
    scene = scene_of(seed)
    left, top, right, bottom = Layout.of(scene).content
    circles = [shape_circle((left, top, right, bottom), s, scene.at("middle") is not None) for s in scene.shapes]
    for x, y, radius in circles:
        assert 0 <= x - radius < x + radius <= scene.width
        assert top - 1 <= y - radius < y + radius <= bottom + 1
    for i, (x, y, _) in enumerate(circles):
        assert all(np.hypot(x - u, y - v) > 1.2 * r for u, v, r in circles[:i])


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("colour", COLOURS)
def test_the_middle_of_a_shape_has_its_colour(colour: str, kind: str):
    scene = Scene(224, 224, "grey", None, (Shape(colour, kind, "middle"),), None)
    x, y, _ = shape_circle(Layout.of(scene).content, scene.shapes[0], crowded=True)
    assert paint(scene).getpixel((round(x), round(y))) == COLOURS[colour]


def test_title_and_strip_are_painted():
    bare = Scene(224, 224, "light", None, (Shape("red", "circle", "middle"),), None)
    pixels = {strip: paint(Scene(224, 224, "light", None, bare.shapes, strip)).tobytes() for strip in STRIPS}
    assert len({*pixels.values(), paint(bare).tobytes()}) == len(STRIPS) + 1
    titled = [paint(Scene(224, 224, "light", word, bare.shapes, None)).tobytes() for word in WORDS]
    assert len(set(titled)) == len(WORDS)


def test_a_missing_font_is_replaced_by_the_builtin_one():
    shapes = (Shape("red", "circle", "middle"),)
    missing, builtin = (Scene(224, 224, "light", "Mail", shapes, None, font=f) for f in ("no such font", "builtin"))
    assert paint(missing).tobytes() == paint(builtin).tobytes()


@given(seeds)
def test_an_edit_changes_one_thing(seed: int):
    rng = random.Random(seed)
    scene = sample_scene(rng)
    edited = sample_edit(rng, scene)
    differing = set(scene.shapes) ^ set(edited.shapes)
    assert (scene.title != edited.title) + (len(differing) > 0) == 1
    assert len({s.place for s in differing}) <= 1
    assert 1 <= len(edited.shapes) <= 4


@given(st.integers(30, 2000), st.integers(30, 2000))
def test_every_picture_becomes_few_tokens(width: int, height: int):
    across, down = model_size(width, height)
    assert across % TOKEN == down % TOKEN == 0
    if 0.5 <= width / height <= 2:
        assert 25 * TOKEN**2 <= across * down <= MAX_PIXELS
    assert token_grid(width, height) == (down // TOKEN, across // TOKEN)


def test_the_grid_is_the_one_of_the_processor():
    from demo_model.layout import MIN_PIXELS
    from mlx_vlm.models.qwen3_vl.processing_qwen3_vl import _smart_resize_image as smart_resize

    for width, height in ((112, 112), (448, 336), (168, 224), (299, 224), (640, 480), (1280, 720)):
        assert smart_resize(height, width, TOKEN, MIN_PIXELS, MAX_PIXELS) == model_size(width, height)[::-1]


@given(st.integers(20, 200), st.integers(20, 200), seeds)
def test_strange_pictures_have_the_size_asked_for(width: int, height: int, seed: int):
    image = paint_strange(width, height, random.Random(seed))
    assert (image.mode, image.size) == ("RGB", (width, height))
    assert image.tobytes() == paint_strange(width, height, random.Random(seed)).tobytes()
