"""Qwen2-VL, Qwen2.5-VL and Qwen3-VL: one unit per image, M-RoPE positions, and for Qwen3 deepstack features.

Positions follow "Qwen2-VL: Enhancing Vision-Language Model's Perception of the World at Any Resolution"
(arXiv:2409.12191, section 2.1): text counts on all three planes at once, an image counts rows and columns of its merged
grid from where the text stopped, and text goes on after the largest of them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from app.cache.media import MediaSpan
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import (
    Aligned,
    FeatureRun,
    Features,
    FinalPrompt,
    ImageLayout,
    Unit,
    UnitPixels,
)

if TYPE_CHECKING:
    from PIL.Image import Image


@dataclass(frozen=True, slots=True)
class MRoPE:
    """Positions of a prompt: int32 planes ``(3, N)``, and what to add to an index beyond the prompt."""

    planes: npt.NDArray[np.int32]
    delta: int


def mrope_positions(length: int, spans: Sequence[MediaSpan], merge: int) -> MRoPE:
    """Return the M-RoPE positions of ``length`` tokens with images at ``spans`` (grids in patches, before merging)."""
    planes = np.empty((3, length), dtype=np.int32)
    written, position = 0, 0
    for span in spans:
        text = span.start - written
        planes[:, written : span.start] = np.arange(position, position + text)
        position += text
        frames, rows, columns = span.grid[0], span.grid[1] // merge, span.grid[2] // merge
        planes[:, span.start : span.end] = position + np.indices((frames, rows, columns)).reshape(3, -1)
        written, position = span.end, position + max(frames, rows, columns)
    planes[:, written:] = np.arange(position, position + length - written)
    return MRoPE(planes, position - written)


class QwenVL(FamilyAdapter):
    """Qwen2-VL and Qwen2.5-VL."""

    marker = "<|image_pad|>"
    placeholder = "<|image_pad|>"

    @property
    def placeholder_id(self) -> int:
        """The id that the configuration names."""
        named = self.config.get("image_token_id", self.config.get("image_token_index"))
        return super().placeholder_id if named is None else int(named)

    def layout(self, width: int, height: int) -> ImageLayout:
        """Round both sides to whole merged patches inside the processor's pixel limits."""
        processor = self.processor.image_processor
        seen_height, seen_width = processor._resolved_size(height, width)
        rows, columns = seen_height // processor.patch_size, seen_width // processor.patch_size
        tokens = rows * columns // processor.merge_size**2
        return ImageLayout((Unit(tokens, (1, rows, columns)),), self.placeholder * tokens, (seen_width, seen_height))

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return flattened patches ``(rows * columns, channels * frames * patch * patch)`` and the patch grid."""
        done = self.processor.image_processor(images=[image])
        return [{"pixel_values": np.asarray(done["pixel_values"]), "grid": np.asarray(done["image_grid_thw"])}]

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Encode one image after the other: rows of a joint call would be the same."""
        return [self._encode_one(mx.array(unit["pixel_values"]), mx.array(unit["grid"])) for unit in units]

    def sequence(self, prompt: FinalPrompt) -> dict[str, Aligned]:
        """Return ``position_ids`` of shape ``(3, 1, N)``."""
        return {"position_ids": Aligned(mx.array(self._positions(prompt).planes)[:, None, :], axis=2)}

    def step(self, prompt: FinalPrompt, position: int) -> dict[str, Any]:
        """Return the position of one decoded token on all planes."""
        return {"position_ids": mx.full((3, 1, 1), position + self._positions(prompt).delta, dtype=mx.int32)}

    def _positions(self, prompt: FinalPrompt) -> MRoPE:
        if "mrope" not in prompt.memo:
            merge = int(self.processor.image_processor.merge_size)
            prompt.memo["mrope"] = mrope_positions(len(prompt), prompt.spans, merge)
        positions: MRoPE = prompt.memo["mrope"]
        return positions

    def _encode_one(self, pixels: mx.array, grid: mx.array) -> Features:
        tower = self.model.vision_tower
        features: mx.array = tower(pixels.astype(tower.patch_embed.proj.weight.dtype), grid, output_hidden_states=False)
        return (features,)


class Qwen3VL(QwenVL):
    """Qwen3-VL: the tower also gives features for the first decoder layers, which travel with the image."""

    def embed(self, ids: npt.NDArray[np.int32], runs: Sequence[FeatureRun]) -> tuple[mx.array, dict[str, Any]]:
        """Return embeddings, and for chunks with image rows the mask and the deepstack rows of exactly this chunk."""
        embeds = self.merge(ids, runs)
        if not runs:
            return embeds, {}
        visual = np.zeros((1, len(ids)), dtype=bool)
        for run in runs:
            visual[0, run.at : run.at + run.length] = True
        layers = zip(*(run.features[1:] for run in runs), strict=True)
        stacked = [mx.concatenate(list(rows), axis=0).astype(embeds.dtype) for rows in layers]
        return embeds, {"visual_pos_masks": mx.array(visual), "deepstack_visual_embeds": stacked}

    def _encode_one(self, pixels: mx.array, grid: mx.array) -> Features:
        tower = self.model.vision_tower
        features, deepstack = tower(pixels.astype(tower.patch_embed.proj.weight.dtype), grid)
        return (features, *deepstack)
