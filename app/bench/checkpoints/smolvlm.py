"""A random-weight SmolVLM of about 50 million parameters: a picture becomes tiles of 256 pixels and an overview."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from app.bench.checkpoints.parts import VOCABULARY, write, write_tokenizer

TILE, COLUMNS, ROWS = 256, 4, 3
"""A picture of ``COLUMNS`` by ``ROWS`` tiles is shown at its own size."""
TILE_TOKENS = 16
"""One for 16 patches, as in the published models, where the tower costs more than the language model."""
WIDTH, LAYERS = 512, 8

SPECIALS = (
    "<|endoftext|>", "<|im_start|>", "<end_of_utterance>", "<fake_token_around_image>", "<image>", "<global-img>",
    "<video>", *(f"<row_{row}_col_{column}>" for row in range(1, 5) for column in range(1, 5)),
)  # fmt: skip
TEMPLATE = (
    "<|im_start|>{% for m in messages %}{{ m['role'].capitalize() }}: {% if m['content'] is string %}{{ m['content'] }}"
    "{% else %}{% for part in m['content'] %}{% if part['type'] == 'image' %}<image>{% else %}{{ part['text'] }}"
    "{% endif %}{% endfor %}{% endif %}<end_of_utterance>\n{% endfor %}"
    "{% if add_generation_prompt %}Assistant:{% endif %}"
)


def make(folder: Path, seed: int = 0) -> Path:
    """Write the checkpoint (about 160 MB, float32) into ``folder`` and return its path."""
    path = folder / "smolvlm-mid"
    path.mkdir(parents=True)
    ids = write_tokenizer(path, SPECIALS, TEMPLATE, "<end_of_utterance>")
    files = {
        "config.json": _config(ids),
        "preprocessor_config.json": _PREPROCESSOR,
        "processor_config.json": _PROCESSOR,
    }
    write(path, files, seed)
    return path


def _config(ids: dict[str, int]) -> dict[str, Any]:
    return {
        "model_type": "smolvlm", "vocab_size": VOCABULARY, "image_token_id": ids["<image>"],
        "eos_token_id": [ids["<end_of_utterance>"]], "scale_factor": 4, "tie_word_embeddings": False,
        "text_config": {
            "model_type": "llama", "hidden_size": WIDTH, "intermediate_size": 1536, "num_hidden_layers": LAYERS,
            "num_attention_heads": 8, "num_key_value_heads": 4, "head_dim": 64, "rms_norm_eps": 1e-5,
            "vocab_size": VOCABULARY, "max_position_embeddings": 32768, "rope_theta": 1e5,
        },
        "vision_config": {
            "model_type": "smolvlm_vision", "hidden_size": 384, "intermediate_size": 1536, "num_hidden_layers": 10,
            "num_attention_heads": 6, "patch_size": 16, "image_size": TILE,
        },
    }  # fmt: skip


_PREPROCESSOR = {
    "image_processor_type": "SmolVLMImageProcessor", "do_convert_rgb": True, "do_resize": True,
    "size": {"longest_edge": COLUMNS * TILE}, "resample": 1, "do_image_splitting": True,
    "max_image_size": {"longest_edge": TILE}, "do_pad": True, "do_rescale": True, "rescale_factor": 1 / 255,
    "do_normalize": True, "image_mean": [0.5, 0.5, 0.5], "image_std": [0.5, 0.5, 0.5],
}  # fmt: skip
_PROCESSOR = {"image_seq_len": TILE_TOKENS, "processor_class": "SmolVLMProcessor"}
