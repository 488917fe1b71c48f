"""How large a quantized copy of a model will be, from its headers alone."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any, Final, Literal

from app.inference import checkpoint
from app.inference.library.facts import FLOATS, ITEM_BYTES

Bits = Literal[4, 8]
GROUP_SIZE: Final = 64
"""Weights that share a scale and a bias."""
_KEPT: Final = ("vision", "visual", "audio", "projector", "aligner", "connector", "sam_model", "norm")
"""Parts of the names of tensors that keep their precision: the libraries quantize the language model only."""


def quantized_bytes(folder: Path, bits: Bits) -> int:
    """Return about how many bytes the weights in ``folder`` take with ``bits`` bits each.

    Raises:
        ValueError: a weight file is damaged.
    """
    tensors = (item for file in checkpoint.weight_files(folder) for item in checkpoint.read_header(file).items())
    return sum(_bytes(name, tensor, bits) for name, tensor in tensors if name != "__metadata__")


def _bytes(name: str, tensor: dict[str, Any], bits: Bits) -> int:
    shape: list[int] = tensor["shape"]
    count, item = math.prod(shape), ITEM_BYTES.get(tensor["dtype"], 8)
    small = len(shape) < 2 or shape[-1] % GROUP_SIZE or tensor["dtype"] not in FLOATS
    if small or any(part in name for part in _KEPT):
        return count * item
    return count * bits // 8 + 2 * item * (count // GROUP_SIZE)
