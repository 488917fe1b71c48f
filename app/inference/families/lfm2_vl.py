"""LFM2-VL: short convolutions between attention layers; large pictures become tiles and a thumbnail."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, ClassVar, Literal

import mlx.core as mx
import numpy as np

from app.errors import ImageRefused
from app.inference.families.base import Checkpoint, FamilyAdapter
from app.inference.families.layout import Features, ImageLayout, ReusePolicy, Unit, UnitPixels

if TYPE_CHECKING:
    from PIL.Image import Image


class Lfm2VL(FamilyAdapter):
    """LFM2-VL and LFM2.5-VL. Convolution state exists at snapshots only."""

    reuse: ClassVar[ReusePolicy] = "boundaries"
    tiles: ClassVar[Literal["independent", "joint"]] = "independent"

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(checkpoint)
        self.marker = self.placeholder = str(self.processor.image_token)

    def layout(self, width: int, height: int) -> ImageLayout:
        """Return the tile grid of a large picture with its thumbnail, or the one view of a smaller one."""
        seen_width, seen_height = self._view_size(width, height)
        view = self._unit(seen_height, seen_width)
        columns, rows = self._grid(width, height)
        if columns * rows == 1:
            text = f"{self.processor.image_start_token}{self._text(view)}{self.processor.image_end_token}"
            return ImageLayout((view,), text, (seen_width, seen_height))
        tile_size = int(self.processor.image_processor.tile_size)
        tile = self._unit(tile_size, tile_size)
        thumbnails = (view,) if self.processor.image_processor.use_thumbnail else ()
        text = self._tiled_text(rows, columns, tile, thumbnails)
        return ImageLayout((tile,) * (rows * columns) + thumbnails, text, (tile_size * columns, tile_size * rows))

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return per view the padded patches ``(patches, values)``, which of them are real, and rows and columns."""
        done = self.processor.image_processor([image])
        names = {"pixel_values": "pixel_values", "real": "pixel_attention_mask", "grid": "spatial_shapes"}
        arrays = {ours: np.asarray(done[theirs]) for ours, theirs in names.items()}
        return [{name: array[index] for name, array in arrays.items()} for index in range(len(arrays["grid"]))]

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Encode view by view."""
        return [(self._encode_one(unit),) for unit in units]

    def _encode_one(self, unit: UnitPixels) -> mx.array:
        (features,) = self.model.encode_images(
            mx.array(unit["pixel_values"])[None],
            spatial_shapes=unit["grid"][None],
            pixel_attention_mask=mx.array(unit["real"])[None],
        )
        found: mx.array = features
        return found

    def _unit(self, height: int, width: int) -> Unit:
        """Return a view of this size: its tokens are its patches after unshuffling, odd grids padded.

        Raises:
            ImageRefused: rounding up the short side of a long strip took it over the tower's patches.
        """
        processor = self.processor.image_processor
        rows, columns = height // processor.encoder_patch_size, width // processor.encoder_patch_size
        if rows * columns > processor.max_num_patches:
            raise ImageRefused("This picture is too narrow for its length: the model cannot take such proportions.")
        factor = int(processor.downsample_factor)
        return Unit(-(-rows // factor) * -(-columns // factor), (rows, columns))

    def _view_size(self, width: int, height: int) -> tuple[int, int]:
        from mlx_vlm.models.lfm2_vl.processing_lfm2_vl import _smart_resize

        processor = self.processor.image_processor
        seen_width, seen_height = _smart_resize(
            height=height,
            width=width,
            downsample_factor=processor.downsample_factor,
            min_image_tokens=processor.min_image_tokens,
            max_image_tokens=processor.max_image_tokens,
            encoder_patch_size=processor.encoder_patch_size,
        )
        return int(seen_width), int(seen_height)

    def _grid(self, width: int, height: int) -> tuple[int, int]:
        """Return columns and rows of tiles, 1 and 1 where the picture is not split."""
        from mlx_vlm.models.lfm2_vl.processing_lfm2_vl import _get_grid_layout, _is_image_too_large

        processor = self.processor.image_processor
        large = _is_image_too_large(
            height=height,
            width=width,
            max_image_tokens=processor.max_image_tokens,
            encoder_patch_size=processor.encoder_patch_size,
            downsample_factor=processor.downsample_factor,
            max_pixels_tolerance=processor.max_pixels_tolerance,
        )
        if not (large and processor.do_image_splitting):
            return 1, 1
        columns, rows, *_ = _get_grid_layout(
            height, width, processor.min_tiles, processor.max_tiles, processor.tile_size
        )
        return int(columns), int(rows)

    def _text(self, unit: Unit) -> str:
        return self.placeholder * unit.tokens

    def _tiled_text(self, rows: int, columns: int, tile: Unit, thumbnails: Sequence[Unit]) -> str:
        tiles = "".join(
            f"<|img_row_{row + 1}_col_{column + 1}|>{self._text(tile)}"
            for row in range(rows)
            for column in range(columns)
        )
        name = getattr(self.processor, "image_thumbnail_token", "<|img_thumbnail|>")
        overview = "".join(f"{name}{self._text(view)}" for view in thumbnails)
        return f"{self.processor.image_start_token}{tiles}{overview}{self.processor.image_end_token}"
