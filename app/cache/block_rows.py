"""Joining rows of many blocks into one array, at the speed of copying memory.

On a GPU one concatenation does it. MLX's CPU back end concatenates element by element (measured: 0.6 to 1.3 GB/s where
a plain copy makes 5), so there each block is copied into place through NumPy's view of the new array's buffer, which
MLX documents as writable.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

from app.cache.layers.base import detach


@dataclass(frozen=True, slots=True)
class RowSlice:
    """Rows ``first`` to ``last`` (``None``: all that follow) on axis -2 of an evaluated array."""

    array: mx.array
    first: int = 0
    last: int | None = None

    def __len__(self) -> int:
        return len(range(*slice(self.first, self.last).indices(self.array.shape[-2])))

    @property
    def whole(self) -> bool:
        """Whether it is the array itself."""
        return self.first == 0 and self.last is None

    def rows(self) -> mx.array:
        """Return the rows, lazily."""
        return self.array if self.whole else self.array[..., self.first : self.last, :]


def join_rows(slices: Sequence[RowSlice]) -> mx.array:
    """Return the rows one after the other in an array of their own; a single whole array is returned as it is.

    Shapes, but for axis -2, and dtypes must be equal.
    """
    if len(slices) == 1:
        return slices[0].array if slices[0].whole else detach(slices[0].rows())
    if _on_cpu():
        return _copy_into_place(slices)
    return mx.concatenate([piece.rows() for piece in slices], axis=-2)


def _on_cpu() -> bool:
    return bool(mx.default_device().type == mx.DeviceType.cpu)


def _copy_into_place(slices: Sequence[RowSlice]) -> mx.array:
    first = slices[0].array
    *outer, _, inner = first.shape
    dtype = mx.uint16 if first.dtype == mx.bfloat16 else first.dtype
    joined = mx.empty((*outer, sum(map(len, slices)), inner), dtype)
    mx.eval(joined)
    target, position = np.asarray(joined), 0
    for piece in slices:
        target[..., position : position + len(piece), :] = _view(piece.array)[..., piece.first : piece.last, :]
        position += len(piece)
    return joined if dtype == first.dtype else joined.view(first.dtype)


def _view(array: mx.array) -> NDArray[np.generic]:
    """Return a NumPy view; bfloat16, which NumPy does not know, as its bits."""
    return np.asarray(array.view(mx.uint16) if array.dtype == mx.bfloat16 else array)
