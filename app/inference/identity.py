"""What makes cached state of a model compatible, gathered from its folder and from the model itself."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.metadata import version
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten

from app.cache.identity import CacheIdentity, files_digest, weights_digest
from app.inference.families.base import FamilyAdapter
from app.inference.lora import lora_digest

_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "added_tokens.json",
    "vocab.json",
    "merges.txt",
)
_TEMPLATE_FILES = ("chat_template.jinja", "chat_template.json", "tokenizer_config.json", "processor_config.json")
_PROCESSOR_FILES = ("preprocessor_config.json", "processor_config.json")
_ROPE_KEYS = ("rope_theta", "rope_scaling", "rope_parameters", "rope_traditional", "partial_rotary_factor")
_LIBRARIES = ("mlx", "mlx-lm", "mlx-vlm", "transformers")


def cache_identity(adapter: FamilyAdapter) -> CacheIdentity:
    """Return the identity that state of this model carries.

    The configuration is part of it whole, since any field of it may shape the state; the device is, since CPU and GPU
    differ in the last bits.
    """
    folder, config = adapter.checkpoint.path, adapter.config
    return CacheIdentity(
        weights=weights_digest(folder),
        adapter=lora_digest(adapter.checkpoint.lora),
        quantization=config.get("quantization") or config.get("quantization_config") or {},
        tokenizer=files_digest(folder, _TOKENIZER_FILES),
        chat_template=files_digest(folder, _TEMPLATE_FILES),
        rope=rope(config),
        layout=(*_layers(adapter.make_cache()), *dtypes(adapter.model), type(adapter).__name__),
        processor={"files": files_digest(folder, _PROCESSOR_FILES), "config": files_digest(folder, ("config.json",))},
        versions={**{name: version(name) for name in _LIBRARIES}, "device": str(mx.default_device())},
    )


def rope(config: dict[str, Any]) -> dict[str, Any]:
    """Return what the configuration says about rotary positions, at its top and in the text part."""
    found = {key: config[key] for key in _ROPE_KEYS if key in config}
    text = config.get("text_config") or {}
    return {**found, **{f"text.{key}": text[key] for key in _ROPE_KEYS if key in text}}


def dtypes(model: Any) -> list[str]:
    """Return the floating-point types of the weights in memory, which are those of the state."""
    floats = (array for _, array in tree_flatten(model.parameters()) if mx.issubdtype(array.dtype, mx.floating))
    return sorted({str(array.dtype) for array in floats})


def _layers(caches: list[Any]) -> Iterator[str]:
    """Yield class and window of every layer cache, nested ones in brackets."""
    for layer in caches:
        children = getattr(layer, "caches", None)
        inner = f"[{','.join(_layers(list(children)))}]" if children is not None else ""
        yield f"{type(layer).__module__.split('.')[0]}.{type(layer).__name__}{getattr(layer, 'max_size', '')}{inner}"
