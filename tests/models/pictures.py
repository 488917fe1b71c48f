"""Test pictures with structure, the same ones everywhere: waves that fill the plane, and screenshots."""

from __future__ import annotations

import numpy as np
from PIL import Image

SCREENSHOT = (1600, 1000)


def waves(seed: int, width: int = 64, height: int = 48) -> Image.Image:
    """Return an RGB picture of one sine wave per channel, with frequencies drawn from ``seed``."""
    across, down = np.random.default_rng(seed).uniform(0.02, 0.5, (2, 3))
    y, x = np.mgrid[0:height, 0:width][..., None]
    values = 127 + 120 * np.sin(across * x + down * y + np.arange(3))
    return Image.fromarray(values.astype(np.uint8))


def screenshot(seed: int = 0, size: tuple[int, int] = SCREENSHOT) -> Image.Image:
    """Return a picture like a desktop: plain windows of random places, sizes and colours on plain ground."""
    rng = np.random.default_rng(seed)
    picture = Image.new("RGB", size, tuple(rng.integers(0, 256, 3).tolist()))
    for _ in range(24):
        left, top = (rng.random(2) * size).astype(int).tolist()
        width, height = (rng.uniform(0.05, 0.4, 2) * size).astype(int).tolist()
        picture.paste(tuple(rng.integers(0, 256, 3).tolist()), (left, top, left + width, top + height))
    return picture


def with_corner_changed(picture: Image.Image, share: float = 0.05) -> Image.Image:
    """Return a copy whose bottom right corner, ``share`` of each side, is inverted: another clock in the tray."""
    changed = picture.copy()
    width, height = picture.size
    box = (int(width * (1 - share)), int(height * (1 - share)), width, height)
    changed.paste(Image.eval(picture.crop(box), lambda value: 255 - value), box[:2])
    return changed
