"""Gemma 3: a fixed square per image, sliding windows in most layers.

In mlx-vlm the tokens of an image attend causally, so nothing but the window limits what can be reused.
"""

from __future__ import annotations

from typing import ClassVar

import mlx.core as mx

from app.inference.families.base import Checkpoint
from app.inference.families.layout import ReusePolicy
from app.inference.families.square import SquareImage


class Gemma3(SquareImage):
    """Gemma 3 with SigLIP. The template writes the begin-of-image token alone for an image."""

    reuse: ClassVar[ReusePolicy] = "boundaries"

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(checkpoint)
        self.marker = str(self.processor.boi_token)
        self.placeholder = str(self.processor.image_token)

    def image_tokens(self) -> int:
        """Return the soft tokens per image that the processor writes."""
        return int(self.processor.image_seq_length)

    def side(self) -> int:
        """Return the tower's input size."""
        return int(self.model.config.vision_config.image_size)

    def image_text(self, placeholders: str) -> str:
        """Return begin, soft tokens and end, set apart by blank lines as in training."""
        return f"\n\n{self.marker}{placeholders}{self.tokenizer.eoi_token}\n\n"

    def features(self, pixels: mx.array) -> mx.array:
        """Return features divided by what the language model will multiply all its inputs with."""
        hidden, *_ = self.model.vision_tower(pixels, output_hidden_states=True)
        projected: mx.array = self.model.multi_modal_projector(hidden) / float(self.model.config.hidden_size) ** 0.5
        return projected
