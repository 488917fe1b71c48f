"""A random-weight Qwen2-VL of about 100 million parameters."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.bench.checkpoints.parts import VOCABULARY, write, write_tokenizer

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
WIDTH, LAYERS, HEADS = 768, 12, 12


def make(folder: Path, seed: int = 0) -> Path:
    """Write the checkpoint (about 400 MB, float32) into ``folder`` and return its path."""
    path = folder / "qwen2-vl-mid"
    path.mkdir(parents=True)
    ids = write_tokenizer(path, SPECIALS, TEMPLATE, "<|im_end|>")
    write(path, {"config.json": _config(ids), "preprocessor_config.json": _PREPROCESSOR}, seed)
    return path


def _config(ids: dict[str, int]) -> dict[str, Any]:
    return {
        "model_type": "qwen2_vl", "architectures": ["Qwen2VLForConditionalGeneration"], "vocab_size": VOCABULARY,
        "hidden_size": WIDTH, "num_hidden_layers": LAYERS, "intermediate_size": 2048, "num_attention_heads": HEADS,
        "num_key_value_heads": 4, "rms_norm_eps": 1e-6, "max_position_embeddings": 40960, "rope_theta": 1e6,
        "tie_word_embeddings": False, "rope_scaling": {"type": "mrope", "mrope_section": [8, 12, 12]},
        "image_token_id": ids["<|image_pad|>"], "video_token_id": ids["<|video_pad|>"],
        "vision_start_token_id": ids["<|vision_start|>"], "vision_end_token_id": ids["<|vision_end|>"],
        "vision_token_id": ids["<|vision_pad|>"], "eos_token_id": [ids["<|im_end|>"]], "bos_token_id": None,
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
