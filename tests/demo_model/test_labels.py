"""Dense labels agree with the scene, whatever the grid."""

from __future__ import annotations

import random

import numpy as np
from demo_model.labels import FIELDS, IGNORED, NAMES, label_tokens, nearest_place
from demo_model.layout import Layout, shape_circle, token_grid
from demo_model.scenes import COLOURS, KINDS, PLACES, STRIPS, WORDS, Scene, sample_scene
from hypothesis import given
from hypothesis import strategies as st

seeds = st.integers(0, 10**6)


def column(labels: np.ndarray, name: str) -> np.ndarray:
    return labels[:, NAMES.index(name)]


@given(seeds)
def test_labels_are_classes_of_their_fields(seed: int):
    scene = sample_scene(random.Random(seed))
    labels = label_tokens(scene)
    rows, columns = token_grid(scene.width, scene.height)
    assert labels.shape == (rows * columns, len(FIELDS))
    for name, classes in FIELDS.items():
        values = column(labels, name)
        assert ((values == IGNORED) | ((values >= 0) & (values < classes))).all()


@given(seeds)
def test_every_place_has_a_token_that_names_its_shape(seed: int):
    scene = sample_scene(random.Random(seed))
    labels = label_tokens(scene)
    for number, place in enumerate(PLACES):
        mine = labels[column(labels, "place") == number]
        assert len(mine) > 0
        shape = scene.at(place)
        colour = 1 + list(COLOURS).index(shape.colour) if shape else 0
        kind = 1 + KINDS.index(shape.kind) if shape else 0
        assert set(column(mine, "colour")) == {colour}
        assert set(column(mine, "kind")) == {kind}


@given(seeds)
def test_the_token_under_a_shape_belongs_to_its_place(seed: int):
    scene = sample_scene(random.Random(seed))
    rows, columns = token_grid(scene.width, scene.height)
    places = nearest_place(scene, 40 * rows, 40 * columns)
    for shape in scene.shapes:
        x, y, _ = shape_circle(Layout.of(scene).content, shape, scene.at("middle") is not None)
        found = places[int(y / scene.height * 40 * rows), int(x / scene.width * 40 * columns)]
        assert PLACES[found] == shape.place


@given(seeds)
def test_the_title_stands_in_its_row_and_the_strip_everywhere(seed: int):
    scene = sample_scene(random.Random(seed))
    columns = token_grid(scene.width, scene.height)[1]
    titles, strips = (column(label_tokens(scene), name) for name in ("title", "strip"))
    assert set(titles[:columns]) == {1 + WORDS.index(scene.title) if scene.title else 0}
    assert set(strips) == {1 + STRIPS.index(scene.strip) if scene.strip else 0}
    assert set(titles[columns:]) == {IGNORED}


def test_a_strange_picture_is_only_known_to_be_unknown():
    labels = label_tokens(Scene(112, 112, "light", None, (), None, known=False))
    assert set(column(labels, "known")) == {0}
    assert set(np.delete(labels, NAMES.index("known"), axis=1).ravel()) == {IGNORED}
