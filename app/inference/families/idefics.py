"""SmolVLM and Idefics3: a picture becomes a grid of tiles and an overview, each encoded on its own."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

import mlx.core as mx
import numpy as np

from app.inference.families.base import Checkpoint, FamilyAdapter
from app.inference.families.layout import Features, ImageLayout, Unit, UnitPixels

if TYPE_CHECKING:
    from PIL.Image import Image

LARGEST_EDGE = 4096
"""No picture is made larger than this before it is cut (``MAX_IMAGE_SIZE`` of the processor in transformers)."""


class Idefics(FamilyAdapter):
    """Idefics3 and SmolVLM."""

    tiles: ClassVar[Literal["independent", "joint"]] = "independent"

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(checkpoint)
        self.marker = self.placeholder = str(self.processor.image_token)

    def layout(self, width: int, height: int) -> ImageLayout:
        """Scale to the longest edge, round both sides up to whole tiles, and add the overview tile."""
        tile = int(self.processor.image_processor.max_image_size["longest_edge"])
        columns, rows = self._grid(width, height, tile)
        if columns * rows == 1:
            columns = rows = 0
        unit = Unit(int(self.processor.image_seq_len), (tile, tile))
        size = (tile * max(columns, 1), tile * max(rows, 1))
        return ImageLayout((unit,) * (rows * columns + 1), self._text(rows, columns), size)

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return normalised pixels ``(3, tile, tile)`` of the tiles, row by row, then of the overview."""
        done = self.processor.image_processor([[image]], return_tensors="np")
        return [{"pixel_values": tile} for tile in np.asarray(done["pixel_values"], dtype=np.float32)[0]]

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Encode tile by tile; all patches of a tile are real, since the grid is whole."""
        return [(self._encode_one(mx.array(unit["pixel_values"])),) for unit in units]

    def embed_text(self, ids: mx.array) -> mx.array:
        """Return embeddings ``(1, L, hidden)``; this language model has no inner ``model``."""
        embeds: mx.array = self.language_model.embed_tokens(ids)
        return embeds

    def _grid(self, width: int, height: int, tile: int) -> tuple[int, int]:
        """Return columns and rows of tiles."""
        processor = self.processor.image_processor
        if not processor.do_image_splitting:
            return 1, 1
        if processor.do_resize:
            width, height = _longest_edge(width, height, int(processor.size["longest_edge"]))
        ratio = width / height
        if width >= height:
            columns = math.ceil(width / tile)
            return columns, math.ceil(int(columns * tile / ratio) / tile)
        rows = math.ceil(height / tile)
        return math.ceil(int(rows * tile * ratio) / tile), rows

    def _text(self, rows: int, columns: int) -> str:
        fake, seen = self.processor.fake_image_token, self.placeholder * int(self.processor.image_seq_len)
        grid = "".join(
            "".join(f"{fake}<row_{row + 1}_col_{column + 1}>{seen}" for column in range(columns)) + "\n"
            for row in range(rows)
        )
        overview = f"{fake}<global-img>{seen}{fake}"
        return f"{grid}\n{overview}" if grid else overview

    def _encode_one(self, pixels: mx.array) -> mx.array:
        edge = int(pixels.shape[-1]) // int(self.model.config.vision_config.patch_size)
        real = mx.ones((1, edge, edge), dtype=mx.bool_)
        hidden, *_ = self.model.vision_model(
            pixels[None].transpose(0, 2, 3, 1), patch_attention_mask=real, output_hidden_states=True
        )
        features: mx.array = self.model.connector(hidden)
        return features.reshape(-1, features.shape[-1])


def _longest_edge(width: int, height: int, edge: int) -> tuple[int, int]:
    """Return the size with ``edge`` as its longer side, the other one even, as the processor rounds it."""
    ratio = width / height
    if width >= height:
        width, height = edge, int(edge / ratio)
        height += height % 2
    else:
        width, height = int(edge * ratio), edge
        width += width % 2
    width, height = max(width, 1), max(height, 1)
    ratio = width / height
    if width >= height and width > LARGEST_EDGE:
        width, height = LARGEST_EDGE, int(LARGEST_EDGE / ratio)
    elif height > width and height > LARGEST_EDGE:
        width, height = int(LARGEST_EDGE * ratio), LARGEST_EDGE
    return max(width, 1), max(height, 1)
