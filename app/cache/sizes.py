"""Bytes of nested arrays, from shape and dtype alone: nothing lazy is evaluated to be measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import fields, is_dataclass
from typing import Any

import mlx.core as mx


def iter_arrays(value: object) -> Iterator[mx.array]:
    """Yield every MLX array inside nested lists, tuples, sets, mappings and dataclasses."""
    return (leaf for leaf in leaves_of(value) if isinstance(leaf, mx.array))


def nested_nbytes(value: object) -> int:
    """Return the bytes of all arrays in ``value``, MLX's and others; an array that occurs twice counts once."""
    seen: dict[int, int] = {id(leaf): int(leaf.nbytes) for leaf in leaves_of(value) if is_array(leaf)}
    return sum(seen.values())


def is_array(value: object) -> bool:
    """Whether ``value`` is an array of MLX, NumPy or another library: it says its bytes and its shape."""
    return isinstance(value, mx.array) or (hasattr(value, "nbytes") and hasattr(value, "shape"))


def items_of(value: object) -> Iterable[Any] | None:
    """Return what a list, tuple, set, mapping or dataclass holds; ``None`` for anything else."""
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    if is_dataclass(value) and not isinstance(value, type):
        return [getattr(value, field.name) for field in fields(value)]
    return None


def leaves_of(value: object) -> Iterator[Any]:
    """Yield what lies inside nested lists, tuples, sets, mappings and dataclasses, at the very bottom."""
    items = items_of(value)
    if items is None:
        yield value
        return
    for item in items:
        yield from leaves_of(item)


def estimate_kv_cache_memory(cache: Iterable[Any] | None) -> int:
    """Return the bytes that a list of KV layers holds, whichever classes they are of.

    Each layer may be a cache object (its attributes are searched, so that quantized triples, ``CacheList`` children
    and recurrent states count), a dict or a nested list of arrays, or ``None``. Allocated capacity counts, not only
    the part in use. Nothing is evaluated.
    """
    arrays: dict[int, int] = {}
    for layer in cache or ():
        _measure(layer, arrays, set())
    return sum(arrays.values())


def _measure(value: object, arrays: dict[int, int], seen: set[int]) -> None:
    """Collect ``id -> nbytes`` of the arrays (MLX's or NumPy's) reachable through containers and attributes."""
    if is_array(value):
        arrays[id(value)] = int(getattr(value, "nbytes", 0))
        return
    if value is None or isinstance(value, (str, bytes, int, float, bool, type)) or id(value) in seen:
        return
    seen.add(id(value))
    for item in _children(value):
        _measure(item, arrays, seen)


def _children(value: object) -> Iterable[Any]:
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, (list, tuple, set, frozenset)):
        return value
    attributes = getattr(value, "__dict__", None)
    return attributes.values() if attributes else (getattr(value, "state", None),)
