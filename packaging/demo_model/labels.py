"""What each image token should know: dense labels, in place of the pixels.

Every token knows the window as a whole (backdrop, number of shapes and of each kind of them, what the strip at the
bottom says, whether it is a window at all) and what stands in its own part of it; the first row of tokens also knows
the title. The language model is first trained on these labels, and the vision tower is trained to produce them, so each
learns without waiting for the other. The numbers of each kind are there because "What colour is the star?" first asks
how many there are, which attention over tokens of unequal areas does not tell. The strip stood on the last row alone
once: the language model then learnt that there is one, and never what it says.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from demo_model.layout import Layout, shape_circle, token_grid
from demo_model.scenes import ANCHORS, BACKDROPS, COLOURS, KINDS, PLACES, STRIPS, WORDS, Scene

IGNORED: Final = -100
FIELDS: Final[dict[str, int]] = {
    "known": 2,
    "backdrop": len(BACKDROPS),
    "count": 5,
    **dict.fromkeys(KINDS, 5),
    "place": len(PLACES),
    "colour": 1 + len(COLOURS),
    "kind": 1 + len(KINDS),
    "title": 1 + len(WORDS),
    "strip": 1 + len(STRIPS),
    "cover_colour": 1 + len(COLOURS),
    "cover_kind": 1 + len(KINDS),
}
"""Number of classes of each field; class 0 of the optional ones means nothing."""
HINTS: Final = ("cover_colour", "cover_kind")
"""Fields that only help the tower to learn: the shape that covers the token itself."""
NAMES: Final = list(FIELDS)

_COLOURS, _KINDS, _BACKDROPS = list(COLOURS), list(KINDS), list(BACKDROPS)


def label_tokens(scene: Scene) -> np.ndarray:
    """Labels of a picture's tokens, int64, (rows * columns, fields); ``IGNORED`` where a field does not apply."""
    rows, columns = token_grid(scene.width, scene.height)
    labels = np.full((rows, columns, len(NAMES)), IGNORED, dtype=np.int64)
    labels[..., NAMES.index("known")] = int(scene.known)
    if scene.known:
        label_window(labels, scene)
        label_parts(labels, scene)
        label_cover(labels, scene)
    return labels.reshape(rows * columns, len(NAMES))


def label_window(labels: np.ndarray, scene: Scene) -> None:
    """What the whole window shares, and the title on the first row."""
    labels[..., NAMES.index("backdrop")] = _BACKDROPS.index(scene.backdrop)
    labels[..., NAMES.index("count")] = len(scene.shapes)
    for kind in KINDS:
        labels[..., NAMES.index(kind)] = len(scene.find(kind=kind))
    labels[0, :, NAMES.index("title")] = 1 + WORDS.index(scene.title) if scene.title else 0
    labels[..., NAMES.index("strip")] = 1 + STRIPS.index(scene.strip) if scene.strip else 0


def label_parts(labels: np.ndarray, scene: Scene) -> None:
    """The place that each token belongs to, and the colour and kind of what stands there."""
    place = nearest_place(scene, *labels.shape[:2])
    labels[..., NAMES.index("place")] = place
    occupants = [scene.at(name) for name in PLACES]
    colour = np.array([1 + _COLOURS.index(s.colour) if s else 0 for s in occupants])
    kind = np.array([1 + _KINDS.index(s.kind) if s else 0 for s in occupants])
    labels[..., NAMES.index("colour")] = colour[place]
    labels[..., NAMES.index("kind")] = kind[place]


def label_cover(labels: np.ndarray, scene: Scene) -> None:
    """The shape under the middle of each token."""
    labels[..., NAMES.index("cover_colour")] = labels[..., NAMES.index("cover_kind")] = 0
    x, y = token_centres(scene, *labels.shape[:2])
    content = Layout.of(scene).content
    for shape in scene.shapes:
        across, down, radius = shape_circle(content, shape, crowded=scene.at("middle") is not None)
        inside = (np.abs(x - across) < radius) & (np.abs(y - down) < radius)
        labels[inside, NAMES.index("cover_colour")] = 1 + _COLOURS.index(shape.colour)
        labels[inside, NAMES.index("cover_kind")] = 1 + _KINDS.index(shape.kind)


def token_centres(scene: Scene, rows: int, columns: int) -> tuple[np.ndarray, np.ndarray]:
    """x and y of the tokens' centres in pixels of the scene, each (rows, columns)."""
    y, x = np.mgrid[0:rows, 0:columns] + 0.5
    return x * scene.width / columns, y * scene.height / rows


def nearest_place(scene: Scene, rows: int, columns: int) -> np.ndarray:
    """Index into ``PLACES`` of the anchor next to each token, (rows, columns)."""
    left, top, right, bottom = Layout.of(scene).content
    x, y = token_centres(scene, rows, columns)
    anchors = np.array(ANCHORS)
    across = (x - left) / (right - left)
    down = (y - top) / (bottom - top)
    distance = (across[..., None] - anchors[:, 0]) ** 2 + (down[..., None] - anchors[:, 1]) ** 2
    return distance.argmin(-1)
