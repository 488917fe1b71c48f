"""A LoRA adapter of random weights for the demo model's first layer."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path

import mlx.core as mx

KEYS = ("language_model.model.layers.0.self_attn.q_proj",)
WIDTH = 192


def write_adapter(folder: Path, inputs: int = WIDTH, seed: int = 0, keys: Sequence[str] = KEYS) -> Path:
    """Make ``folder`` an adapter whose matrices take ``inputs`` numbers, and return it."""
    parameters = {"rank": 2, "dropout": 0.0, "scale": 20.0, "keys": list(KEYS)}
    config = {"fine_tune_type": "lora", "num_layers": -1, "lora_parameters": parameters}
    folder.mkdir()
    (folder / "adapter_config.json").write_text(json.dumps(config))
    mx.random.seed(seed)
    arrays = {
        f"{key}.{part}": mx.random.normal(shape)
        for key in keys
        for part, shape in (("lora_a", (inputs, 2)), ("lora_b", (2, WIDTH)))
    }
    mx.save_safetensors(str(folder / "adapters.safetensors"), arrays)
    return folder
