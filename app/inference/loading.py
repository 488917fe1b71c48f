"""Opening a model folder: weights in memory, tokenizer and processor ready, nothing left lazy, no foreign code run."""

from __future__ import annotations

import contextlib
import importlib.util
import logging
import os
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx import nn
from mlx.utils import tree_flatten

from app.errors import ModelRefused
from app.inference import checkpoint as folders
from app.inference.device import on_cpu
from app.inference.events import Progress
from app.inference.families.base import Checkpoint, FamilyAdapter
from app.inference.families.registry import adapter_class
from app.inference.lora import apply_lora
from app.inference.types import Cancelled, CancelToken

log = logging.getLogger(__name__)

OnProgress = Callable[[Progress], None]
BATCH_BYTES = 256 * 1024 * 1024
"""Weights are read in batches of about this size, with a look at the stop sign between two."""


def load_adapter(ref: str, on_progress: OnProgress, cancel: CancelToken) -> FamilyAdapter:
    """Open ``ref`` (``demo``, a folder, or a repository in the local cache) and return its family adapter.

    Raises:
        ModelRefused: it is not there, incomplete, unsafe or of an unsupported kind; the message says which.
        Cancelled: the stop sign was set; nothing of the model is kept.
    """
    _report(on_progress, cancel, 0, "Checking the model folder")
    folder = folders.resolve(ref)
    config = folders.read_config(folder, ref)
    sees_images = folders.declares_vision(config)
    _report(on_progress, cancel, 1, "Loading the libraries")
    os.environ.setdefault("TRANSFORMERS_VERBOSITY", "error")
    lora = folders.split(ref)[1]
    with no_foreign_code(ref):
        opened = (_open_vision if sees_images else _open_text)(folder, config, cancel)
        if lora is not None:
            apply_lora(opened.model, lora, sees_images=sees_images)
            opened.lora = lora
    cancel.check()
    _fill(opened.model, on_progress, cancel)
    _report(on_progress, cancel, 100, "Ready")
    return adapter_class(opened.model_type, sees_images)(opened)


def weight_bytes(model: nn.Module) -> int:
    """Return the bytes of all parameters in memory."""
    return sum(array.nbytes for _, array in tree_flatten(model.parameters()))


def _report(on_progress: OnProgress, cancel: CancelToken, percent: int, note: str) -> None:
    cancel.check()
    on_progress(Progress("load", percent, 100, note=note))


def _open_vision(folder: Path, config: dict[str, Any], cancel: CancelToken) -> Checkpoint:
    from mlx_vlm import utils

    cancel.check()
    model_type = utils.get_model_type(config) or ""
    _check_known("mlx_vlm", model_type, folder)
    model = utils.load_model(folder, lazy=True)
    cancel.check()
    processor = utils.load_processor(folder, eos_token_ids=config.get("eos_token_id"), trust_remote_code=False)
    image_processor = utils.load_image_processor(folder, trust_remote_code=False)
    if image_processor is not None:
        processor.image_processor = image_processor
    tokenizer = getattr(processor, "tokenizer", processor)
    return Checkpoint(folder, config, model_type, model, processor, tokenizer)


def _open_text(folder: Path, config: dict[str, Any], cancel: CancelToken) -> Checkpoint:
    from mlx_lm import utils
    from transformers import AutoTokenizer

    cancel.check()
    model_type = str(config["model_type"]).lower()
    _check_known("mlx_lm", utils.MODEL_REMAPPING.get(model_type, model_type), folder)
    model, _ = utils.load_model(folder, lazy=True)
    tokenizer = AutoTokenizer.from_pretrained(folder, trust_remote_code=False)
    return Checkpoint(folder, config, model_type, model, tokenizer, tokenizer)


def _check_known(library: str, model_type: str, folder: Path) -> None:
    named = re.fullmatch(r"\w+", model_type)  # it becomes the name of a module
    if named is None or importlib.util.find_spec(f"{library}.models.{model_type}") is None:
        raise ModelRefused(f"{folder.name} is of the kind {model_type}, which this version cannot open.", str(folder))


def _fill(model: nn.Module, on_progress: OnProgress, cancel: CancelToken) -> None:
    """Read all weights, in float32 on the CPU, where half-precision and quantized products are many times slower."""
    if on_cpu():
        model.set_dtype(mx.float32)
    arrays = [array for _, array in tree_flatten(model.parameters())]
    total, done = max(1, sum(array.nbytes for array in arrays)), 0
    for batch in batches(arrays):
        mx.eval(batch)
        done += sum(array.nbytes for array in batch)
        _report(on_progress, cancel, 10 + 85 * done // total, "Reading the weights")
    # Rotary tables and the like are not parameters; left lazy, they would belong to this thread's stream only.
    mx.eval([value for _, module in model.named_modules() for value in module.values() if isinstance(value, mx.array)])


def batches(arrays: list[mx.array]) -> Iterator[list[mx.array]]:
    """Yield ``arrays`` in batches of about :data:`BATCH_BYTES`."""
    batch: list[mx.array] = []
    size = 0
    for array in arrays:
        batch.append(array)
        size += array.nbytes
        if size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


@contextlib.contextmanager
def no_foreign_code(ref: str) -> Iterator[None]:
    """Make transformers unable to import Python from a model folder, and turn library failures into a sentence.

    ``trust_remote_code=False`` alone is not enough: mlx-vlm's processors set it to true in places.
    """
    from transformers import dynamic_module_utils

    def refuse(*_arguments: object, **_keywords: object) -> None:
        raise ModelRefused(f"{ref} asks to run its own Python code, which is never done.", ref)

    original = dynamic_module_utils.get_class_in_module
    dynamic_module_utils.get_class_in_module = refuse
    try:
        yield
    except (ModelRefused, Cancelled):
        raise
    except (AttributeError, ImportError, LookupError, OSError, RuntimeError, TypeError, ValueError) as error:
        # what a folder that does not fit, or a damaged file, brings the libraries to
        log.info("Loading %s failed", ref, exc_info=True)
        raise ModelRefused(f"{ref} cannot be opened: {_first_line(error)}", ref) from error
    finally:
        dynamic_module_utils.get_class_in_module = original


def _first_line(error: Exception) -> str:
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
