"""LoRA adapters: a folder with ``adapter_config.json`` and weights, put on top of a model before it is read.

A model reference may name one: ``demo + /path/to/adapter``, see :func:`app.inference.checkpoint.split`.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from mlx import nn
from mlx.utils import tree_flatten

from app.cache.identity import files_digest, weights_digest
from app.errors import ModelRefused
from app.inference.checkpoint import read_header
from app.inference.lora_folder import CONFIG, lora_weights


def apply_lora(model: nn.Module, folder: Path, *, sees_images: bool) -> None:
    """Put the adapter of ``folder`` on top of ``model``, whose weights need not have been read.

    Raises:
        ModelRefused: it is incomplete, or made for another model.
        Exception: of the library, where it cannot use the adapter.
    """
    weights = lora_weights(folder)
    if sees_images:
        from mlx_vlm.trainer.peft.utils import apply_lora_layers

        apply_lora_layers(model, weights)
    else:
        _apply_to_text(model, weights)
    model.eval()
    _check_fits(model, weights)


def lora_digest(folder: Path | None) -> str:
    """Return what makes state of this adapter compatible; empty for none."""
    return f"{weights_digest(folder)}-{files_digest(folder, (CONFIG,))}" if folder is not None else ""


def _apply_to_text(model: nn.Module, weights: Path) -> None:
    """Put on an adapter as mlx-lm trains them: its keys are relative to a layer.

    mlx-lm's own loader needs packages for training that are not part of this app; mlx-vlm has the same layers. Experts
    of mixture models are not among them: such adapters are refused by name.
    """
    from mlx_vlm.trainer.peft.adapter_utils import linear_to_lora_layers

    config = json.loads((weights.parent / CONFIG).read_text(encoding="utf-8"))
    dora = config.get("fine_tune_type") == "dora"
    linear_to_lora_layers(model, config["num_layers"], config["lora_parameters"], use_dora=dora)
    model.load_weights(str(weights), strict=False)


def _check_fits(model: nn.Module, weights: Path) -> None:
    """Refuse what the libraries would take silently: tensors that name no layer, and layers of another size."""
    parameters = dict(tree_flatten(model.parameters()))
    unknown = [name for name in read_header(weights) if name != "__metadata__" and name not in parameters]
    misfits = unknown or [name for name, module in model.named_modules() if not _sizes_agree(module)]
    if misfits:
        raise ModelRefused(
            f"The adapter {weights.parent} was made for another model: {misfits[0]} does not fit.", str(weights.parent)
        )


def _sizes_agree(module: Any) -> bool:
    if "lora_a" not in module or "lora_b" not in module or "linear" not in module:
        return True
    linear = module["linear"]
    if not isinstance(linear, nn.Linear | nn.QuantizedLinear):
        return True
    outputs, inputs = linear.weight.shape
    if isinstance(linear, nn.QuantizedLinear):
        inputs = inputs * 32 // linear.bits
    return bool(module["lora_a"].shape[0] == inputs and module["lora_b"].shape[1] == outputs)
