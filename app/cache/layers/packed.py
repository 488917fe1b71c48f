"""Plain KV layers stored quantized and given back as what they were: a half or a quarter of the bytes, at a loss."""

from __future__ import annotations

from typing import ClassVar, Self

import mlx.core as mx

from app.cache.layers.base import LayerState, LiveLayer
from app.cache.layers.full import PlainState, SequenceState

BITS, GROUP_SIZES = (2, 3, 4, 5, 6, 8), (32, 64, 128)
"""What MLX quantizes to. It takes single bits too, of which no attention survives."""
_SIDES = ("keys", "values")


class PackedState(SequenceState):
    """Keys and values of a plain layer, each as packed weights, scales and biases with tokens on axis -2."""

    __slots__ = ()
    tag: ClassVar[str] = "packed"

    @classmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        raise NotImplementedError("packed states are made from plain ones")

    @classmethod
    def pack(cls, plain: PlainState, bits: int, group_size: int) -> Self:
        """Return the lazy quantized form of ``plain``."""
        parts = {
            f"{side}.{i}": part
            for side in _SIDES
            for i, part in enumerate(mx.quantize(plain.parts[side], group_size=group_size, bits=bits))
        }
        params = {"bits": bits, "group_size": group_size, "dtype": str(plain.parts["keys"].dtype).split(".")[-1]}
        return cls(plain.kind, plain.n_tokens, parts, params)

    def unpack(self) -> PlainState:
        """Return the plain form, in the dtype it had."""
        return PlainState(self.kind, self.n_tokens, {side: self._side(side) for side in _SIDES if self.parts})

    def _side(self, side: str) -> mx.array:
        weights, scales, biases = (self.parts[f"{side}.{i}"] for i in range(3))
        options = {"group_size": self.params["group_size"], "bits": self.params["bits"]}
        return mx.dequantize(weights, scales, biases, **options).astype(getattr(mx, self.params["dtype"]))

    def _revive(self) -> LiveLayer:
        plain = self.unpack()
        mx.eval(list(plain.parts.values()))
        return plain._revive()


def check_quantization(bits: int, group_size: int) -> None:
    """Refuse what cannot be done before a state is lost over it.

    Raises:
        ValueError: MLX has no such quantization.
    """
    if bits not in BITS:
        raise ValueError(f"kv_bits must be one of {', '.join(map(str, BITS))}, not {bits}")
    if group_size not in GROUP_SIZES:
        raise ValueError(f"kv_group_size must be one of {', '.join(map(str, GROUP_SIZES))}, not {group_size}")


def pack_layer(layer: LayerState, bits: int, group_size: int) -> LayerState:
    """Return the quantized form of a plain layer; any other layer, or one that cannot be quantized, as it is."""
    if not isinstance(layer, PlainState) or not layer.parts:
        return layer
    if any(part.shape[-1] % group_size for part in layer.parts.values()):
        return layer
    return PackedState.pack(layer, bits, group_size)
