"""Stage three: the tower's tokens are mapped onto the label embeddings, then everything is trained together."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor
from torch.nn import functional

from demo_model.batches import answer_loss
from demo_model.label_embedding import fit_last_layer
from demo_model.language_stage import LabelReader, sample_batch
from demo_model.layout import token_grid
from demo_model.network import Qwen2VL, Shapes
from demo_model.pictures import paint_batch
from demo_model.scenes import Scene
from demo_model.tokens import IMAGE
from demo_model.training import Budget, Run
from demo_model.vision_stage import LabelledTower

BATCH = 12
RATE = 1e-3
LABEL_WEIGHT = 1.0


def look(tower: Callable[..., Tensor], scenes: list[Scene], rng: random.Random) -> Tensor:
    """Tokens of pictures of any sizes, (image tokens, width), in the order of ``scenes``."""
    grids = [token_grid(scene.width, scene.height) for scene in scenes]
    found: list[Tensor] = [torch.empty(0)] * len(scenes)
    for grid in sorted(set(grids)):
        members = [index for index, other in enumerate(grids) if other == grid]
        tokens = tower(paint_batch([scenes[index] for index in members], rng), *grid)
        for index, token in zip(members, tokens, strict=True):
            found[index] = token
    return torch.cat(found)


def train_jointly(
    tower: LabelledTower, reader: LabelReader, tokenizer: Tokenizer, budget: Budget, folder: Path, seed: int
) -> Qwen2VL:
    """Train, or go on training, and return the whole model."""
    torch.manual_seed(seed)
    network = join(tower, reader)
    checkpoint = folder / "joint.pt"
    labels = reader.labels.requires_grad_(False)
    if not checkpoint.exists():
        print(f"ridge explains {fit_last_layer(network.visual, labels, seed):.4f}", flush=True)
    image_id = tokenizer.token_to_id(IMAGE)

    def loss_of(step: int) -> tuple[Tensor, dict[str, float]]:
        batch = sample_batch(f"joint {seed}", step, tokenizer, BATCH)
        if not batch.scenes:
            return answer_loss(network.model, batch, torch.empty(0, reader.model.shapes.width), image_id)
        features = look(network.visual, batch.scenes, random.Random(f"joint pictures {seed} {step}"))
        wanted = labels(batch.labels())
        distance = functional.mse_loss(features, wanted) / wanted.var()
        loss, numbers = answer_loss(network.model, batch, features, image_id)
        return loss + LABEL_WEIGHT * distance, numbers | {"answers": loss.item(), "distance": distance.item()}

    Run(network, RATE, budget, checkpoint).train(loss_of)
    return network


def join(tower: LabelledTower, reader: LabelReader) -> Qwen2VL:
    """One network of a trained tower and a trained language model."""
    shapes: Shapes = reader.model.shapes
    network = Qwen2VL(shapes)
    network.visual.load_state_dict(tower.visual.state_dict())
    network.model.load_state_dict(reader.model.state_dict())
    return network
