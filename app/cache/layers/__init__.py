"""Layer adapters: one immutable state type per kind of KV-layer class of mlx-lm and mlx-vlm.

``snapshot_layer`` makes a state from a live layer, ``LayerState.restore`` makes a live layer from a state.
"""

from app.cache.layers.base import Group, LayerRefused, LayerState, evaluate_layers
from app.cache.layers.registry import capture_layer, concat_layers, layer_from_arrays, snapshot_layer

__all__ = [
    "Group",
    "LayerRefused",
    "LayerState",
    "capture_layer",
    "concat_layers",
    "evaluate_layers",
    "layer_from_arrays",
    "snapshot_layer",
]
