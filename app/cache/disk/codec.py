"""KV snapshots and vision features as named arrays plus JSON, and back."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from app.cache.disk.buffers import HostArray, to_host, to_mlx
from app.cache.snapshot import Snapshot

TOKEN_AXIS = -2


@dataclass(frozen=True, slots=True)
class HostState:
    """A snapshot as host memory, ready for a thread that must not touch MLX.

    Attributes:
        n_tokens: tokens that the state holds.
        meta: one JSON description per layer.
        arrays: tensors by ``layer.name``.
        sliced: names of the tensors with one row per token on axis -2; these are written in segments.
        cuttable: whether the state may be cut at any token, because every layer is of that kind.
    """

    n_tokens: int
    meta: dict[str, Any]
    arrays: dict[str, HostArray]
    sliced: frozenset[str]
    cuttable: bool

    def segment(self, start: int) -> dict[str, HostArray]:
        """Return the tensors of the tokens from ``start`` on, whole where a tensor has no token axis."""
        return {
            name: array.cut(start, self.n_tokens, array.data.ndim + TOKEN_AXIS) if name in self.sliced else array
            for name, array in self.arrays.items()
        }


def encode_snapshot(snapshot: Snapshot) -> HostState:
    """View ``snapshot`` as host memory; runs on the thread that owns MLX.

    Raises:
        TypeError: a layer holds an array that cannot be kept on disk.
    """
    arrays = snapshot.arrays()
    full = {str(number) for number, layer in enumerate(snapshot.layers) if layer.group == "full"}
    sliced = {name for name, a in arrays.items() if name.partition(".")[0] in full and _per_token(a, snapshot.n_tokens)}
    meta = {**snapshot.meta(), "sliced": sorted(sliced)}
    return HostState(snapshot.n_tokens, meta, to_host(arrays), frozenset(sliced), len(sliced) == len(arrays))


def decode_snapshot(
    meta: Mapping[str, Any], segments: Sequence[tuple[Mapping[str, NDArray[np.generic]], int]], codes: Mapping[str, str]
) -> Snapshot:
    """Rebuild the snapshot at the end of the last segment.

    Args:
        meta: description in the last segment.
        segments: root first, the arrays of each and how many of its tokens belong to the state.
        codes: dtype code per array name.

    Raises:
        LayerRefused, KeyError, ValueError: the segments do not fit the description.
    """
    sliced = set(meta["sliced"])
    arrays: dict[str, mx.array] = {}
    for name, array in segments[-1][0].items():
        whole = array
        if name in sliced and len(segments) > 1:
            whole = np.concatenate([_rows(segment[name], count) for segment, count in segments], axis=TOKEN_AXIS)
        arrays[name] = to_mlx(codes[name], whole)
    return Snapshot.from_arrays(meta, arrays)


def _per_token(array: mx.array, n_tokens: int) -> bool:
    return array.ndim >= 2 and array.shape[TOKEN_AXIS] == n_tokens


def _rows(array: NDArray[np.generic], count: int) -> NDArray[np.generic]:
    if array.shape[TOKEN_AXIS] == count:
        return array
    index = [slice(None)] * array.ndim
    index[array.ndim + TOKEN_AXIS] = slice(0, count)
    return array[tuple(index)]


def encode_tree(tree: object) -> tuple[Any, dict[str, mx.array]]:
    """Split nested tuples, lists, dicts, plain values and arrays into a JSON shape and named arrays.

    Raises:
        TypeError: it contains something else.
    """
    arrays: dict[str, mx.array] = {}

    def walk(node: object) -> Any:
        if isinstance(node, mx.array):
            name = f"a{len(arrays)}"
            arrays[name] = node
            return {"array": name}
        if isinstance(node, tuple | list):
            return {"tuple" if isinstance(node, tuple) else "list": [walk(item) for item in node]}
        if isinstance(node, dict):
            return {"dict": {str(key): walk(value) for key, value in node.items()}}
        if isinstance(node, str | int | float | None):
            return {"value": node}
        raise TypeError(f"a {type(node).__name__} cannot be kept on disk")

    return walk(tree), arrays


def decode_tree(shape: Mapping[str, Any], arrays: Mapping[str, mx.array]) -> Any:
    """Undo :func:`encode_tree`.

    Raises:
        KeyError: the shape names an array that is not there.
    """
    if "array" in shape:
        return arrays[shape["array"]]
    if "dict" in shape:
        return {key: decode_tree(value, arrays) for key, value in shape["dict"].items()}
    if "value" in shape:
        return shape["value"]
    kind = "tuple" if "tuple" in shape else "list"
    items = [decode_tree(item, arrays) for item in shape[kind]]
    return tuple(items) if kind == "tuple" else items
