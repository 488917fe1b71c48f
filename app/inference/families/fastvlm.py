"""FastVLM: FastViTHD on a padded square. One id outside the vocabulary stands for a whole image in its own processor.

Here that id is repeated, once for every position that the image takes in the language model, so that ids, spans and KV
positions count the same things.
"""

from __future__ import annotations

import mlx.core as mx

from app.inference.families.square import SquareImage


class FastVLM(SquareImage):
    """FastVLM (``llava_qwen2``)."""

    @property
    def placeholder_id(self) -> int:
        """The id that the configuration names; it is never embedded."""
        return int(self.model.config.image_token_index)

    def tokenize(self, text: str) -> list[int]:
        """Tokenize between the placeholders, which the tokenizer does not know."""
        first, *rest = text.split(self.placeholder)
        ids = super().tokenize(first)
        for piece in rest:
            ids += [self.placeholder_id, *(super().tokenize(piece) if piece else [])]
        return ids

    def image_tokens(self) -> int:
        """Return the cells of the tower's last grid."""
        return int((self.side() // self.model.config.vision_config.patch_size) ** 2)

    def side(self) -> int:
        """Return the edge of the square that the processor makes."""
        return int(self.processor.image_processor.crop_size["height"])

    def features(self, pixels: mx.array) -> mx.array:
        """Return the projected cells of the tower's last grid, row by row."""
        weight = self.model.vision_tower.vision_model.patch_embed.blocks[0].reparam_conv.weight
        _, grid, _ = self.model.vision_tower(pixels.astype(weight.dtype))
        projected: mx.array = self.model.mm_projector(grid.reshape(1, -1, grid.shape[-1]))
        return projected
