"""What all made-up checkpoints share: a byte tokenizer, weights under which signals keep their size, the files."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten

VOCABULARY = 4096


def write_tokenizer(path: Path, specials: Sequence[str], template: str, end: str) -> dict[str, int]:
    """Write a byte-level tokenizer and the chat template; return the ids of ``specials``. Ids no text makes fill up."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fillers = [f"<|filler_{i}|>" for i in range(VOCABULARY - len(letters) - len(specials))]
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in (*specials, *fillers)])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, bos_token=end, eos_token=end, pad_token=end)
    fast.chat_template = template
    fast.save_pretrained(str(path))
    (path / "chat_template.jinja").write_text(template)
    return {text: int(tokenizer.token_to_id(text) or 0) for text in specials}


def write(path: Path, files: dict[str, dict[str, Any]], seed: int) -> None:
    """Write the JSON ``files`` (name to content, ``config.json`` among them) and weights drawn from ``seed``."""
    for name, content in files.items():
        (path / name).write_text(json.dumps(content, indent=1))
    weights = _weights(files["config.json"], seed)
    mx.save_safetensors(str(path / "model.safetensors"), weights, metadata={"format": "mlx"})


def _weights(config: dict[str, Any], seed: int) -> dict[str, mx.array]:
    from mlx_vlm.utils import get_model_and_args, update_module_configs

    described = {"text_config": {}, "audio_config": {}} | json.loads(json.dumps(config))
    architecture, _ = get_model_and_args(described)
    modules = ["text", "vision", "perceiver", "projector", "audio"]
    parts = update_module_configs(architecture.ModelConfig.from_dict(described), architecture, described, modules)
    model = architecture.Model(parts)
    mx.random.seed(seed)
    weights = {name: _random(name, array) for name, array in tree_flatten(model.parameters())}
    mx.eval(weights)
    return weights


def _random(name: str, array: mx.array) -> mx.array:
    """Return weights under which activations neither vanish nor explode."""
    if array.ndim < 2:
        return array + 0.02 * mx.random.normal(array.shape)
    if "embed_tokens" in name:
        return 0.5 * mx.random.normal(array.shape)
    fan_in = array.size // array.shape[0]
    normal: mx.array = mx.random.normal(array.shape)
    scaled: mx.array = normal / fan_in**0.5
    return scaled
