"""What the vision cache knows per encoder unit: its key, its geometry, its features, and how they are checked."""

from __future__ import annotations

import copy
import math
import threading
from collections import OrderedDict
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, is_dataclass
from typing import Any, Literal

import mlx.core as mx

from app.cache.identity import digest_of
from app.cache.sizes import is_array, iter_arrays

Features = Any
"""One array, or nested tuples of arrays; the first or the last but one axis of each counts the unit's tokens."""


@dataclass(frozen=True, slots=True)
class UnitKey:
    """What names a unit's features: model, content, shape, and the processor's settings."""

    identity: str
    digest: str
    grid: tuple[int, ...] = ()
    settings: str = ""

    @property
    def text(self) -> str:
        """One string for the disk tier."""
        return digest_of([self.identity, self.digest, self.grid, self.settings])


@dataclass(frozen=True, slots=True)
class UnitGeometry:
    """What the prompt has to know of a unit: its grid, its number of tokens, and what encoding it cost in seconds."""

    grid: tuple[int, ...]
    tokens: int
    seconds: float


class Geometries:
    """The geometries of the last units that were encoded; they outlive features, being a few bytes each."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._lock = threading.Lock()
        self._known: OrderedDict[UnitKey, UnitGeometry] = OrderedDict()

    def get(self, key: UnitKey) -> UnitGeometry | None:
        """Return the geometry of a unit, if it is known."""
        with self._lock:
            return self._known.get(key)

    def put(self, key: UnitKey, geometry: UnitGeometry) -> None:
        """Remember a geometry, and forget the oldest where there are too many."""
        with self._lock:
            self._known[key] = geometry
            self._known.move_to_end(key)
            while len(self._known) > self._most:
                self._known.popitem(last=False)

    def clear(self) -> None:
        """Forget all."""
        with self._lock:
            self._known.clear()


@dataclass(frozen=True, slots=True)
class UnitFeatures:
    """Features of one unit with its geometry; ``source`` says where they were."""

    features: Features
    geometry: UnitGeometry
    source: Literal["memory", "disk"] = "memory"

    @property
    def seconds(self) -> float:
        """What encoding them took."""
        return self.geometry.seconds


@dataclass(frozen=True, slots=True)
class PixelEntry:
    """Processed pixels of a list of pictures, as the processor made them."""

    pixel_values: Any
    image_grid_thw: Any = None
    processing_time: float = 0.0


def fresh_handles(value: Any) -> Any:
    """Return ``value`` with arrays that can be written to without it showing in the other.

    MLX arrays get new handles on the same immutable buffers; others, which can be written in place, are copied.
    """
    return _map(value, lambda array: mx.array(array) if isinstance(array, mx.array) else copy.deepcopy(array), {})


def detached(value: Any) -> Any:
    """Return copies of all arrays, evaluated: no larger buffer and no graph stays alive.

    An array that occurs twice stays one, so that its bytes are those that :func:`nested_nbytes` counted.
    """
    copied = _map(value, lambda a: mx.contiguous(a) if isinstance(a, mx.array) else copy.deepcopy(a), {})
    mx.eval(list(iter_arrays(copied)))
    return copied


def _map(value: Any, function: Callable[[Any], Any], done: dict[int, Any]) -> Any:
    """Return ``value`` with ``function`` applied to its arrays, to each once; ``done`` has results by ``id``."""
    if is_array(value):
        if id(value) not in done:
            done[id(value)] = function(value)
        return done[id(value)]
    if isinstance(value, Mapping):
        return {name: _map(item, function, done) for name, item in value.items()}
    if isinstance(value, (list, tuple)):
        items = [_map(item, function, done) for item in value]
        return type(value)(*items) if hasattr(value, "_fields") else type(value)(items)
    if is_dataclass(value) and not isinstance(value, type):
        return _mapped_fields(value, function, done)
    return value


def _mapped_fields(value: Any, function: Callable[[Any], Any], done: dict[int, Any]) -> Any:
    mapped = copy.copy(value)
    for field in fields(value):
        object.__setattr__(mapped, field.name, _map(getattr(value, field.name), function, done))
    return mapped


def rows_of(features: Features) -> int:
    """Return the number of tokens of a unit: rows of the first array, (rows, size) or (1, rows, size)."""
    first = next(iter_arrays(features), None)
    return 0 if first is None or first.ndim < 2 else int(first.shape[-2])


def fault_of(features: Features, grid: tuple[int, ...], tokens: int | None) -> str:
    """Say what is wrong with features for this grid or token count; empty if nothing is.

    A grid of patches is merged by a square number of patches per token, so rows x k x k must be the grid's product.
    """
    arrays = list(iter_arrays(features))
    if not arrays:
        return "there are none"
    if any(not mx.issubdtype(array.dtype, mx.floating) for array in arrays):
        return "they are not floating-point numbers"
    if tokens is not None:
        wrong = [a.shape for a in arrays if tokens not in a.shape[:1] + a.shape[-2:-1]]
        return f"shape {wrong[0]} for {tokens} tokens" if wrong else ""
    rows, patches = rows_of(features), math.prod(grid)
    if not grid or (rows and patches % rows == 0 and math.isqrt(patches // rows) ** 2 == patches // rows):
        return ""
    return f"{rows} rows for a grid of {'×'.join(map(str, grid))}"
