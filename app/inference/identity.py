"""What makes cached state of a model compatible, gathered from the folder and the loaded model.

Weights are named by their headers, sizes and modification times rather than by reading gigabytes: any rewrite changes
one of them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from importlib.metadata import version
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten

from app.inference.checkpoint import weight_files
from app.inference.families.base import FamilyAdapter

_TOKENIZER_FILES = (
    "tokenizer.json",
    "tokenizer.model",
    "tokenizer_config.json",
    "special_tokens_map.json",
    "vocab.json",
    "merges.txt",
    "chat_template.jinja",
    "chat_template.json",
)
_PROCESSOR_FILES = ("preprocessor_config.json", "processor_config.json", "video_preprocessor_config.json")
_ROPE_KEYS = ("rope_theta", "rope_scaling", "rope_parameters", "rope_traditional", "partial_rotary_factor")
_LIBRARIES = ("mlx", "mlx-lm", "mlx-vlm", "transformers")


def weights_digest(folder: Path) -> str:
    """Return a digest of every weight file's header, size and modification time, and of the index."""
    digest = hashlib.sha256()
    for file in weight_files(folder):
        status = file.stat()
        digest.update(f"{file.name}|{status.st_size}|{status.st_mtime_ns}|".encode())
        with file.open("rb") as stream:
            length = int.from_bytes(stream.read(8), "little")
            digest.update(stream.read(length))
    digest.update(files_digest(folder, ("model.safetensors.index.json",)).encode())
    return digest.hexdigest()


def files_digest(folder: Path, names: tuple[str, ...]) -> str:
    """Return a digest of the contents of those of the ``names`` that exist."""
    digest = hashlib.sha256()
    for name in names:
        path = folder / name
        if path.is_file():
            content = path.read_bytes()
            digest.update(f"{name}|{len(content)}|".encode())
            digest.update(content)
    return digest.hexdigest()


def quantization(config: dict[str, Any]) -> str:
    """Return the quantization that the configuration declares, or ``none``."""
    declared = config.get("quantization") or config.get("quantization_config")
    return json.dumps(declared, sort_keys=True, default=str) if declared else "none"


def rope(config: dict[str, Any]) -> str:
    """Return what the configuration says about rotary positions, at the top and for the text part."""
    parts = (config, config.get("text_config") or {})
    return json.dumps(
        [{k: part.get(k) for k in _ROPE_KEYS if k in part} for part in parts], sort_keys=True, default=str
    )


def layer_layout(adapter: FamilyAdapter) -> str:
    """Return class and window of every layer cache, and the dtype that fills them."""
    dtypes = sorted({str(array.dtype) for _, array in tree_flatten(adapter.model.parameters()) if _is_float(array)})
    return ";".join([*_layers(adapter.make_cache()), *dtypes])


def processor_settings(folder: Path, config: dict[str, Any]) -> str:
    """Return a digest of the processor files and of the vision side of the configuration."""
    vision = json.dumps(config.get("vision_config"), sort_keys=True, default=str)
    return hashlib.sha256(f"{files_digest(folder, _PROCESSOR_FILES)}|{vision}".encode()).hexdigest()


def tokenizer_digest(folder: Path) -> str:
    """Return a digest of the tokenizer and the chat template."""
    return files_digest(folder, _TOKENIZER_FILES)


def libraries() -> str:
    """Return the versions of the libraries that define state and layout, and the device that computes it."""
    return ";".join([*(f"{name}={version(name)}" for name in _LIBRARIES), str(mx.default_device())])


def _layers(caches: list[Any]) -> Iterator[str]:
    for layer in caches:
        children = getattr(layer, "caches", None)
        inner = f"[{','.join(_layers(list(children)))}]" if children is not None else ""
        window = getattr(layer, "max_size", "")
        yield f"{type(layer).__module__.split('.')[0]}.{type(layer).__name__}{window}{inner}"


def _is_float(array: mx.array) -> bool:
    return bool(mx.issubdtype(array.dtype, mx.floating))
