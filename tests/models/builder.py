"""From a spec to a folder that the normal loading path opens: offline, without torch, equal bytes for equal seeds."""

from __future__ import annotations

import contextlib
import json
from pathlib import Path
from typing import TYPE_CHECKING

import mlx.core as mx

from tests.models.spec import Json, Spec, resolve
from tests.models.tokenizer import byte_tokenizer, printable_ids
from tests.models.weights import random_weights, skeleton

if TYPE_CHECKING:
    from transformers import PreTrainedTokenizerFast

SIZE_LIMIT = 2_000_000
"""Bytes; a tiny checkpoint is loaded dozens of times in one test run."""


def build(spec: Spec, folder: Path, seed: int = 0) -> Path:
    """Write the checkpoint of ``spec`` into ``folder`` (made if needed) and return it.

    Raises:
        ValueError: the files came out larger than :data:`SIZE_LIMIT`.
    """
    folder.mkdir(parents=True, exist_ok=True)
    tokenizer = byte_tokenizer(spec.tokens)
    ids = {text: tokenizer.convert_tokens_to_ids(text) for text in spec.tokens.specials}
    config = resolve(spec.config, ids, len(tokenizer))
    _write_tokenizer(tokenizer, spec.template, folder)
    _write_settings(spec, config, folder)
    with spec.around() if spec.around else contextlib.nullcontext():
        spoken = [*printable_ids(tokenizer), ids[spec.tokens.eos]]
        weights = random_weights(skeleton(config), spec, spoken, seed)
    mx.save_safetensors(str(folder / "model.safetensors"), weights, metadata={"format": "mlx"})
    _check_size(folder)
    return folder


def _write_tokenizer(tokenizer: PreTrainedTokenizerFast, template: str, folder: Path) -> None:
    tokenizer.chat_template = template
    tokenizer.save_pretrained(str(folder))
    # processors that mlx-vlm wrote itself read the template from here, not from the tokenizer's configuration
    (folder / "chat_template.jinja").write_text(template)


def _write_settings(spec: Spec, config: Json, folder: Path) -> None:
    files = {
        "config.json": config,
        "generation_config.json": {"eos_token_id": config.get("eos_token_id"), "do_sample": False},
        "preprocessor_config.json": spec.preprocessor,
        "processor_config.json": spec.processor,
    }
    for name, content in files.items():
        if content is not None:
            (folder / name).write_text(json.dumps(content, indent=1))


def _check_size(folder: Path) -> None:
    size = sum(file.stat().st_size for file in folder.iterdir())
    if size > SIZE_LIMIT:
        raise ValueError(f"{folder.name} takes {size} bytes, more than {SIZE_LIMIT}")
