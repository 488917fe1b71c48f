"""PaliGemma: image, then text, all of which attends to all of it; only the answer is causal.

So the state of any position depends on the whole prompt, and a prompt is reused whole or not at all. Features do not.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

import mlx.core as mx

from app.inference.families.layout import Chunking, ReusePolicy
from app.inference.families.square import SquareImage


class PaliGemma(SquareImage):
    """PaliGemma and PaliGemma 2."""

    reuse: ClassVar[ReusePolicy] = "whole"
    chunking: ClassVar[Chunking] = "one_chunk"

    def render(
        self, messages: Sequence[Mapping[str, Any]], add_generation_prompt: bool, thinking: bool | None = None
    ) -> str:
        """Return all images, the begin token and the texts: these models were trained without a chat template."""
        parts = [part for message in messages for part in _parts(message["content"])]
        images = sum(part["type"] == "image" for part in parts)
        text = "\n".join(part["text"] for part in parts if part["type"] == "text")
        return f"{self.marker * images}{self.tokenizer.bos_token}{text}\n"

    def image_tokens(self) -> int:
        """Return the soft tokens per image that the processor writes."""
        return int(self.processor.image_seq_length)

    def side(self) -> int:
        """Return the tower's input size."""
        return int(self.model.config.vision_config.image_size)

    def features(self, pixels: mx.array) -> mx.array:
        """Return features divided by what the language model will multiply all its inputs with."""
        hidden, *_ = self.model.vision_tower(pixels, output_hidden_states=True)
        projected: mx.array = self.model.multi_modal_projector(hidden) / float(self.model.config.hidden_size) ** 0.5
        return projected


def _parts(content: str | Sequence[Mapping[str, str]]) -> Sequence[Mapping[str, str]]:
    return [{"type": "text", "text": content}] if isinstance(content, str) else content
