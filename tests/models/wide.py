"""The same families with attention heads twice as wide: 32 numbers are the least that MLX quantizes together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from tests.models.spec import Json, Spec

HEAD_SIZE = 32


def wide(spec: Spec) -> Spec:
    """Return ``spec`` with half as many heads of twice the size in its decoder."""
    return replace(spec, family=f"{spec.family}_wide", config=_widened(spec.config))


def _widened(node: Json) -> Json:
    if not isinstance(node, Mapping):
        return node
    config = {key: _widened(value) for key, value in node.items()}
    if "num_key_value_heads" in config:
        config |= {key: config[key] // 2 for key in ("num_attention_heads", "num_key_value_heads")}
        config |= {key: 2 * config[key] for key in ("head_dim", "query_pre_attn_scalar") if key in config}
    if "mrope_section" in config:
        config["mrope_section"] = [2 * section for section in config["mrope_section"]]
    return config
