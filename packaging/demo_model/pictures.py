"""Pictures as the tower gets them: resized like the processor does it, normalised, cut into patches."""

from __future__ import annotations

import random

import numpy as np
import torch
from PIL import Image
from torch import Tensor

from demo_model.drawing import paint
from demo_model.layout import model_size, token_grid
from demo_model.network import patchify
from demo_model.scenes import Scene, sample_any

MEAN = (0.48145466, 0.4578275, 0.40821073)
DEVIATION = (0.26862954, 0.26130258, 0.27577711)


def sample_same_grid(rng: random.Random, count: int, crowded: bool = False) -> list[Scene]:
    """Scenes whose pictures become grids of the same size."""
    first = sample_any(rng, crowded)
    wanted, scenes = token_grid(first.width, first.height), [first]
    while len(scenes) < count:
        scene = sample_any(rng, crowded)
        if token_grid(scene.width, scene.height) == wanted:
            scenes.append(scene)
    return scenes


def pixels_of(image: Image.Image) -> np.ndarray:
    """The resized picture, uint8, (height, width, 3)."""
    return np.asarray(image.resize(model_size(*image.size), Image.Resampling.BICUBIC))


def paint_batch(scenes: list[Scene], rng: random.Random) -> Tensor:
    """Patches of scenes that share a grid, float32, (batch, patches, 588)."""
    return to_patches(np.stack([pixels_of(paint(scene, rng.getrandbits(32))) for scene in scenes]))


def to_patches(pixels: np.ndarray) -> Tensor:
    """uint8 (batch, height, width, 3) to normalised patches."""
    values = torch.from_numpy(pixels).permute(0, 3, 1, 2).float() / 255
    mean, deviation = (torch.tensor(numbers).view(3, 1, 1) for numbers in (MEAN, DEVIATION))
    return patchify((values - mean) / deviation)
