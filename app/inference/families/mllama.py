"""Llama 3.2 Vision (Mllama): pictures enter through cross-attention layers, with one token each in the prompt.

Text before the first picture attends to all pictures too (a quirk of the original), so state depends on the whole set
of pictures: it is part of the key, and state is reused only under an equal set. Features never depend on the prompt.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from app.cache.protocols import LayerCaches
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import ChunkInputs, Features, FinalPrompt, ImageLayout, Unit, UnitPixels

if TYPE_CHECKING:
    from PIL.Image import Image


class Mllama(FamilyAdapter):
    """Llama 3.2 Vision. A unit's grid is its rows and columns of tiles, which the cross-attention mask needs."""

    marker = placeholder = "<|image|>"

    def layout(self, width: int, height: int) -> ImageLayout:
        """Return the one token of a picture; its grid is the canvas of tiles that fits it best."""
        from transformers.models.mllama.image_processing_pil_mllama import (
            get_image_size_fit_to_canvas,
            get_optimal_tiled_canvas,
        )

        processor = self.processor.image_processor
        tile = int(processor.size["height"])
        canvas = get_optimal_tiled_canvas(height, width, processor.max_image_tiles, tile)
        seen_height, seen_width = get_image_size_fit_to_canvas(height, width, *canvas, tile)
        grid = (int(canvas[0]) // tile, int(canvas[1]) // tile)
        return ImageLayout((Unit(1, grid),), self.placeholder, (int(seen_width), int(seen_height)))

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return pixels ``(1, 1, tiles, 3, edge, edge)``, padded to the most tiles, and which of them are real."""
        done = self.processor.image_processor([[image]], return_tensors="np")
        names = ("pixel_values", "aspect_ratio_ids", "aspect_ratio_mask")
        return [{name: np.asarray(done[name]) for name in names}]

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Return per image one row that holds all its cross-attention states, for the one token that it takes."""
        return [(self._encode_one(unit).reshape(1, -1),) for unit in units]

    def key_salt(self, prompt: FinalPrompt) -> str:
        """Return the set of pictures, in order."""
        return "|".join(f"{span.digest}{span.grid}" for span in prompt.spans)

    def needs_all_features(self) -> bool:
        """Every call attends to every picture."""
        return True

    def chunk(self, prompt: FinalPrompt, features: Mapping[int, Features], start: int, stop: int) -> ChunkInputs:
        """Return ids, cross-attention states and mask rows; the pictures' own tokens are embedded like text."""
        ids = mx.array(prompt.array[start:stop])[None]
        return ChunkInputs(ids, self.embed_text(ids), self._cross(prompt, features, np.arange(start, stop)))

    def token(
        self, prompt: FinalPrompt, features: Mapping[int, Features], token: mx.array, position: int
    ) -> ChunkInputs:
        """Return the call for a generated token: it attends like the text before it, never to padding tiles."""
        return ChunkInputs(token.reshape(1, 1), None, self._cross(prompt, features, np.array([position])))

    def forward(self, chunk: ChunkInputs, cache: LayerCaches) -> mx.array:
        """Run the language model; without pictures the cross-attention layers are left out, as in the original.

        mlx-vlm 0.7.10 would let them attend to the queries of the chunk instead.
        """
        if chunk.kwargs:
            return super().forward(chunk, cache)
        from mlx_vlm.models.base import create_attention_mask

        text = self.language_model.model
        hidden = self.embed_text(chunk.ids) if chunk.embeds is None else chunk.embeds
        mask = create_attention_mask(hidden, cache)
        for index, (layer, state) in enumerate(zip(text.layers, cache, strict=True)):
            if index not in text.config.cross_attention_layers:
                hidden = layer(hidden, mask=mask, cache=state)
        logits: mx.array = self.language_model.lm_head(text.norm(hidden))
        return logits

    def _encode_one(self, unit: UnitPixels) -> mx.array:
        states = self.model.vision_tower(**{name: mx.array(array) for name, array in unit.items()})
        projected: mx.array = self.model.multi_modal_projector(states)
        return projected

    def _cross(
        self, prompt: FinalPrompt, features: Mapping[int, Features], positions: npt.NDArray[np.int64]
    ) -> dict[str, Any]:
        if not prompt.spans:
            return {}
        if "states" not in prompt.memo:
            rows = [features[index][0].reshape(1, -1, self._hidden) for index in range(len(prompt.spans))]
            prompt.memo["states"] = mx.concatenate(rows, axis=1)
        visible = self._visible_tiles(prompt, positions)
        seeing: npt.NDArray[np.bool_] = np.any(visible, axis=1)
        # a row that sees nothing would be undefined; the original lets it see everything and drops its MLP's output
        allowed = mx.array(np.repeat(visible | ~seeing[:, None], self._tile_tokens, axis=1))[None, None]
        dropped = mx.array(seeing)[None, None, :, None]
        states = prompt.memo["states"]
        return {
            "cross_attention_states": states,
            "cross_attention_mask": allowed,
            "full_text_row_masked_out_mask": dropped.astype(states.dtype),
        }

    def _visible_tiles(self, prompt: FinalPrompt, positions: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
        """Return ``(positions, pictures * tiles)``: text sees the pictures right before it, up to the next ones."""
        most = int(self.processor.image_processor.max_image_tiles)
        columns = []
        for start, end, span in zip(*_reach(prompt), prompt.spans, strict=True):
            real = np.arange(most) < int(np.prod(span.grid))
            columns.append(((positions >= start) & (positions < end))[:, None] & real)
        return np.concatenate(columns, axis=1)

    @property
    def _hidden(self) -> int:
        return int(self.model.config.text_config.hidden_size)

    @property
    def _tile_tokens(self) -> int:
        vision = self.model.config.vision_config
        return int((vision.image_size // vision.patch_size) ** 2 + 1)


def _reach(prompt: FinalPrompt) -> tuple[list[int], list[float]]:
    """Return from which position to before which one each picture is seen; neighbours are seen together."""
    starts = [span.start for span in prompt.spans]
    ends = [*map(float, starts[1:]), float("inf")]
    for index in reversed(range(len(starts) - 1)):
        if ends[index] == starts[index] + 1:
            ends[index] = ends[index + 1]
    return starts, ends
