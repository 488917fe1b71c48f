"""Full-attention layers: one row per token on axis -2, so they can be cut, sliced and joined anywhere."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import ClassVar, Self

import mlx.core as mx

from app.cache.layers.base import FlatState, Group, LayerState, LiveLayer, check_offset, detach, evaluate_layers, fresh


def rows(parts: Mapping[str, mx.array], start: int, stop: int) -> dict[str, mx.array]:
    """Return tokens ``start`` to ``stop`` of every part, lazily detached."""
    return {name: detach(part[..., start:stop, :]) for name, part in parts.items()}


class SequenceState(FlatState):
    """Base of the layers whose every array has the tokens on axis -2. No parts: the layer is empty (legal)."""

    __slots__ = ()
    group: ClassVar[Group] = "full"

    def _allows(self, n: int) -> bool:
        return True

    def _cut(self, n: int) -> Self:
        return self._with(n, rows(self.parts, 0, n) if n else {})

    def slice(self, start: int, stop: int, *, evaluate: bool = True) -> Self:
        """Return tokens ``start`` to ``stop``, detached.

        Raises:
            LayerRefused: the bounds leave the tokens.
        """
        if not 0 <= start < stop <= self.n_tokens:
            raise self.refuse(f"{self.n_tokens} tokens have no slice {start}..{stop}")
        state = self._with(stop - start, rows(self.parts, start, stop))
        if evaluate:
            evaluate_layers([state])
        return state

    def _problem(self) -> str | None:
        for name, part in self.parts.items():
            if part.ndim < 2 or part.shape[-2] != self.n_tokens:
                return f"{name} has shape {part.shape}, which is not {self.n_tokens} tokens"
        return None

    def joined(self, others: Sequence[LayerState]) -> Self:
        """Return the lazy state of this one followed by ``others``.

        Raises:
            LayerRefused: they are not of the same kind, parameters and arrays.
        """
        states = [self]
        for other in others:
            if not isinstance(other, type(self)) or not self._joins(other):
                raise self.refuse("only slices of one layer can be joined")
            states.append(other)
        names = self.parts if len(states) > 1 else {}
        parts = {name: mx.concatenate([s.arrays()[name] for s in states], axis=-2) for name in names}
        return self._with(sum(s.n_tokens for s in states), parts or self.parts)

    def _joins(self, other: SequenceState) -> bool:
        return self.kind is other.kind and self.params == other.params and self.parts.keys() == other.parts.keys()


class PlainState(SequenceState):
    """``KVCache``, ``ConcatenateKVCache``, ``SimpleKVCache``: keys and values of shape (batch, heads, tokens, size)."""

    __slots__ = ()
    tag: ClassVar[str] = "plain"

    @classmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        if cache.keys is None:
            return cls(type(cache), n_tokens)
        check_offset(cache, getattr(cache, _offset_name(type(cache))), n_tokens)
        return cls(type(cache), n_tokens, rows({"keys": cache.keys, "values": cache.values}, 0, n_tokens))

    def _revive(self) -> LiveLayer:
        cache = self.kind()
        if self.parts:
            cache.keys, cache.values = fresh(self.parts["keys"]), fresh(self.parts["values"])
            setattr(cache, _offset_name(self.kind), self.n_tokens)
        return cache


class QuantizedState(SequenceState):
    """``QuantizedKVCache``: packed weights, scales and biases for keys and for values, all with tokens on axis -2."""

    __slots__ = ()
    tag: ClassVar[str] = "quantized"

    @classmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        params = {"group_size": int(cache.group_size), "bits": int(cache.bits)}
        if cache.keys is None:
            return cls(type(cache), n_tokens, {}, params)
        check_offset(cache, cache.offset, n_tokens)
        parts = {f"{side}.{i}": a for side in ("keys", "values") for i, a in enumerate(getattr(cache, side))}
        return cls(type(cache), n_tokens, rows(parts, 0, n_tokens), params)

    def _revive(self) -> LiveLayer:
        cache = self.kind(group_size=self.params["group_size"], bits=self.params["bits"])
        if self.parts:
            cache.keys, cache.values = self._side("keys"), self._side("values")
            cache.offset = self.n_tokens
        return cache

    def _side(self, side: str) -> tuple[mx.array, ...]:
        names = sorted(name for name in self.parts if name.startswith(side))
        return tuple(fresh(self.parts[name]) for name in names)


def _offset_name(kind: type) -> str:
    return "cache_length" if kind.__name__ == "SimpleKVCache" else "offset"
