"""Sizes that all tiny checkpoints share, and the keys that name them in most configurations."""

from __future__ import annotations

from tests.models.spec import VOCABULARY, Json

WIDTH = 64
HALF = [0.5, 0.5, 0.5]
RESCALE = {"do_rescale": True, "rescale_factor": 1 / 255, "do_normalize": True, "image_mean": HALF, "image_std": HALF}
TOWER = {"hidden_size": 32, "intermediate_size": 64, "num_hidden_layers": 2, "num_attention_heads": 2}


def decoder(model_type: str, layers: int = 3, **more: Json) -> dict[str, Json]:
    """Return the configuration of a decoder of width 64 with 4 query heads and 2 key-value heads of size 16."""
    return {
        "model_type": model_type,
        "hidden_size": WIDTH,
        "intermediate_size": 128,
        "num_hidden_layers": layers,
        "num_attention_heads": 4,
        "num_key_value_heads": 2,
        "head_dim": 16,
        "rms_norm_eps": 1e-6,
        "vocab_size": VOCABULARY,
        "max_position_embeddings": 32_768,
        **more,
    }
