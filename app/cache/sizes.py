"""Bytes of nested arrays, from shape and dtype alone: nothing lazy is evaluated to be measured."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

import mlx.core as mx


def iter_arrays(value: object) -> Iterator[mx.array]:
    """Yield every array inside nested lists, tuples, sets and dicts; anything else is passed over."""
    if isinstance(value, mx.array):
        yield value
    elif isinstance(value, Mapping):
        for item in value.values():
            yield from iter_arrays(item)
    elif isinstance(value, (list, tuple, set, frozenset)):
        for item in value:
            yield from iter_arrays(item)


def nested_nbytes(value: object) -> int:
    """Return the bytes of all arrays in ``value``; an array that occurs twice counts once."""
    seen: dict[int, int] = {id(array): int(array.nbytes) for array in iter_arrays(value)}
    return sum(seen.values())


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
    if isinstance(value, mx.array) or (hasattr(value, "nbytes") and hasattr(value, "shape")):
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
