"""A vision family that nobody has written an adapter for: it works, but nothing of it is cached.

What its state depends on is unknown, so its own processor builds the ids, its own merge builds the embeddings, the
whole prompt runs as one chunk, and ``reuse`` is ``none``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import mlx.core as mx
import numpy as np

from app.inference.families.base import Checkpoint, FamilyAdapter
from app.inference.families.layout import Chunking, ChunkInputs, Features, FinalPrompt, ReusePolicy

if TYPE_CHECKING:
    from PIL.Image import Image

_EVERY_CALL = ("cross_attention_states", "rope_deltas")
"""What mlx-vlm's own generator hands from the prompt to every decoding step."""


class GenericVision(FamilyAdapter):
    """Whatever mlx-vlm can load."""

    reuse: ClassVar[ReusePolicy] = "none"
    chunking: ClassVar[Chunking] = "one_chunk"
    opaque: ClassVar[bool] = True

    def __init__(self, checkpoint: Checkpoint) -> None:
        super().__init__(checkpoint)
        self.placeholder = _image_token(checkpoint) or self.placeholder

    def assemble(self, text: str, images: Sequence[Image]) -> FinalPrompt:
        """Return the prompt with the model's inputs in its memo."""
        from mlx_vlm.utils import prepare_inputs

        inputs = dict(
            prepare_inputs(
                self.processor,
                images=list(images) or None,
                prompts=text,
                image_token_index=getattr(self.model.config, "image_token_index", None),
            )
        )
        ids = mx.array(inputs.pop("input_ids")).reshape(1, -1)
        return FinalPrompt(tuple(np.array(ids)[0].tolist()), memo={"ids": ids, "inputs": inputs})

    def chunk(self, prompt: FinalPrompt, features: Mapping[int, Features], start: int, stop: int) -> ChunkInputs:
        """Return the whole prompt; ``start`` and ``stop`` are its ends."""
        inputs = dict(prompt.memo["inputs"])
        pixels, mask = inputs.pop("pixel_values", None), inputs.pop("attention_mask", None)
        merged = self.model.get_input_embeddings(prompt.memo["ids"], pixels, mask=mask, **inputs)
        given = {name: value for name, value in merged.to_dict().items() if value is not None}
        embeds = given.pop("inputs_embeds")
        prompt.memo["every_call"] = {name: given[name] for name in _EVERY_CALL if name in given}
        return ChunkInputs(prompt.memo["ids"], embeds, given)

    def step(self, prompt: FinalPrompt, position: int) -> dict[str, Any]:
        """Return what the prompt left for every step."""
        kept: dict[str, Any] = prompt.memo["every_call"]
        return kept


def _image_token(checkpoint: Checkpoint) -> str | None:
    """Return the token that the processor takes for a picture wherever it stands, as far as that is declared."""
    token = getattr(checkpoint.processor, "image_token", None)
    if isinstance(token, str):
        return token
    declared = (checkpoint.config.get(name) for name in ("image_token_id", "image_token_index"))
    number = next((value for value in declared if isinstance(value, int) and value >= 0), None)
    return None if number is None else str(checkpoint.tokenizer.convert_ids_to_tokens(number))
