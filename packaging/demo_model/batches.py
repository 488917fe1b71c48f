"""Conversations put together for one step of training."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import torch
from torch import Tensor

from demo_model.labels import IGNORED, NAMES, label_tokens
from demo_model.network import LanguageModel
from demo_model.scenes import Scene
from demo_model.tokens import Example


@dataclass(frozen=True, slots=True)
class Batch:
    """Examples padded on the right to one length; causal attention needs no mask for that.

    Attributes:
        ids: int64 (batch, length).
        targets: int64 (batch, length), ``IGNORED`` where nothing is to be said.
        positions: int64 (3, batch, length).
        scenes: all pictures in the order of their tokens.
    """

    ids: Tensor
    targets: Tensor
    positions: Tensor
    scenes: list[Scene]

    @classmethod
    def of(cls, examples: list[Example]) -> Batch:
        """Pad and stack."""
        length = max(len(example.ids) for example in examples)

        def padded(array: np.ndarray, value: int) -> np.ndarray:
            width = [(0, 0)] * (array.ndim - 1) + [(0, length - array.shape[-1])]
            return np.pad(array, width, constant_values=value)

        return cls(
            ids=torch.from_numpy(np.stack([padded(example.ids, 0) for example in examples])),
            targets=torch.from_numpy(np.stack([padded(example.targets, IGNORED) for example in examples])),
            positions=torch.from_numpy(np.stack([padded(example.positions, 0) for example in examples], axis=1)),
            scenes=[scene for example in examples for scene in example.dialogue.scenes],
        )

    def labels(self) -> Tensor:
        """Dense labels of all image tokens, (image tokens, fields)."""
        if not self.scenes:
            return torch.empty(0, len(NAMES), dtype=torch.int64)
        return torch.from_numpy(np.concatenate([label_tokens(scene) for scene in self.scenes]))


def answer_loss(model: LanguageModel, batch: Batch, features: Tensor, image_id: int) -> tuple[Tensor, dict[str, float]]:
    """Cross entropy of the answers, with ``features`` (image tokens, width) in place of the image tokens."""
    spoken = batch.targets != IGNORED
    is_image = (batch.ids == image_id)[..., None]
    embeddings = model.embed_tokens(batch.ids)
    embeddings = embeddings.masked_scatter(is_image.expand_as(embeddings), features)
    logits = model.logits(model(embeddings, batch.positions)[spoken])
    truth = batch.targets[spoken]
    right = (logits.argmax(-1) == truth).float().mean().item()
    return torch.nn.functional.cross_entropy(logits, truth), {"right tokens": right}
