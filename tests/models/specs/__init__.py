"""One spec per model family."""

from __future__ import annotations

from tests.models.spec import Spec
from tests.models.specs import fastvlm, gemma, idefics, internvl, lfm2, llava, mllama, paligemma, qwen, text

_MODULES = (qwen, gemma, idefics, llava, lfm2, internvl, paligemma, mllama, fastvlm, text)
SPECS: dict[str, Spec] = {spec.family: spec for module in _MODULES for spec in module.SPECS}
