"""Stage two: the language model alone, with embeddings of the true labels where the image tokens will be."""

from __future__ import annotations

import random
from pathlib import Path

import torch
from tokenizers import Tokenizer
from torch import Tensor, nn

from demo_model.batches import Batch, answer_loss
from demo_model.dialogues import sample_dialogue
from demo_model.label_embedding import LabelEmbedding, fit_to_tower
from demo_model.network import LanguageModel, Shapes, VisionTower, initialise
from demo_model.tokens import IMAGE, encode
from demo_model.training import Budget, Run
from demo_model.warm_start import start_from, translate_embeddings

BATCH = 8
RATE = 3e-3
NOISE = 0.1
POOLED = 4


def sample_batch(name: str, step: int, tokenizer: Tokenizer, size: int = BATCH) -> Batch:
    """The batch of a step: conversations of about one length, so that little is padded."""
    rng = random.Random(f"{name} {step // POOLED}")
    pool = [encode(sample_dialogue(rng), tokenizer) for _ in range(size * POOLED)]
    pool.sort(key=lambda example: len(example.ids))
    order = rng.sample(range(POOLED), POOLED)
    first = order[step % POOLED] * size
    return Batch.of(pool[first : first + size])


class LabelReader(nn.Module):
    """The language model and the label embeddings that it learns to read."""

    def __init__(self, shapes: Shapes) -> None:
        super().__init__()
        self.model = LanguageModel(shapes)
        self.labels = LabelEmbedding(shapes.width)
        self.apply(initialise)
        for table in self.labels.embed.values():
            nn.init.normal_(table.weight, std=0.1)


def train_language(
    shapes: Shapes, tokenizer: Tokenizer, budget: Budget, folder: Path, seed: int, older: Path | None = None
) -> LabelReader:
    """Train, or go on training, and return the language model with its labels; ``older`` as in stage one."""
    torch.manual_seed(seed)
    reader = LabelReader(shapes)
    checkpoint = folder / "language.pt"
    if older and not checkpoint.exists():
        start_from(reader.model, older, "model.")
        translate_embeddings(reader.model.embed_tokens, tokenizer, older)
        tower = VisionTower(shapes)
        start_from(tower, older, "visual.")
        print(f"labels explain {fit_to_tower(reader.labels, tower, seed):.4f} of the older tower's tokens", flush=True)
    image_id = tokenizer.token_to_id(IMAGE)

    def loss_of(step: int) -> tuple[Tensor, dict[str, float]]:
        batch = sample_batch(f"language {seed}", step, tokenizer)
        features = reader.labels(batch.labels())
        spread = features.detach().std() if len(features) else 0.0
        noisy = features + torch.randn_like(features) * spread * NOISE
        return answer_loss(reader.model, batch, noisy, image_id)

    Run(reader, RATE, budget, checkpoint).train(loss_of)
    return reader
