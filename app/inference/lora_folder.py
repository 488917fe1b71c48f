"""The folder of a LoRA adapter: ``adapter_config.json`` and weights, looked at without MLX."""

from __future__ import annotations

import json
from pathlib import Path

from app.errors import ModelRefused
from app.inference.checkpoint import read_header

CONFIG = "adapter_config.json"
WEIGHTS = ("adapters.safetensors", "weights.safetensors")


def check_lora(folder: Path) -> None:
    """See to it that ``folder`` has an adapter.

    Raises:
        ModelRefused: a part is missing or damaged.
    """
    try:
        if not isinstance(json.loads((folder / CONFIG).read_text(encoding="utf-8")), dict):
            raise ValueError("no JSON object")
    except (OSError, ValueError) as error:
        raise ModelRefused(f"{folder} is not an adapter: {CONFIG} cannot be read ({error}).", str(folder)) from error
    try:
        read_header(lora_weights(folder))
    except ValueError as error:
        raise ModelRefused(f"{folder}: the weights of the adapter are damaged ({error}).", str(folder)) from error


def lora_weights(folder: Path) -> Path:
    """Return the file with the weights.

    Raises:
        ModelRefused: there is none.
    """
    found = next((folder / name for name in WEIGHTS if (folder / name).is_file()), None)
    if found is None:
        raise ModelRefused(f"{folder} is not an adapter: {WEIGHTS[0]} is missing.", str(folder))
    return found
