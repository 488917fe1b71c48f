"""Where things stand in a window, in pixels, and how the model's processor cuts it into tokens."""

from __future__ import annotations

import math
from dataclasses import dataclass

from demo_model.scenes import ANCHORS, PLACES, Scene, Shape

Box = tuple[float, float, float, float]
"""Left, top, right, bottom."""

TOKEN = 28
"""Side of the square that becomes one image token: two by two patches of 14 pixels."""
MIN_PIXELS, MAX_PIXELS = 30 * TOKEN**2, 40 * TOKEN**2
REFERENCE_PIXELS = 36 * TOKEN**2


@dataclass(frozen=True, slots=True)
class Layout:
    """The boxes of a window; ``unit`` is the length that the model sees as about one pixel.

    Title and strip fill the first and the last row of image tokens, so that words stand alike in pictures of all sizes.
    """

    width: int
    height: int
    unit: float
    title: Box
    content: Box
    strip: Box

    @classmethod
    def of(cls, scene: Scene, scale: int = 1) -> Layout:
        """The layout of a scene drawn ``scale`` times as large."""
        width, height = scene.width * scale, scene.height * scale
        row = height / token_grid(scene.width, scene.height)[0]
        unit = math.sqrt(width * height / REFERENCE_PIXELS)
        return cls(
            width=width,
            height=height,
            unit=unit,
            title=(0, 0, width, row),
            content=(4 * unit, row, width - 4 * unit, height - row),
            strip=(8 * unit, height - row + 3 * unit, width - 8 * unit, height - 5 * unit),
        )


def shape_circle(content: Box, shape: Shape, crowded: bool) -> tuple[float, float, float]:
    """Centre (x, y) and radius of a shape, in pixels; ``crowded`` when one stands in the middle, between the others."""
    left, top, right, bottom = content
    across, down = ANCHORS[PLACES.index(shape.place)]
    room = (0.165 if crowded else 0.22) * min(right - left, bottom - top)
    x = left + (right - left) * across + shape.shift[0] * room * 0.2
    y = top + (bottom - top) * down + shape.shift[1] * room * 0.15
    return x, y, room * shape.size


def model_size(width: int, height: int) -> tuple[int, int]:
    """Width and height after the processor's resize, multiples of ``TOKEN`` (Qwen2-VL's ``smart_resize``)."""
    across, down = round(width / TOKEN), round(height / TOKEN)
    if across * down * TOKEN**2 > MAX_PIXELS:
        shrink = math.sqrt(width * height / MAX_PIXELS)
        across, down = (max(1, math.floor(side / shrink / TOKEN)) for side in (width, height))
    elif across * down * TOKEN**2 < MIN_PIXELS:
        grow = math.sqrt(MIN_PIXELS / (width * height))
        across, down = (math.ceil(side * grow / TOKEN) for side in (width, height))
    return across * TOKEN, down * TOKEN


def token_grid(width: int, height: int) -> tuple[int, int]:
    """Rows and columns of image tokens."""
    across, down = model_size(width, height)
    return down // TOKEN, across // TOKEN
