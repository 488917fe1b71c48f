"""LLaVA: CLIP on the centre square of a picture, one token per patch."""

from __future__ import annotations

import mlx.core as mx

from app.inference.families.base import Checkpoint
from app.inference.families.square import SquareImage


class Llava(SquareImage):
    """LLaVA 1.5 and its relatives with one fixed square per image."""

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(checkpoint)
        self.marker = self.placeholder = str(self.processor.image_token)

    def image_tokens(self) -> int:
        """Return the rows that the tower gives: patches, CLIP's class token, less the first where that is dropped.

        Taken from the model, since older checkpoints leave the processor's own figures out.
        """
        vision = self.model.config.vision_config
        class_token = int(vision.model_type == "clip_vision_model")
        return int((vision.image_size // vision.patch_size) ** 2) + class_token - self._dropped

    def side(self) -> int:
        """Return the tower's input size."""
        return int(self.model.config.vision_config.image_size)

    def features(self, pixels: mx.array) -> mx.array:
        """Return the projected states of the tower layer, or layers, that the configuration names."""
        *_, states = self.model.vision_tower(pixels, output_hidden_states=True)
        wanted = self.model.vision_feature_layer
        layers = [wanted] if isinstance(wanted, int) else list(wanted)
        joined = mx.concatenate([states[layer][:, self._dropped :] for layer in layers], axis=-1)
        projected: mx.array = self.model.multi_modal_projector(joined)
        return projected

    @property
    def _dropped(self) -> int:
        """Rows left out in front."""
        return 1 if self.model.vision_feature_select_strategy == "default" else 0
