"""Random weights that make a tiny network behave like a trained one: signals keep their size, inputs matter."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Iterable
from typing import Any

import mlx.core as mx
import numpy as np
from mlx.utils import tree_flatten

from tests.models.spec import Json, Spec


def skeleton(config: Json) -> Any:
    """Return the model that the library's loader would make of ``config``, with its initial weights.

    Text models are made by mlx-lm, whose parameter names both libraries read.
    """
    return _vision_model(config) if "vision_config" in config else _text_model(config)


def _vision_model(config: Json) -> Any:
    """Take the steps of ``mlx_vlm.utils.load_model``, which has no entry that stops before reading weights."""
    from mlx_vlm.utils import get_model_and_args, update_module_configs

    package, _ = get_model_and_args(config)
    parts = {"audio_config": {}, **config, "text_config": config.get("text_config", config.get("llm_config", {}))}
    model_config = package.ModelConfig.from_dict(parts)
    modules = ["text", "vision", "perceiver", "projector", "audio"]
    return package.Model(update_module_configs(model_config, package, parts, modules))


def _text_model(config: Json) -> Any:
    package = importlib.import_module(f"mlx_lm.models.{config['model_type']}")
    return package.Model(package.ModelArgs.from_dict(config))


def random_weights(model: Any, spec: Spec, media: Iterable[int], seed: int) -> dict[str, mx.array]:
    """Return float32 weights for ``model``, each drawn from its own name and ``seed``.

    Token rows of ``media`` are zero in embeddings and head, so that greedy decoding never answers a placeholder.
    """
    media = list(media)
    weights = {}
    for name, initial in tree_flatten(model.parameters()):
        rng = np.random.default_rng([seed, zlib.crc32(name.encode())])
        value = _draw(name, np.array(initial), spec, rng)
        if _is_token_table(name, value) and media:
            value[media] = 0.0
        weights[name] = mx.array(value.astype(np.float32))
    return weights


def _draw(name: str, initial: np.ndarray, spec: Spec, rng: np.random.Generator) -> np.ndarray:
    """Matrices get variance 1 / fan-in, embeddings the family's scale; vectors stay near their start (norms near 1)."""
    noise = rng.standard_normal(initial.shape)
    if spec.gates is not None and "gate" in name.rsplit(".", 1)[-1]:
        return np.full(initial.shape, spec.gates)
    if name.endswith("bias"):
        return 0.02 * noise
    if initial.ndim < 2:
        return initial + 0.05 * noise
    if "embed" in name and "patch" not in name:
        return spec.embedding * noise
    return noise * np.sqrt(initial.shape[0] / initial.size)


def _is_token_table(name: str, value: np.ndarray) -> bool:
    return value.ndim == 2 and any(part in name for part in ("embed_tokens", "lm_head"))
