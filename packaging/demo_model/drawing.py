"""Paints a scene with Pillow: twice as large as asked, then halved, so that edges are smooth."""

from __future__ import annotations

import functools
import math
import random

from PIL import Image, ImageDraw, ImageFont

from demo_model.layout import Box, Layout, shape_circle
from demo_model.scenes import BACKDROPS, COLOURS, Rgb, Scene, Shape, sample_scene
from demo_model.strange import paint_strange

OVERSAMPLING = 2
INK_DARK, INK_LIGHT = (24, 24, 28), (250, 250, 250)
ACCENT = (52, 108, 196)


def draw(seed: int) -> tuple[Image.Image, Scene]:
    """The picture of a seed and what it shows; ``demo_model.questions`` has the questions with their right answers."""
    scene = sample_scene(random.Random(seed))
    return paint(scene, seed), scene


def paint(scene: Scene, seed: int = 0) -> Image.Image:
    """The picture of a scene, RGB, ``scene.width`` by ``scene.height``; ``seed`` only matters where it is no window."""
    if not scene.known:
        return paint_strange(scene.width, scene.height, random.Random(seed))
    layout = Layout.of(scene, OVERSAMPLING)
    image = Image.new("RGB", (layout.width, layout.height), BACKDROPS[scene.backdrop])
    pen = ImageDraw.Draw(image)
    for shape in scene.shapes:
        paint_shape(pen, shape, *shape_circle(layout.content, shape, crowded=scene.at("middle") is not None))
    if scene.title:
        paint_title(pen, scene, layout.title)
    if scene.strip:
        paint_strip(pen, scene, layout.strip)
    paint_frame(pen, scene, layout)
    return image.reduce(OVERSAMPLING)


def paint_frame(pen: ImageDraw.ImageDraw, scene: Scene, layout: Layout) -> None:
    """The window's edge."""
    edge = (120, 126, 138) if scene.backdrop != "grey" else (92, 98, 110)
    pen.rectangle((0, 0, layout.width - 1, layout.height - 1), outline=edge, width=max(2, round(3 * layout.unit)))


def paint_title(pen: ImageDraw.ImageDraw, scene: Scene, box: Box) -> None:
    """The bar with its word."""
    pen.rectangle(box, fill=scene.bar)
    write(pen, box, str(scene.title), scene, ink_on(scene.bar), scene.text_at)


def paint_strip(pen: ImageDraw.ImageDraw, scene: Scene, box: Box) -> None:
    """A button, a progress bar or a number."""
    left, top, right, bottom = box
    assert scene.strip is not None
    if scene.strip.kind == "number":
        write(pen, box, str(scene.strip.value), scene, ink_on(BACKDROPS[scene.backdrop]), scene.text_at)
    elif scene.strip.kind == "button":
        middle, half = (left + right) / 2, (bottom - top) * 1.8
        button = (middle - half, top, middle + half, bottom)
        pen.rounded_rectangle(button, (bottom - top) * 0.25, fill=ACCENT)
        write(pen, button, str(scene.strip.value), scene, INK_LIGHT, 0.5)
    else:
        third = (bottom - top) / 3
        done = left + (right - left) * int(scene.strip.value) / 100
        pen.rectangle((left, top + third, right, bottom - third), fill=(208, 212, 220), outline=INK_DARK)
        pen.rectangle((left, top + third, done, bottom - third), fill=ACCENT)


def write(pen: ImageDraw.ImageDraw, box: Box, text: str, scene: Scene, ink: Rgb, at: float) -> None:
    """Text in the middle of a box's height, ``at`` a fraction of the free length from the left."""
    left, top, right, bottom = box
    margin = (bottom - top) * 0.3
    font = load_font(scene.font, max(6, round((bottom - top) * scene.font_size)))
    length = pen.textlength(text, font=font)
    room = max(0.0, right - left - length - 2 * margin)
    pen.text((left + margin + at * room, (top + bottom) / 2), text, font=font, fill=ink, anchor="lm")


def ink_on(paper: Rgb) -> Rgb:
    """Black or white, whichever can be read."""
    return INK_LIGHT if sum(paper) < 380 else INK_DARK


@functools.cache
def load_font(name: str, size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """A font of this machine, or Pillow's own where it is missing."""
    if name == "builtin":
        return ImageFont.load_default(size)
    try:
        return ImageFont.truetype(name, size)
    except OSError:
        return ImageFont.load_default(size)


def paint_shape(pen: ImageDraw.ImageDraw, shape: Shape, x: float, y: float, radius: float) -> None:
    """One shape around its centre."""
    fill = tinted(COLOURS[shape.colour], shape.tint)
    box = (x - radius, y - radius, x + radius, y + radius)
    if shape.kind == "circle":
        pen.ellipse(box, fill=fill)
    elif shape.kind == "square":
        pen.rectangle((x - radius * 0.9, y - radius * 0.9, x + radius * 0.9, y + radius * 0.9), fill=fill)
    elif shape.kind == "triangle":
        pen.polygon([(x, y - radius), (x - radius, y + radius * 0.9), (x + radius, y + radius * 0.9)], fill=fill)
    else:
        pen.polygon(star_points(x, y, radius * 1.15), fill=fill)


def tinted(colour: Rgb, tint: Rgb) -> Rgb:
    """A colour moved a little, kept within what a byte can hold."""
    red, green, blue = (max(0, min(255, base + move)) for base, move in zip(colour, tint, strict=True))
    return red, green, blue


def star_points(x: float, y: float, radius: float) -> list[tuple[float, float]]:
    """Ten corners of a five-pointed star, the first one up."""
    reach = [radius if corner % 2 == 0 else radius * 0.42 for corner in range(10)]
    return [(x + r * math.sin(i * math.pi / 5), y - r * math.cos(i * math.pi / 5)) for i, r in enumerate(reach)]
