"""A random-weight Qwen2-VL of about 100 million parameters, made on the spot: realistic timing without a download."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import mlx.core as mx
from mlx.utils import tree_flatten

SPECIALS = (
    "<|endoftext|>", "<|im_start|>", "<|im_end|>", "<|vision_start|>", "<|vision_end|>", "<|vision_pad|>",
    "<|image_pad|>", "<|video_pad|>",
)  # fmt: skip
TEMPLATE = (
    "{% for m in messages %}<|im_start|>{{ m['role'] }}\n{% if m['content'] is string %}{{ m['content'] }}"
    "{% else %}{% for part in m['content'] %}{% if part['type'] == 'image' %}"
    "<|vision_start|><|image_pad|><|vision_end|>{% else %}{{ part['text'] }}{% endif %}{% endfor %}{% endif %}"
    "<|im_end|>\n{% endfor %}{% if add_generation_prompt %}<|im_start|>assistant\n{% endif %}"
)
WIDTH, LAYERS, HEADS, VOCABULARY = 768, 12, 12, 4096


def make(folder: Path, seed: int = 0) -> Path:
    """Write the checkpoint (about 400 MB, float32) into ``folder`` and return its path."""
    path = folder / "qwen2-vl-mid"
    path.mkdir(parents=True)
    ids = _write_tokenizer(path)
    config = _config(ids)
    (path / "config.json").write_text(json.dumps(config, indent=1))
    (path / "preprocessor_config.json").write_text(json.dumps(_PREPROCESSOR, indent=1))
    mx.save_safetensors(str(path / "model.safetensors"), _weights(config, seed), metadata={"format": "mlx"})
    return path


def _write_tokenizer(path: Path) -> dict[str, int]:
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers
    from transformers import PreTrainedTokenizerFast

    letters = sorted(pre_tokenizers.ByteLevel.alphabet())
    tokenizer = Tokenizer(models.BPE(vocab={letter: i for i, letter in enumerate(letters)}, merges=[]))
    tokenizer.pre_tokenizer = pre_tokenizers.ByteLevel(add_prefix_space=False)
    tokenizer.decoder = decoders.ByteLevel()
    fillers = [f"<|filler_{i}|>" for i in range(VOCABULARY - len(letters) - len(SPECIALS))]
    tokenizer.add_special_tokens([AddedToken(text, special=True, normalized=False) for text in (*SPECIALS, *fillers)])
    fast = PreTrainedTokenizerFast(tokenizer_object=tokenizer, eos_token="<|im_end|>", pad_token="<|endoftext|>")
    fast.chat_template = TEMPLATE
    fast.save_pretrained(str(path))
    (path / "chat_template.jinja").write_text(TEMPLATE)
    return {text: int(tokenizer.token_to_id(text) or 0) for text in SPECIALS}


def _config(ids: dict[str, int]) -> dict[str, Any]:
    return {
        "model_type": "qwen2_vl", "architectures": ["Qwen2VLForConditionalGeneration"], "vocab_size": VOCABULARY,
        "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "intermediate_size": 2048, "num_attention_heads": HEADS,
        "num_key_value_heads": 4, "rms_norm_eps": 1e-6, "max_position_embeddings": 40960, "rope_theta": 1e6,
        "tie_word_embeddings": False, "rope_scaling": {"type": "mrope", "mrope_section": [8, 12, 12]},
        "image_token_id": ids["<|image_pad|>"], "video_token_id": ids["<|video_pad|>"],
        "vision_start_token_id": ids["<|vision_start|>"], "vision_end_token_id": ids["<|vision_end|>"],
        "vision_token_id": ids["<|vision_pad|>"], "eos_token_id": [ids["<|im_end|>"]],
        "vision_config": {
            "model_type": "qwen2_vl", "depth": 8, "embed_dim": 384, "hidden_size": WIDTH, "num_heads": 6,
            "patch_size": 14, "spatial_patch_size": 14, "spatial_merge_size": 2, "temporal_patch_size": 2,
            "in_channels": 3,
        },
    }  # fmt: skip


_PREPROCESSOR = {
    "image_processor_type": "Qwen2VLImageProcessor", "processor_class": "Qwen2VLProcessor", "min_pixels": 784,
    "max_pixels": 448 * 448, "patch_size": 14, "temporal_patch_size": 2, "merge_size": 2,
    "image_mean": [0.48, 0.46, 0.41], "image_std": [0.27, 0.26, 0.28],
}  # fmt: skip


def _weights(config: dict[str, Any], seed: int) -> dict[str, mx.array]:
    from mlx_vlm.utils import get_model_and_args, update_module_configs

    described = json.loads(json.dumps(config)) | {"text_config": {}, "audio_config": {}}
    architecture, _ = get_model_and_args(described)
    parts = update_module_configs(
        architecture.ModelConfig.from_dict(described), architecture, described, ["text", "vision"]
    )
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
