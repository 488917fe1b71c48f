"""Deterministic pictures to ask about."""

from __future__ import annotations

import math

import numpy as np
from PIL import Image

from app.cache.pixels import normalise
from app.inference.types import ImageRef


def picture(seed: int, width: int, height: int = 0) -> ImageRef:
    """Return a picture of ``width`` × ``height`` pixels (square by default) with structure at several scales."""
    rng = np.random.default_rng(seed)
    height = height or width
    y, x = np.mgrid[0:height, 0:width] / width
    waves = [np.sin(2 * math.pi * (f * x + g * y)) for f, g in rng.uniform(1, 20, (3, 2))]
    pixels = np.stack([127 + 120 * wave for wave in waves], axis=-1)
    return reference(Image.fromarray(np.clip(pixels, 0, 255).astype(np.uint8)), f"picture {seed}")


def reference(image: Image.Image, name: str) -> ImageRef:
    """Return ``image`` as the engine takes it."""
    normal = normalise(image, name)
    return ImageRef(normal.digest, normal.width, normal.height, lambda: normal.image, name)
