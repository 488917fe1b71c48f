"""Labels as vectors that the language model reads, and the least squares that carry them to the tower and back."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Final

import numpy as np
import torch
from torch import Tensor, nn

from demo_model.labels import FIELDS, HINTS, IGNORED, NAMES, label_tokens
from demo_model.layout import token_grid
from demo_model.network import VisionTower
from demo_model.pictures import paint_batch, sample_same_grid

TAUGHT: Final = [name for name in NAMES if name not in HINTS]
FIT_BATCHES, FIT_SIZE = 60, 32
RIDGE = 1e-3
LEAST_SPREAD = 0.03
"""Standard deviation below which the classes of a field are told apart too late."""


class LabelEmbedding(nn.Module):
    """One vector per class of each field; a token is the sum of its fields' vectors."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.embed = nn.ModuleDict({name: nn.Embedding(FIELDS[name], width) for name in TAUGHT})

    def forward(self, labels: Tensor) -> Tensor:
        """(tokens, fields) to (tokens, width); fields that do not apply add nothing."""
        total = labels.new_zeros((), dtype=torch.float32)
        for name in TAUGHT:
            label = labels[:, NAMES.index(name)]
            total = total + self.embed[name](label.clamp(min=0)) * (label != IGNORED)[:, None]
        return total


def fit_to_tower(labels: LabelEmbedding, tower: VisionTower, seed: int) -> float:
    """Set the embeddings by ridge regression to what an older tower says, so that its language model understands them.

    Fields that the older tower does not tell begin as loud as the quieter ones of the others. Returns the explained
    share of the tokens' variance.
    """
    last = tower.merger.mlp[2]
    with torch.no_grad():
        pairs = list(looks(tower, last, seed))
        inputs = torch.cat([one_hot(truth) for truth, _ in pairs])
        outputs = torch.cat([last(hidden) for _, hidden in pairs])
        solution = ridge(inputs, outputs)
        start = 0
        for name in TAUGHT:
            found = solution[start : start + FIELDS[name]]
            spread = (found - found.mean(0)).std().item()
            labels.embed[name].weight.copy_(found * max(1.0, LEAST_SPREAD / spread))
            start += FIELDS[name]
        return explained(inputs @ solution, outputs)


def fit_last_layer(tower: VisionTower, labels: LabelEmbedding, seed: int) -> float:
    """Set the tower's last linear layer by ridge regression onto the label embeddings; returns the explained share."""
    last = tower.merger.mlp[2]
    with torch.no_grad():
        pairs = list(looks(tower, last, seed))
        hidden = torch.cat([hidden for _, hidden in pairs])
        inputs = torch.cat((hidden, torch.ones(len(hidden), 1)), 1)
        targets = labels(torch.cat([truth for truth, _ in pairs]))
        solution = ridge(inputs, targets)
        last.weight.copy_(solution[:-1].T)
        last.bias.copy_(solution[-1])
        return explained(inputs @ solution, targets)


def one_hot(labels: Tensor) -> Tensor:
    """(tokens, fields) to (tokens, classes of all taught fields); a field that does not apply is all zero."""
    columns = [labels[:, NAMES.index(name), None] == torch.arange(FIELDS[name]) for name in TAUGHT]
    return torch.cat(columns, 1).float()


def looks(tower: VisionTower, layer: nn.Module, seed: int) -> Iterator[tuple[Tensor, Tensor]]:
    """The same pictures each time: labels of their tokens, and what reaches a layer of the tower for them."""
    rng = random.Random(f"fit {seed}")
    hidden: list[Tensor] = []
    hook = layer.register_forward_hook(lambda _module, arguments, _output: hidden.append(arguments[0].flatten(0, 1)))
    for _ in range(FIT_BATCHES):
        scenes = sample_same_grid(rng, FIT_SIZE)
        tower(paint_batch(scenes, rng), *token_grid(scenes[0].width, scenes[0].height))
        yield torch.from_numpy(np.concatenate([label_tokens(scene) for scene in scenes])), hidden.pop()
    hook.remove()


def ridge(inputs: Tensor, targets: Tensor) -> Tensor:
    """The matrix that maps inputs to targets, with small weights where the inputs leave a choice."""
    gram = inputs.T @ inputs
    gram += RIDGE * gram.diagonal().mean() * torch.eye(len(gram))
    return torch.linalg.solve(gram, inputs.T @ targets)


def explained(found: Tensor, targets: Tensor) -> float:
    """Share of the targets' variance."""
    return 1 - ((found - targets).square().sum() / (targets - targets.mean(0)).square().sum()).item()
