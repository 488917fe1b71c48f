"""Stage one: the vision tower alone, on the dense labels of its tokens."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional

from demo_model.labels import FIELDS, HINTS, IGNORED, NAMES, label_tokens
from demo_model.layout import token_grid
from demo_model.network import Shapes, VisionTower, initialise
from demo_model.pictures import paint_batch, sample_same_grid
from demo_model.training import Budget, Run
from demo_model.warm_start import start_from

BATCH = 16
RATE = 5e-3
HINT_WEIGHT = 1.0


class LabelledTower(nn.Module):
    """The tower with one linear classifier per field on top of its tokens."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.visual = VisionTower(shapes)
        self.heads = nn.Linear(shapes.width, sum(FIELDS.values()))
        self.apply(initialise)

    def forward(self, patches: Tensor, rows: int, columns: int) -> tuple[Tensor, ...]:
        """Logits of each field, (batch, tokens, classes), in the order of ``FIELDS``."""
        return self.heads(self.visual(patches, rows, columns)).split(list(FIELDS.values()), -1)


def label_loss(logits: tuple[Tensor, ...], labels: Tensor) -> tuple[Tensor, dict[str, float]]:
    """Sum of the fields' cross entropies, and the accuracy of each where something is there."""
    total, numbers = logits[0].new_zeros(()), {}
    for index, name in enumerate(NAMES):
        scores, truth = logits[index].flatten(0, 1), labels[..., index].flatten()
        if (truth == IGNORED).all():
            continue
        loss = functional.cross_entropy(scores, truth, ignore_index=IGNORED)
        total = total + loss * (HINT_WEIGHT if name in HINTS else 1.0)
        present = truth > 0
        if present.any():
            numbers[name] = (scores.argmax(-1) == truth)[present].float().mean().item()
    return total, numbers


def train_tower(shapes: Shapes, budget: Budget, folder: Path, seed: int, older: Path | None = None) -> LabelledTower:
    """Train, or go on training, and return the tower; ``older`` is a checkpoint to start from."""
    torch.manual_seed(seed)
    tower = LabelledTower(shapes)
    checkpoint = folder / "vision.pt"
    if older and not checkpoint.exists():
        start_from(tower.visual, older, "visual.")

    def loss_of(step: int) -> tuple[Tensor, dict[str, float]]:
        rng = random.Random(f"vision {seed} {step}")
        scenes = sample_same_grid(rng, BATCH, crowded=True)
        grid = token_grid(scenes[0].width, scenes[0].height)
        labels = torch.from_numpy(np.stack([label_tokens(scene) for scene in scenes]))
        return label_loss(tower(paint_batch(scenes, rng), *grid), labels)

    Run(tower, RATE, budget, checkpoint).train(loss_of)
    return tower
