"""Random weights that make a tiny network behave like a trained one: signals keep their size, inputs matter."""

from __future__ import annotations

import importlib
import zlib
from collections.abc import Iterable
from typing import Any

import mlx.core as mx
import numpy as np
import numpy.typing as npt
from mlx.utils import tree_flatten

from tests.models.spec import Json, Spec

Values = npt.NDArray[np.float64]


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


def random_weights(model: Any, spec: Spec, spoken: Iterable[int], seed: int) -> dict[str, mx.array]:
    """Return float32 weights for ``model``, each drawn from its own name and ``seed``.

    Answers consist of the ``spoken`` ids: all other rows of the head are a tenth as large.
    """
    shapes = dict(tree_flatten(model.parameters()))
    weights = {name: _draw(name, np.array(initial), spec, seed) for name, initial in shapes.items()}
    head = next((name for name in weights if "lm_head." in name), None)
    head = head or next(name for name in weights if name.endswith(("embed_tokens.weight", "embeddings.weight")))
    quiet = np.setdiff1d(np.arange(len(weights[head])), list(spoken))
    weights[head][quiet] *= 0.1
    return {name: mx.array(value.astype(np.float32)) for name, value in weights.items()}


def _draw(name: str, initial: Values, spec: Spec, seed: int) -> Values:
    """Matrices get variance 1 / fan-in, embeddings the family's scale; vectors of ones stay near one."""
    noise: Values = np.random.default_rng([seed, zlib.crc32(name.encode())]).standard_normal(initial.shape)
    if spec.gates is not None and "gate" in name.rsplit(".", 1)[-1]:
        return np.full(initial.shape, spec.gates)
    if name.endswith("bias"):
        return 0.02 * noise
    if initial.ndim < 2:
        return initial + 0.05 * noise if np.ptp(initial) == 0 else 0.5 * noise
    if "embed" in name and "patch" not in name:
        return spec.embedding * noise
    return noise * float(np.sqrt(initial.shape[0] / initial.size))
