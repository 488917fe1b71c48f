"""Families that see every image as one square of fixed size: Gemma 3, LLaVA, PaliGemma, FastVLM."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import mlx.core as mx
import numpy as np

from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import Features, ImageLayout, Unit, UnitPixels

if TYPE_CHECKING:
    from PIL.Image import Image


class SquareImage(FamilyAdapter):
    """One unit per image, always of the same number of tokens.

    A subclass says how many (:meth:`image_tokens`) and of what size the picture becomes (:meth:`side`), and encodes one
    picture (:meth:`features`).
    """

    def image_tokens(self) -> int:
        """Return the language-model positions that one image takes."""
        raise NotImplementedError

    def side(self) -> int:
        """Return the edge in pixels of the square that the tower sees."""
        raise NotImplementedError

    def features(self, pixels: mx.array) -> mx.array:
        """Return ``(1, tokens, hidden)`` or ``(tokens, hidden)`` features of ``pixels``, ``(1, height, width, 3)``."""
        raise NotImplementedError

    def image_text(self, placeholders: str) -> str:
        """Return what replaces the marker, given the repeated placeholder."""
        return placeholders

    def layout(self, width: int, height: int) -> ImageLayout:
        """Return the one layout that all images have."""
        count, side = self.image_tokens(), self.side()
        return ImageLayout((Unit(count, (count,)),), self.image_text(self.placeholder * count), (side, side))

    def preprocess(self, image: Image) -> list[UnitPixels]:
        """Return normalised pixels ``(1, 3, side, side)``, float32."""
        done = self.processor.image_processor(images=[image], return_tensors="np")
        return [{"pixel_values": np.asarray(done["pixel_values"], dtype=np.float32)}]

    def encode(self, units: Sequence[UnitPixels]) -> list[Features]:
        """Encode one image after the other, so that no result depends on the company."""
        return [(self._encode_one(mx.array(unit["pixel_values"])),) for unit in units]

    def _encode_one(self, pixels: mx.array) -> mx.array:
        features = self.features(pixels.transpose(0, 2, 3, 1))
        return features.reshape(-1, features.shape[-1])
