"""MLX arrays as plain memory and back, without evaluating anything on a thread that owns no MLX stream.

NumPy has no bfloat16, so such arrays cross as their 16-bit pattern; everything round-trips bit for bit.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import mlx.core as mx
import numpy as np
from numpy.typing import NDArray

_NUMPY_OF: dict[str, tuple[str, type[np.generic]]] = {
    "float32": ("F32", np.float32),
    "float16": ("F16", np.float16),
    "bfloat16": ("BF16", np.uint16),
    "int8": ("I8", np.int8),
    "uint8": ("U8", np.uint8),
    "int16": ("I16", np.int16),
    "uint16": ("U16", np.uint16),
    "int32": ("I32", np.int32),
    "uint32": ("U32", np.uint32),
    "int64": ("I64", np.int64),
    "uint64": ("U64", np.uint64),
    "bool": ("BOOL", np.bool_),
}
_MLX_OF = {code: (name, dtype) for name, (code, dtype) in _NUMPY_OF.items()}


@dataclass(frozen=True, slots=True)
class HostArray:
    """One array as memory of this process: ``code`` is the safetensors dtype, ``data`` its bits (BF16 as uint16)."""

    code: str
    data: NDArray[np.generic]

    @property
    def nbytes(self) -> int:
        """Bytes of the payload."""
        return int(self.data.nbytes)

    def cut(self, start: int, stop: int, axis: int) -> HostArray:
        """Return the range ``start:stop`` along ``axis`` as a view."""
        index = [slice(None)] * self.data.ndim
        index[axis] = slice(start, stop)
        return HostArray(self.code, self.data[tuple(index)])


def dtype_name(array: mx.array) -> str:
    """Return the MLX dtype's bare name, for example ``bfloat16``."""
    return str(array.dtype).rsplit(".", maxsplit=1)[-1]


def to_host(arrays: Mapping[str, mx.array]) -> dict[str, HostArray]:
    """View ``arrays`` as host memory. Runs on the thread that owns MLX; the views keep the arrays alive.

    Raises:
        TypeError: a dtype that safetensors cannot name (complex64).
    """
    host: dict[str, mx.array] = {}
    codes: dict[str, str] = {}
    for name, array in arrays.items():
        kind = dtype_name(array)
        if kind not in _NUMPY_OF:
            raise TypeError(f"arrays of dtype {kind} cannot be kept on disk")
        codes[name] = _NUMPY_OF[kind][0]
        host[name] = array.view(mx.uint16) if kind == "bfloat16" else array
    mx.eval(list(host.values()))
    return {name: HostArray(codes[name], np.asarray(array)) for name, array in host.items()}


def to_mlx(code: str, data: NDArray[np.generic]) -> mx.array:
    """Copy host memory into a new MLX array of the dtype that ``code`` names."""
    array = mx.array(data)
    return array.view(mx.bfloat16) if code == "BF16" else array


def numpy_dtype(code: str) -> np.dtype[np.generic]:
    """Return the NumPy dtype that holds the bits of safetensors dtype ``code``.

    Raises:
        KeyError: the code is unknown.
    """
    return np.dtype(_MLX_OF[code][1])
