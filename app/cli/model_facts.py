"""What a model folder says about itself, read from its configuration and weight headers without loading it."""

from __future__ import annotations

import math
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import ModelRefused
from app.inference import checkpoint
from app.inference.model import context_length

ITEM_BYTES = {"F64": 8, "F32": 4, "BF16": 2, "F16": 2, "U32": 4, "I32": 4, "U8": 1, "I8": 1, "BOOL": 1}
FLOATS = ("F64", "F32", "BF16", "F16")
STATE_BYTES = 2 if sys.platform == "darwin" else 4
"""Per number of weights and state: on the CPU, half precision is computed in float32, see ``app.inference.loading``."""


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """One model on this machine; everything but ``ref`` and ``problem`` is empty where it cannot be loaded.

    Attributes:
        ref: what to give to ``--model``.
        family: ``model_type`` of the configuration.
        sees_images: whether the configuration describes a vision side.
        quantization: bits per weight, 0 where the weights are not quantized.
        disk_bytes: size of the weight files.
        memory_bytes: what the weights take here once loaded.
        token_bytes: state per token of context, as if every layer kept all of it; 0 where that is not said.
        context_length: tokens the model takes.
        problem: why it cannot be loaded.
    """

    ref: str
    family: str = ""
    sees_images: bool = False
    quantization: int = 0
    disk_bytes: int = 0
    memory_bytes: int = 0
    token_bytes: int = 0
    context_length: int = 0
    problem: str = ""

    def tokens_that_fit(self, free_bytes: int) -> int:
        """Return how much context fits beside the weights into ``free_bytes``, at most what the model takes."""
        left = free_bytes - self.memory_bytes
        if left <= 0 or not self.token_bytes:
            return 0 if left <= 0 else self.context_length
        return min(left // self.token_bytes, self.context_length)


def installed() -> list[ModelFacts]:
    """Return the demo model and the models of the local Hugging Face cache, those that cannot be loaded included."""
    return [facts_or_problem(ref) for ref in (checkpoint.DEMO, *_repositories())]


def facts_or_problem(ref: str) -> ModelFacts:
    """Return the facts of a model, or the reason why it cannot be loaded."""
    try:
        return facts(ref)
    except ModelRefused as error:
        return ModelFacts(ref, problem=str(error))


def facts(ref: str) -> ModelFacts:
    """Return what ``ref`` says about itself.

    Raises:
        ModelRefused: it cannot be loaded; the message says why.
    """
    folder = checkpoint.resolve(ref)
    config = checkpoint.read_config(folder, ref)
    quantization = config.get("quantization") or config.get("quantization_config") or {}
    files = checkpoint.weight_files(folder)
    return ModelFacts(
        ref=ref,
        family=str(config["model_type"]),
        sees_images=checkpoint.declares_vision(config),
        quantization=int(quantization.get("bits", 0)),
        disk_bytes=sum(file.stat().st_size for file in files),
        memory_bytes=sum(_loaded_bytes(file) for file in files),
        token_bytes=_token_bytes(config.get("text_config") or config),
        context_length=context_length(config),
    )


def _repositories() -> list[str]:
    from huggingface_hub import scan_cache_dir
    from huggingface_hub.errors import CacheNotFound

    try:
        repositories = scan_cache_dir().repos
    except CacheNotFound:
        return []
    return sorted(repository.repo_id for repository in repositories if repository.repo_type == "model")


def _loaded_bytes(file: Path) -> int:
    tensors = [tensor for name, tensor in checkpoint.read_header(file).items() if name != "__metadata__"]
    return sum(math.prod(tensor["shape"]) * _item_bytes(tensor["dtype"]) for tensor in tensors)


def _item_bytes(dtype: str) -> int:
    size = ITEM_BYTES.get(dtype, 8)
    return max(size, STATE_BYTES) if dtype in FLOATS else size


def _token_bytes(text: dict[str, Any]) -> int:
    layers, heads = text.get("num_hidden_layers"), text.get("num_attention_heads")
    if not isinstance(layers, int) or not isinstance(heads, int):
        return 0
    size = text.get("head_dim") or text.get("hidden_size", 0) // heads
    return int(2 * layers * (text.get("num_key_value_heads") or heads) * size * STATE_BYTES)
