"""Pictures that are no window at all, so that the model can learn to say that it does not know them."""

from __future__ import annotations

import random
from collections.abc import Callable

import numpy as np
from PIL import Image, ImageDraw


def paint_strange(width: int, height: int, rng: random.Random) -> Image.Image:
    """One of several textures by chance."""
    painter: Callable[[int, int, random.Random], Image.Image] = rng.choice(
        (paint_noise, paint_clouds, paint_gradient, paint_stripes, paint_blobs, paint_text_page, paint_flat)
    )
    return painter(width, height, rng)


def random_colour(rng: random.Random) -> tuple[int, int, int]:
    """Any colour at all."""
    return rng.randrange(256), rng.randrange(256), rng.randrange(256)


def noise(height: int, width: int, rng: random.Random) -> np.ndarray:
    """Uniform random pixels, uint8, (height, width, 3)."""
    return np.random.default_rng(rng.getrandbits(32)).integers(0, 256, (height, width, 3), dtype=np.uint8)


def paint_noise(width: int, height: int, rng: random.Random) -> Image.Image:
    """Grain of one to sixteen pixels."""
    grain = rng.choice((1, 2, 4, 8, 16))
    coarse = Image.fromarray(noise(height // grain + 1, width // grain + 1, rng))
    return coarse.resize((width, height), Image.Resampling.NEAREST)


def paint_clouds(width: int, height: int, rng: random.Random) -> Image.Image:
    """Soft patches of colour, like a photograph out of focus."""
    cells = rng.randint(2, 9)
    return Image.fromarray(noise(cells, cells, rng)).resize((width, height), Image.Resampling.BICUBIC)


def paint_gradient(width: int, height: int, rng: random.Random) -> Image.Image:
    """From one colour to another."""
    ends = np.array([[random_colour(rng), random_colour(rng)]], dtype=np.uint8)
    if rng.random() < 0.5:
        ends = ends.transpose(1, 0, 2)
    return Image.fromarray(np.ascontiguousarray(ends)).resize((width, height), Image.Resampling.BILINEAR)


def paint_stripes(width: int, height: int, rng: random.Random) -> Image.Image:
    """Bars across the whole picture."""
    image = Image.new("RGB", (width, height), random_colour(rng))
    pen, step, ink = ImageDraw.Draw(image), rng.randint(4, 40), random_colour(rng)
    slant = rng.choice((0, height, -height))
    for x in range(-height, width + height, 2 * step):
        pen.line([(x, 0), (x + slant, height)], fill=ink, width=step)
    return image


def paint_blobs(width: int, height: int, rng: random.Random) -> Image.Image:
    """Many overlapping discs and boxes of any size and colour."""
    image = Image.new("RGB", (width, height), random_colour(rng))
    pen = ImageDraw.Draw(image)
    for _ in range(rng.randint(12, 60)):
        x, y, reach = rng.randrange(width), rng.randrange(height), rng.randint(4, max(5, width // 3))
        mark = pen.ellipse if rng.random() < 0.6 else pen.rectangle
        mark((x - reach, y - reach * rng.random(), x + reach, y + reach * rng.random()), fill=random_colour(rng))
    return image


def paint_text_page(width: int, height: int, rng: random.Random) -> Image.Image:
    """Lines of marks, like a page of small print."""
    paper, ink = ((250, 250, 248), (40, 40, 44)) if rng.random() < 0.6 else ((30, 32, 36), (220, 220, 224))
    image = Image.new("RGB", (width, height), paper)
    pen, line = ImageDraw.Draw(image), rng.randint(5, 14)
    for y in range(line, height - line, line):
        x = rng.randint(2, 12)
        while x < width - 10 and rng.random() < 0.95:
            length = rng.randint(3, 26)
            pen.rectangle((x, y, x + length, y + line * 0.45), fill=ink)
            x += length + rng.randint(2, 5)
    return image


def paint_flat(width: int, height: int, rng: random.Random) -> Image.Image:
    """One colour and nothing else."""
    return Image.new("RGB", (width, height), random_colour(rng))
