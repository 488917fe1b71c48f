"""Which adapter serves which architecture; adapters are imported when their family is loaded."""

from __future__ import annotations

import importlib

from app.inference.families.base import FamilyAdapter

FAMILIES: dict[str, str] = {
    "qwen2_vl": "qwen_vl:QwenVL",
    "qwen2_5_vl": "qwen_vl:QwenVL",
    "qwen3_vl": "qwen_vl:Qwen3VL",
    "gemma3": "gemma3:Gemma3",
    "gemma4": "gemma4:Gemma4",
    "smolvlm": "idefics:Idefics",
    "idefics3": "idefics:Idefics",
    "llava": "llava:Llava",
    "llava_next": "llava_next:LlavaNext",
    "lfm2_vl": "lfm2_vl:Lfm2VL",
    "internvl_chat": "internvl:InternVLChat",
    "internvl": "internvl:InternVL",
    "fastvlm": "fastvlm:FastVLM",
    "paligemma": "paligemma:PaliGemma",
    "mllama": "mllama:Mllama",
}
"""Normalised model type to ``module:class`` in this package."""

TEXT, GENERIC = "text:TextModel", "generic:GenericVision"


def adapter_class(model_type: str, sees_images: bool) -> type[FamilyAdapter]:
    """Return the adapter for ``model_type``: its own, the text one, or the uncached default."""
    module, name = FAMILIES.get(model_type, GENERIC if sees_images else TEXT).split(":")
    found: type[FamilyAdapter] = getattr(importlib.import_module(f"app.inference.families.{module}"), name)
    return found
