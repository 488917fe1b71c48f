"""One prompt the way mlx-vlm itself runs it: its processor, its merge, one chunk. The reference for our adapters."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import mlx.core as mx
import numpy as np
from PIL.Image import Image

from app.inference.families.base import FamilyAdapter

_NOT_FOR_THE_DECODER = {"inputs_embeds", "attention_mask", "attention_mask_4d"}


def run(adapter: FamilyAdapter, text: str, images: Sequence[Image]) -> tuple[list[int], mx.array]:
    """Return the ids that the library's processor makes of ``text`` and the last position's logits ``(vocab,)``."""
    inputs = _prepare(adapter, text, images)
    ids = mx.array(np.asarray(inputs.pop("input_ids"))).reshape(1, -1)
    pixels, mask = inputs.pop("pixel_values", None), inputs.pop("attention_mask", None)
    mask = mx.ones_like(ids) if mask is None else mx.array(np.asarray(mask))
    merged = adapter.model.get_input_embeddings(ids, pixels, mask=mask, **inputs)
    given = {name: value for name, value in merged.to_dict().items() if value is not None}
    keywords = {name: value for name, value in given.items() if name not in _NOT_FOR_THE_DECODER}
    if "mm_token_type_ids" in inputs:
        keywords["mm_token_type_ids"] = inputs["mm_token_type_ids"]
    embeds = given["inputs_embeds"]
    logits = adapter.model.language_model(ids, inputs_embeds=embeds, cache=adapter.make_cache(), **keywords).logits
    return np.asarray(ids)[0].tolist(), logits[0, -1]


def _prepare(adapter: FamilyAdapter, text: str, images: Sequence[Image]) -> dict[str, Any]:
    from mlx_vlm.utils import prepare_inputs

    if adapter.checkpoint.model_type == "llava":
        # mlx-vlm forwards an option that the image processor of this transformers version refuses
        return dict(adapter.processor(images=list(images), text=text))
    index = getattr(adapter.model.config, "image_token_index", None)
    return dict(prepare_inputs(adapter.processor, images=list(images) or None, prompts=text, image_token_index=index))
