"""``python -m app bench identity``: what it takes to know a large model folder by what is in it, all in one run."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from app.bench.timing import median_seconds
from app.cache.identity import files_digest, weights_digest

GB = 1_000_000_000
TENSORS_PER_LAYER = 21
"""A quantized transformer layer: seven matrices with scales and biases."""
TOKENIZER_BYTES = 11_000_000
"""What a vocabulary of 150,000 entries takes in ``tokenizer.json``."""


def run(gigabytes: int = 20, shards: int = 4, layers: int = 64, repeats: int = 9) -> dict[str, Any]:
    """Measure the digest of a model folder: headers, sizes and times of the weights, contents of the small files.

    Args:
        gigabytes: size of the weights; the files are sparse, as their content is not read.
        shards: files that the weights are spread over.
        layers: layers of the model, 21 tensors each.
        repeats: runs of which the median counts.

    Returns:
        Milliseconds, and the share of the folder's bytes that was read.
    """
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        headers = sum(_shard(folder, number, shards, gigabytes * GB // shards, layers) for number in range(shards))
        (folder / "tokenizer.json").write_bytes(b"x" * TOKENIZER_BYTES)
        weights = median_seconds(lambda: weights_digest(folder), repeats)
        tokenizer = median_seconds(lambda: files_digest(folder, ("tokenizer.json",)), repeats)
    return {
        "gigabytes": gigabytes,
        "weights_ms": weights * 1000,
        "tokenizer_ms": tokenizer * 1000,
        "both_ms": (weights + tokenizer) * 1000,
        "share_of_bytes_read": (headers + TOKENIZER_BYTES) / (gigabytes * GB),
    }


def _shard(folder: Path, number: int, shards: int, size: int, layers: int) -> int:
    """Write a sparse shard and return the size of its header."""
    tensors = layers * TENSORS_PER_LAYER // shards
    each = size // tensors
    header = {
        f"language_model.model.layers.{number}.self_attn.part.{i}": {
            "dtype": "U32",
            "shape": [each // 4],
            "data_offsets": [i * each, (i + 1) * each],
        }
        for i in range(tensors)
    }
    text = json.dumps(header).encode()
    with (folder / f"model-{number:05}-of-{shards:05}.safetensors").open("wb") as file:
        file.write(len(text).to_bytes(8, "little") + text)
        file.truncate(8 + len(text) + tensors * each)
    return len(text)
