"""What a conversation and a look at a picture will take, estimated from configurations alone."""

from __future__ import annotations

from typing import Any

from app.inference.state_size import StateSize

SCREENSHOT = 1280 * 800
"""Pixels of the picture that is reckoned with where a model takes pictures as they are."""
_RECURRENT = ("linear_attention", "conv", "short_conv", "mamba", "recurrent")


def state_size(config: dict[str, Any], item: int) -> StateSize:
    """Return what the layers of a text model keep, at ``item`` bytes per number; all zero where that is not said.

    Recurrent layers are counted as nothing: their state does not grow.
    """
    text = config.get("text_config") or config.get("llm_config") or config
    layers, heads = text.get("num_hidden_layers"), text.get("num_attention_heads")
    if not isinstance(layers, int) or not isinstance(heads, int) or heads < 1:
        return StateSize(0)
    hidden = int(text.get("hidden_size") or 0)
    size = text.get("head_dim") or hidden // heads
    per_layer = int(2 * (text.get("num_key_value_heads") or heads) * size * item)
    kinds = _layer_kinds(text, layers)
    window = int(text.get("sliding_window") or 0)
    sliding = kinds.count("sliding_attention") if window else 0
    recurrent = sum(kind in _RECURRENT for kind in kinds)
    return StateSize(
        growing=(layers - sliding - recurrent) * per_layer,
        windowed=((per_layer, window),) * sliding,
        hidden=hidden,
        heads=heads,
    )


def vision_bytes(config: dict[str, Any], processor: dict[str, Any], item: int) -> int:
    """Return what the vision encoder takes while it looks at one screenshot: a dozen activation rows per patch.

    Where numbers take four bytes (the CPU), attention scores are held whole and count too.
    """
    vision = config.get("vision_config")
    if not isinstance(vision, dict):
        return 0
    width = _first(vision, "embed_dim", "hidden_size", "width", default=1024)
    heads = _first(vision, "num_heads", "num_attention_heads", default=16)
    patches = _patches(vision, processor)
    scores = patches * patches * heads * 4 if item == 4 else 0
    return 12 * patches * width * item + scores


def _layer_kinds(text: dict[str, Any], layers: int) -> list[str]:
    """Return the kind of each layer, as far as the configuration tells them apart."""
    listed = text.get("layer_types")
    if isinstance(listed, list):
        return [str(kind) for kind in listed[:layers]]
    every = text.get("sliding_window_pattern")
    if isinstance(every, int) and every > 1:
        return ["full_attention" if (i + 1) % every == 0 else "sliding_attention" for i in range(layers)]
    return []


def _patches(vision: dict[str, Any], processor: dict[str, Any]) -> int:
    side = _first(vision, "patch_size", "spatial_patch_size", default=14)
    size = processor.get("size")
    most = processor.get("max_pixels") or (size.get("longest_edge") if isinstance(size, dict) else None)
    image = vision.get("image_size")
    if isinstance(most, int) and most > 10_000:  # an area; sides are smaller numbers
        return min(most, SCREENSHOT) // side**2
    if isinstance(image, int) and image > 0:
        return (image // side) ** 2
    return SCREENSHOT // side**2


def _first(config: dict[str, Any], *keys: str, default: int) -> int:
    return next((config[key] for key in keys if isinstance(config.get(key), int) and config[key] > 0), default)
