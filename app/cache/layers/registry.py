"""Which adapter serves which class. Classes are told apart by *name*: mlx-lm and mlx-vlm define the same ones twice."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Mapping, Sequence
from typing import Any

import mlx.core as mx

from app.cache.layers.base import FlatState, LayerRefused, LayerState, LiveLayer, describe, evaluate_layers
from app.cache.layers.full import PlainState, QuantizedState, SequenceState
from app.cache.layers.nested import NestedState
from app.cache.layers.opaque import OpaqueState
from app.cache.layers.packed import PackedState
from app.cache.layers.recurrent import ArraysState, PoolingState
from app.cache.layers.window import ChunkedState, RotatingState

BY_CLASS: dict[str, type[FlatState]] = {
    "KVCache": PlainState,
    "ConcatenateKVCache": PlainState,
    "SimpleKVCache": PlainState,
    "QuantizedKVCache": QuantizedState,
    "RotatingKVCache": RotatingState,
    "ChunkedKVCache": ChunkedState,
    "ArraysCache": ArraysState,
    "MambaCache": ArraysState,
    "PoolingCache": PoolingState,
}
BY_TAG: dict[str, type[FlatState]] = {
    adapter.tag: adapter
    for adapter in (
        PlainState,
        QuantizedState,
        PackedState,
        RotatingState,
        ChunkedState,
        ArraysState,
        PoolingState,
        OpaqueState,
    )
}
TRUSTED_PACKAGES = frozenset({"mlx_lm", "mlx_vlm"})


def capture_layer(cache: LiveLayer, n_tokens: int) -> LayerState:
    """Return the lazy state of a live layer; see :func:`snapshot_layer`."""
    if type(cache).__name__ == "CacheList":
        children = tuple(capture_layer(child, n_tokens) for child in cache.caches)
        return NestedState(type(cache), n_tokens, children)
    return BY_CLASS.get(type(cache).__name__, OpaqueState).capture(cache, n_tokens)


def snapshot_layer(cache_obj: LiveLayer, n_tokens: int) -> LayerState:
    """Return a detached, evaluated state of one live KV layer.

    Raises:
        LayerRefused: the layer does not hold exactly ``n_tokens``, or nothing is known about its class.
    """
    state = capture_layer(cache_obj, n_tokens)
    evaluate_layers([state])
    return state


def layer_from_arrays(meta: Mapping[str, Any], arrays: Mapping[str, mx.array]) -> LayerState:
    """Rebuild a state from what :meth:`LayerState.meta` and :meth:`LayerState.arrays` gave.

    Raises:
        LayerRefused: an unknown adapter or class, missing arrays, or arrays that differ from their description.
    """
    name = str(meta.get("class"))
    try:
        kind = _resolve(str(meta["module"]), name)
        n_tokens = int(meta["n_tokens"])
        if meta["layer"] == NestedState.tag:
            return NestedState(kind, n_tokens, _children(meta["children"], arrays)).check()
        parts = {key: _described(name, key, arrays[key], shape) for key, shape in meta["arrays"].items()}
        return BY_TAG[meta["layer"]](kind, n_tokens, parts, dict(meta["params"])).check()
    except (KeyError, TypeError, ValueError, AttributeError, ImportError) as error:
        raise LayerRefused(name, f"its stored state cannot be read ({error!r})") from error


def concat_layers(states: Sequence[LayerState], *, evaluate: bool = True) -> LayerState:
    """Join slices of one full-attention layer, in order.

    Raises:
        LayerRefused: they are not slices of one layer.
        ValueError: ``states`` is empty.
    """
    if not states:
        raise ValueError("nothing to join")
    first = states[0]
    if not isinstance(first, SequenceState):
        raise first.refuse("only full-attention layers can be joined")
    joined = first.joined(states[1:])
    if evaluate:
        evaluate_layers([joined])
    return joined


def _children(metas: Sequence[Mapping[str, Any]], arrays: Mapping[str, mx.array]) -> tuple[LayerState, ...]:
    return tuple(
        layer_from_arrays(meta, {k.removeprefix(f"{i}/"): a for k, a in arrays.items() if k.startswith(f"{i}/")})
        for i, meta in enumerate(metas)
    )


def _described(class_name: str, key: str, array: mx.array, description: Sequence[Any]) -> mx.array:
    if describe(array) != list(description):
        raise LayerRefused(class_name, f"{key} is {describe(array)}, its description says {list(description)}")
    return array


def _resolve(module: str, name: str) -> type:
    """Return the class; a file may name only classes of the two libraries, or of modules that are loaded already."""
    if module.partition(".")[0] in TRUSTED_PACKAGES:
        importlib.import_module(module)
    kind = getattr(sys.modules[module], name)
    if not isinstance(kind, type):
        raise TypeError(f"{module}.{name} is not a class")
    return kind
