"""Gemma 4: pictures in their own proportions, inputs per layer, sliding windows, in some sizes bidirectional images."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, ClassVar

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from app.inference.families.base import Checkpoint, FamilyAdapter
from app.inference.families.layout import Chunking, FeatureRun, Features, ImageLayout, ReusePolicy, Unit, UnitPixels

if TYPE_CHECKING:
    from PIL.Image import Image

IMAGE_TYPE = 1
"""Token type of a position that holds a piece of an image."""


class Gemma4(FamilyAdapter):
    """Gemma 4. An image is never cut by a chunk: in some sizes its tokens see each other both ways."""

    reuse: ClassVar[ReusePolicy] = "boundaries"
    chunking: ClassVar[Chunking] = "whole_spans"

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(checkpoint)
        self.marker = self.placeholder = str(self.processor.image_token)
        text = self.language_model.model
        self._bidirectional = getattr(text.config, "use_bidirectional_attention", None) == "vision"
        if self._bidirectional:
            # mlx-vlm's own overlay gives up when keys of a cached prefix stand before the chunk
            text._apply_blockwise_bidirectional_overlay = partial(see_own_image, text)

    def layout(self, width: int, height: int) -> ImageLayout:
        """Keep the proportions and take the most pooled patches that the budget allows."""
        from mlx_vlm.models.gemma4.processing_gemma4 import get_aspect_ratio_preserving_size

        processor = self.processor.image_processor
        pool = int(processor.pooling_kernel_size)
        seen_height, seen_width = get_aspect_ratio_preserving_size(
            height, width, processor.patch_size, processor.max_soft_tokens * pool**2, pool
        )
        rows, columns = seen_height // processor.patch_size, seen_width // processor.patch_size
        tokens = rows * columns // pool**2
        text = f"{self.processor.boi_token}{self.placeholder * tokens}{self.processor.eoi_token}"
        return ImageLayout((Unit(tokens, (rows, columns)),), text, (seen_width, seen_height))

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return pixels ``(1, 3, height, width)``, float32 from 0 to 1."""
        done, _tokens = self.processor.image_processor([image])
        return [{"pixel_values": np.asarray(done["pixel_values"], dtype=np.float32)}]

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Encode one image after the other."""
        encoded = [self.model.encode_image(mx.array(unit["pixel_values"])) for unit in units]
        return [(features.reshape(-1, features.shape[-1]),) for features in encoded]

    def embed_text(self, ids: mx.array) -> mx.array:
        """Return scaled embeddings: this language model scales what it embeds itself, not what it is given."""
        text = self.language_model.model
        embeds: mx.array = text.embed_tokens(ids) * text.embed_scale
        return embeds

    def embed(self, ids: npt.NDArray[np.int32], runs: Sequence[FeatureRun]) -> tuple[mx.array, dict[str, Any]]:
        """Return embeddings, the inputs per layer of exactly this chunk, and its token types where they matter."""
        types = np.zeros((1, len(ids)), dtype=np.int32)
        for run in runs:
            types[0, run.at : run.at + run.length] = IMAGE_TYPE
        more: dict[str, Any] = {}
        text = self.language_model.model
        if text.hidden_size_per_layer_input:
            more["per_layer_inputs"] = text.get_per_layer_inputs(mx.array(np.where(types == IMAGE_TYPE, 0, ids)))
        if self._bidirectional and runs:
            more["mm_token_type_ids"] = mx.array(types)
        return self.merge(ids, runs), more


def see_own_image(text: Any, causal: mx.array, types: mx.array | None) -> mx.array:
    """Return ``causal`` with every image's tokens seeing each other; keys of a cached prefix stay as they are.

    ``causal`` is a boolean mask ``(..., L, S + L)`` with the ``S`` prefix keys in front, ``types`` is ``(1, L)``.
    """
    if types is None or types.shape[1] != causal.shape[-2]:
        return causal
    block = text._block_sequence_ids_for_mask(types)
    same = (block[:, :, None] == block[:, None, :]) & (block[:, :, None] != -1)
    prefix = mx.zeros((*same.shape[:-1], causal.shape[-1] - causal.shape[-2]), dtype=mx.bool_)
    return causal | mx.concatenate([prefix, same], axis=-1)[:, None]
