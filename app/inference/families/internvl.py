"""InternVL: tiles in the picture's proportions and a thumbnail, in one run of placeholders.

The original checkpoints (``internvl_chat``) and those converted for transformers (``internvl``) cut pictures alike.
Their layers have other names, and only the template of the latter takes images.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, Literal

import mlx.core as mx
import numpy as np

from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import Features, ImageLayout, Unit, UnitPixels

if TYPE_CHECKING:
    from PIL.Image import Image


CHATML = (
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message.role + '\n' + message.content + '<|im_end|>\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)
"""The conversation format of InternVL 2.5 and 3, for checkpoints whose tokenizer has no template."""


class InternVL(FamilyAdapter):
    """InternVL 3 and 3.5 as converted for transformers."""

    tiles: ClassVar[Literal["independent", "joint"]] = "independent"
    marker = placeholder = "<IMG_CONTEXT>"

    def layout(self, width: int, height: int) -> ImageLayout:
        """Return as many tiles as fit the proportions best, and a thumbnail where there are several."""
        processor, edge = self.processor.image_processor, int(self.processor.image_processor.size)
        columns, rows = self._grid(width, height, edge)
        count = columns * rows
        if processor.dynamic_use_thumbnail and count > 1:
            count += 1
        tokens = int(self.processor.num_image_token)
        text = f"<img>{self.placeholder * tokens * count}</img>"
        return ImageLayout((Unit(tokens, (edge, edge)),) * count, text, (columns * edge, rows * edge))

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return normalised pixels ``(3, edge, edge)`` of the tiles, row by row, then of the thumbnail."""
        done = self.processor.image_processor.preprocess([image])
        return [{"pixel_values": tile} for tile in np.array(done["pixel_values"])[0]]

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Encode tile by tile."""
        return [(self._encode_one(mx.array(unit["pixel_values"])),) for unit in units]

    def _grid(self, width: int, height: int, edge: int) -> tuple[int, int]:
        from mlx_vlm.models.internvl_chat.processor import find_closest_aspect_ratio

        processor = self.processor.image_processor
        if not processor.do_dynamic_preprocess:
            return 1, 1
        low, high = processor.dynamic_min_num, processor.dynamic_max_num
        columns, rows = find_closest_aspect_ratio(width / height, _grids(low, high), width, height, edge)
        return int(columns), int(rows)

    def _encode_one(self, pixels: mx.array) -> mx.array:
        tower = self.model.vision_tower
        hidden, *_ = tower(_batch(pixels, tower.embeddings.patch_embeddings.projection.weight.dtype))
        features: mx.array = self.model.multi_modal_projector(_shuffled(hidden, self.model.config.downsample_ratio))
        return features.reshape(-1, features.shape[-1])


class InternVLChat(InternVL):
    """InternVL 2, 2.5 and 3 in their original format."""

    marker = "<image>"

    def render(
        self, messages: Sequence[Mapping[str, Any]], add_generation_prompt: bool, thinking: bool | None = None
    ) -> str:
        """Put one marker per line before the text of each message, as in training; templates take strings only.

        The tokenizer's own template is used: the processor's (mlx-vlm's) drops texts in Hugging Face format.
        """
        plain = [{**message, "content": _with_markers(message["content"], self.marker)} for message in messages]
        template = self.tokenizer.chat_template or CHATML
        text: str = self.tokenizer.apply_chat_template(
            plain, chat_template=template, tokenize=False, add_generation_prompt=add_generation_prompt
        )
        return text

    def _encode_one(self, pixels: mx.array) -> mx.array:
        tower = self.model.vision_model
        batch = _batch(pixels, tower.embeddings.patch_embedding.weight.dtype)
        hidden, *_ = tower(batch, output_hidden_states=True)
        features = _shuffled(hidden, self.model.downsample_ratio)
        for layer in self.model.mlp1:
            features = layer(features)
        return features.reshape(-1, features.shape[-1])


def _batch(pixels: mx.array, dtype: mx.Dtype) -> mx.array:
    return pixels.astype(dtype)[None].transpose(0, 2, 3, 1)


def _shuffled(hidden: mx.array, ratio: float) -> mx.array:
    """Return the patches of a tile, without the class token, with neighbours joined into one."""
    from mlx_vlm.models.base import pixel_shuffle

    joined: mx.array = pixel_shuffle(hidden[:, 1:, :], shuffle_ratio=ratio)
    return joined


def _with_markers(content: str | Sequence[Mapping[str, str]], marker: str) -> str:
    if isinstance(content, str):
        return content
    return "".join(f"{marker}\n" if part["type"] == "image" else part["text"] for part in content)


def _grids(low: int, high: int) -> list[tuple[int, int]]:
    """Return all grids of ``low`` to ``high`` tiles by their number, ties in the processor's own (set) order."""
    grids = {
        (columns, rows)
        for most in range(low, high + 1)
        for columns in range(1, most + 1)
        for rows in range(1, most + 1)
        if low <= columns * rows <= high
    }
    return sorted(grids, key=lambda grid: grid[0] * grid[1])
