"""Snapshots: an immutable copy of all layers of a KV cache at exactly ``n_tokens`` tokens."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Self

import mlx.core as mx

from app.cache.layers import LayerRefused, LayerState, capture_layer, evaluate_layers, layer_from_arrays


@dataclass(frozen=True, slots=True, eq=False)
class Snapshot:
    """All layers at one point of a sequence. Shares nothing mutable with any live cache.

    Attributes:
        layers: one state per layer, in the model's order.
        n_tokens: tokens that every layer stands for.
        borrowed: numbers of the layers that are those of a longer snapshot, and are cut to ``n_tokens`` when they are
            needed. They take no bytes here; whoever borrows sees to it that the lender stays.
    """

    layers: tuple[LayerState, ...]
    n_tokens: int
    borrowed: frozenset[int] = frozenset()

    @classmethod
    def take(cls, layer_caches: Sequence[Any], n_tokens: int) -> Self:
        """Copy a live cache that holds exactly ``n_tokens``; one evaluation for all layers.

        Raises:
            LayerRefused: a layer holds another number of tokens or cannot be copied, or all layers are empty.
        """
        return cls.plan(layer_caches, n_tokens).settle()

    @classmethod
    def plan(cls, layer_caches: Sequence[Any], n_tokens: int) -> Self:
        """Return the snapshot that :meth:`take` would take, not yet copied: its size is known before it costs anything.

        Raises:
            LayerRefused: as :meth:`take`.
        """
        layers = tuple(capture_layer(cache, n_tokens) for cache in layer_caches)
        if n_tokens <= 0 or not any(layer.nbytes for layer in layers):
            raise LayerRefused("cache", "it is empty")
        return cls(layers, n_tokens)

    def settle(self) -> Self:
        """Copy what :meth:`plan` planned; does nothing the second time."""
        evaluate_layers(self.layers)
        return self

    @property
    def nbytes(self) -> int:
        """Bytes of all layers that are its own, from shapes and dtypes."""
        return sum(layer.nbytes for number, layer in enumerate(self.layers) if number not in self.borrowed)

    def can_cut(self, n: int) -> bool:
        """Whether every layer can be cut to the first ``n`` tokens."""
        return n == self.n_tokens or (0 < n < self.n_tokens and all(layer.can_cut(n) for layer in self.layers))

    def blocker(self, n: int) -> LayerState | None:
        """Return the first layer that cannot be cut at ``n``, for saying why."""
        return next((layer for layer in self.layers if not layer.can_cut(n)), None)

    def cut(self, n: int) -> Self:
        """Return the snapshot of the first ``n`` tokens, copied once.

        Raises:
            LayerRefused: a layer cannot be cut there.
        """
        if n == self.n_tokens and not self.borrowed:
            return self
        layers = tuple(layer.cut(n, evaluate=False) for layer in self.layers)
        evaluate_layers(layers)
        return type(self)(layers, n)

    def restore(self, n: int | None = None) -> list[Any]:
        """Return private, mutable layer caches that hold the first ``n`` (all) tokens.

        Raises:
            LayerRefused: a layer cannot be cut at ``n``.
        """
        snapshot = self.cut(self.n_tokens if n is None else n)
        return [layer.restore() for layer in snapshot.layers]

    def own(self) -> Self:
        """Return this state without borrowed layers, copying those."""
        return self.cut(self.n_tokens)

    def leaning_on(self, longer: Self) -> Self:
        """Return this state with its full-attention layers borrowed from ``longer``, which continues it."""
        shared = frozenset(
            number
            for number, (own, theirs) in enumerate(zip(self.layers, longer.layers, strict=True))
            if theirs.group == "full" and type(own) is type(theirs) and number not in longer.borrowed
        )
        layers = (longer.layers[n] if n in shared else own for n, own in enumerate(self.layers))
        return type(self)(tuple(layers), self.n_tokens, shared)

    def arrays(self) -> dict[str, mx.array]:
        """Return all arrays, named ``<layer>.<name>``."""
        return {f"{i}.{k}": a for i, layer in enumerate(self.own().layers) for k, a in layer.arrays().items()}

    def meta(self) -> dict[str, Any]:
        """Return JSON-able data that, with :meth:`arrays`, rebuilds the snapshot."""
        return {"n_tokens": self.n_tokens, "layers": [layer.meta() for layer in self.own().layers]}

    @classmethod
    def from_arrays(cls, meta: Mapping[str, Any], arrays: Mapping[str, mx.array]) -> Self:
        """Rebuild a snapshot; the arrays are evaluated.

        Raises:
            LayerRefused: something is missing, unknown or of another length than described.
        """
        split: dict[str, dict[str, mx.array]] = {}
        for name, array in arrays.items():
            number, _, key = name.partition(".")
            split.setdefault(number, {})[key] = array
        n_tokens = int(meta["n_tokens"])
        layers = tuple(layer_from_arrays(m, split.get(str(i), {})) for i, m in enumerate(meta["layers"]))
        for layer in layers:
            if layer.n_tokens != n_tokens:
                raise layer.refuse(f"it holds {layer.n_tokens} tokens, not {n_tokens}")
        evaluate_layers(layers)
        return cls(layers, n_tokens)
