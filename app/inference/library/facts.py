"""What a model folder says about itself, read from its configuration and weight headers without loading it."""

from __future__ import annotations

import json
import math
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from app.errors import ModelRefused
from app.inference import checkpoint
from app.inference.library.kinds import check_known_kind
from app.inference.library.sizes import state_size, vision_bytes
from app.inference.lora_folder import check_lora, lora_weights
from app.inference.state_size import StateSize

ITEM_BYTES = {"F64": 8, "F32": 4, "BF16": 2, "F16": 2, "U32": 4, "I32": 4, "U8": 1, "I8": 1, "BOOL": 1}
FLOATS = ("F64", "F32", "BF16", "F16")
STATE_BYTES = 2 if sys.platform == "darwin" else 4
"""Per number of weights and state: on the CPU, half precision is computed in float32, see ``app.inference.loading``."""
NO_STATE = StateSize(0)
_LICENCE = re.compile(r"^license(?P<name>_name)?:[ \t]*[\"']?(?P<value>[\w.+-]+)", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class ModelFacts:
    """One model on this machine; what follows ``disk_bytes`` is empty where it cannot be loaded.

    Attributes:
        ref: what to give to ``--model``.
        folder: where it lies; empty where that is not known.
        disk_bytes: size of the weight files.
        family: ``model_type`` of the configuration.
        sees_images: whether the configuration describes a vision side.
        quantization: bits per weight, 0 where the weights are not quantized.
        memory_bytes: what the weights, and those of its adapter, take here once loaded.
        state: what a conversation takes beside them, as far as the configuration says.
        vision_bytes: what looking at one screenshot takes for a moment.
        context_length: tokens the model takes.
        licence: as the model card states it; empty where there is no card.
        problem: why it cannot be loaded.
    """

    ref: str
    folder: str = ""
    disk_bytes: int = 0
    family: str = ""
    sees_images: bool = False
    quantization: int = 0
    memory_bytes: int = 0
    state: StateSize = NO_STATE
    vision_bytes: int = 0
    context_length: int = 0
    licence: str = ""
    problem: str = ""


def facts_or_problem(ref: str) -> ModelFacts:
    """Return the facts of a model, or the reason why it cannot be loaded."""
    try:
        return facts(ref)
    except ModelRefused as error:
        return _refused(ref, str(error))


def facts(ref: str) -> ModelFacts:
    """Return what ``ref`` says about itself.

    Raises:
        ModelRefused: it cannot be loaded; the message says why.
    """
    folder, lora = checkpoint.resolve(ref), checkpoint.split(ref)[1]
    config = checkpoint.read_config(folder, ref)
    if lora is not None:
        check_lora(lora)
    sees_images = checkpoint.declares_vision(config)
    check_known_kind(config, ref, sees_images=sees_images)
    try:
        return _facts(ref, folder, config, lora)
    except (ArithmeticError, AttributeError, TypeError, ValueError) as error:
        name = "config.json"
        raise ModelRefused(f"{ref}: {name} cannot be read ({error}).", ref) from error


def _facts(ref: str, folder: Path, config: dict[str, Any], lora: Path | None) -> ModelFacts:
    sees_images = checkpoint.declares_vision(config)
    quantization = config.get("quantization") or config.get("quantization_config") or {}
    files = checkpoint.weight_files(folder)
    in_memory = [*files, lora_weights(lora)] if lora is not None else files
    return ModelFacts(
        ref=ref,
        folder=str(folder),
        disk_bytes=_size(files),
        family=str(config["model_type"]),
        sees_images=sees_images,
        quantization=int(quantization.get("bits", 0)),
        memory_bytes=sum(_loaded_bytes(file) for file in in_memory),
        state=state_size(config, STATE_BYTES),
        vision_bytes=vision_bytes(config, _processor(folder), STATE_BYTES) if sees_images else 0,
        context_length=checkpoint.context_length(config),
        licence=licence(folder),
    )


def licence(folder: Path) -> str:
    """Return the licence that the model card names in its front matter; empty where it names none."""
    try:
        parts = (folder / "README.md").read_text(encoding="utf-8", errors="replace")[:20_000].split("---", 2)
    except OSError:
        return ""
    if len(parts) < 3 or parts[0].strip():
        return ""
    found = {match["name"] or "": match["value"] for match in _LICENCE.finditer(parts[1])}
    return found.get("_name", "") or found.get("", "")


def _refused(ref: str, problem: str) -> ModelFacts:
    try:
        folder = checkpoint.resolve(ref)
    except ModelRefused:
        return ModelFacts(ref, problem=problem)
    return ModelFacts(ref, str(folder), _size(checkpoint.weight_files(folder)), problem=problem)


def _size(files: list[Path]) -> int:
    return sum(file.stat().st_size for file in files if file.exists())


def _loaded_bytes(file: Path) -> int:
    tensors = [tensor for name, tensor in checkpoint.read_header(file).items() if name != "__metadata__"]
    return sum(math.prod(tensor["shape"]) * _item_bytes(tensor["dtype"]) for tensor in tensors)


def _item_bytes(dtype: str) -> int:
    size = ITEM_BYTES.get(dtype, 8)
    return max(size, STATE_BYTES) if dtype in FLOATS else size


def _processor(folder: Path) -> dict[str, Any]:
    """Return the image processor's settings; empty where there are none that can be read."""
    for name in ("preprocessor_config.json", "processor_config.json"):
        try:
            content = json.loads((folder / name).read_text(encoding="utf-8"))
        except (OSError, ValueError):
            continue
        if isinstance(content, dict):
            inner = content.get("image_processor")
            return inner if isinstance(inner, dict) else content
    return {}
