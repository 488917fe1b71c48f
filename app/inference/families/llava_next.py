"""LLaVA-NeXT (1.6): an overview, and tiles whose patches stand row by row across all tiles, without the padding.

mlx-vlm 0.7.10 runs tower and language model rightly, but puts whole tiles where single patches belong, repeats the line
break as often as there are patches and drops every picture but the first; so how features are arranged follows
``pack_image_features`` of transformers. A row of patches runs through several tiles, hence a tile has no place of its
own in the prompt and a picture is one unit.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np

from app.inference.families.layout import Features, ImageLayout, Unit, UnitPixels
from app.inference.families.llava import Llava

if TYPE_CHECKING:
    from PIL.Image import Image


class LlavaNext(Llava):
    """LLaVA 1.6 with whatever language model."""

    def layout(self, width: int, height: int) -> ImageLayout:
        """Return the overview's patches, and the tiles' that are no padding with a line break after each row."""
        patch, overview = int(self.model.config.vision_config.patch_size), self._edge**2
        tall, wide = self._tiles(width, height)
        rows, columns = unpadded(tall * self._edge, wide * self._edge, width, height)
        count = overview + (rows.stop - rows.start) * (columns.stop - columns.start + 1)
        size = ((columns.stop - columns.start) * patch, (rows.stop - rows.start) * patch)
        return ImageLayout((Unit(count, (tall, wide, size[1], size[0])),), self.placeholder * count, size)

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return normalised pixels ``(1 + tiles, 3, side, side)``, the overview first, and width and height."""
        done = self.processor.image_processor(images=[image], return_tensors="np")
        pixels = np.asarray(done["pixel_values"], dtype=np.float32)[0]
        return [{"pixel_values": pixels, "size": np.array(image.size, dtype=np.int32)}]

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Encode tile by tile, and arrange the patches as they stand in the prompt."""
        return [(self._arranged(unit),) for unit in units]

    def _arranged(self, unit: UnitPixels) -> mx.array:
        tiles = [mx.array(tile)[None].transpose(0, 2, 3, 1) for tile in unit["pixel_values"]]
        overview, *rest = [self.features(tile)[0] for tile in tiles]
        width, height = (int(side) for side in unit["size"])
        tall, wide = self._tiles(width, height)
        return arranged(overview, mx.stack(rest), (tall, wide), (width, height), self.model.image_newline)

    def _tiles(self, width: int, height: int) -> tuple[int, int]:
        """Return rows and columns of tiles, of the shapes that the processor knows the one that fits best."""
        from transformers.image_processing_utils import select_best_resolution

        tall, wide = select_best_resolution((height, width), self.processor.image_processor.image_grid_pinpoints)
        return tall // self.side(), wide // self.side()

    @property
    def _edge(self) -> int:
        """Patches along one side of a tile."""
        return self.side() // int(self.model.config.vision_config.patch_size)


def arranged(
    overview: mx.array, tiles: mx.array, grid: tuple[int, int], size: tuple[int, int], line_break: mx.array
) -> mx.array:
    """Return the features ``(tokens, hidden)`` of one picture.

    Args:
        overview: ``(patches, hidden)``.
        tiles: ``(tiles, patches, hidden)``, row by row.
        grid: rows and columns of tiles.
        size: width and height of the picture, from which the padding follows.
        line_break: ``(hidden,)``, stands after each row of patches.
    """
    edge, hidden = round(tiles.shape[1] ** 0.5), tiles.shape[2]
    rows, columns = grid[0] * edge, grid[1] * edge
    whole = tiles.reshape(*grid, edge, edge, hidden).transpose(0, 2, 1, 3, 4).reshape(rows, columns, hidden)
    whole = whole[unpadded(rows, columns, *size)]
    breaks = mx.broadcast_to(line_break.astype(whole.dtype), (whole.shape[0], 1, hidden))
    return mx.concatenate([overview, mx.concatenate([whole, breaks], axis=1).reshape(-1, hidden)], axis=0)


def unpadded(rows: int, columns: int, width: int, height: int) -> tuple[slice, slice]:
    """Return which of ``rows`` and ``columns`` of patches show a picture of this size rather than padding."""
    if width / height > columns / rows:
        padding = (rows - int(round(height * (columns / width), 7))) // 2
        return slice(padding, rows - padding), slice(0, columns)
    padding = (columns - int(round(width * (rows / height), 7))) // 2
    return slice(0, rows), slice(padding, columns - padding)
