"""What the vision cache keeps per encoder unit: its key, its geometry, its features, and how they are checked."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Literal

import mlx.core as mx

from app.cache.identity import digest_of
from app.cache.sizes import iter_arrays

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


def _map(value: Any, function: Any) -> Any:
    if isinstance(value, mx.array):
        return function(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_map(item, function) for item in value)
    if isinstance(value, dict):
        return {name: _map(item, function) for name, item in value.items()}
    return value


def fresh_handles(value: Any) -> Any:
    """Return ``value`` with new handles on the same immutable buffers: writing to one does not show in the other."""
    return _map(value, mx.array)


def detached(value: Any) -> Any:
    """Return copies of all arrays, evaluated: no larger buffer and no graph stays alive."""
    if isinstance(value, PixelEntry):
        pixels, grid = detached(value.pixel_values), detached(value.image_grid_thw)
        return replace(value, pixel_values=pixels, image_grid_thw=grid)
    copied = _map(value, mx.contiguous)
    mx.eval(list(iter_arrays(copied)))
    return copied


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
