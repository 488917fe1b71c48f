"""What every layer adapter promises: an immutable state of one KV layer at exactly ``n_tokens`` tokens.

The states hold *detached* arrays. MLX arrays are values, but the Python handle is not: ``a[i] = x`` rebinds the handle
in place, so a handle is never shared with a live cache. Restoring hands out fresh handles on the same immutable
buffer, which MLX copies at the first write (copy on write). A slice would keep its parent's buffer alive;
``mx.contiguous`` followed by an evaluation does not.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, Self

import mlx.core as mx

Group = Literal["full", "window", "recurrent", "nested", "opaque"]
LiveLayer = Any
"""A mutable cache object of mlx-lm or mlx-vlm; neither library is imported here."""


class LayerRefused(Exception):
    """A KV layer cannot be snapshotted or rebuilt; the message names its class and the reason."""

    def __init__(self, class_name: str, reason: str) -> None:
        super().__init__(f"{class_name}: {reason}")
        self.class_name = class_name
        self.reason = reason


class LayerState(ABC):
    """One layer of a snapshot. Immutable; equality is identity.

    Attributes:
        kind: the class of the live cache object that :meth:`restore` makes.
        n_tokens: tokens that the state stands for, also where the layer is empty or keeps only a window of them.
        group: how the layer attends, which decides where it can be cut.
        tag: the adapter's name in :meth:`meta`.
    """

    group: ClassVar[Group]
    tag: ClassVar[str]
    kind: type
    n_tokens: int

    @abstractmethod
    def arrays(self) -> dict[str, mx.array]:
        """Return the arrays by name; the handles are the state's own and must not be written to."""

    @abstractmethod
    def meta(self) -> dict[str, Any]:
        """Return JSON-able data that, with :meth:`arrays`, rebuilds the state."""

    @abstractmethod
    def _allows(self, n: int) -> bool:
        """Whether the state of the first ``n < n_tokens`` tokens follows from this one."""

    @abstractmethod
    def _cut(self, n: int) -> Self:
        """Return the lazy state of the first ``n`` tokens; only called where :meth:`can_cut` allows it."""

    @abstractmethod
    def _revive(self) -> LiveLayer:
        """Return a live cache object with fresh handles on this state's arrays."""

    def _problem(self) -> str | None:
        """Return how the arrays disagree with ``n_tokens``, if they do."""
        return None

    @property
    def nbytes(self) -> int:
        """Bytes of the arrays, from shape and dtype."""
        return sum(int(array.nbytes) for array in self.arrays().values())

    def can_cut(self, n: int) -> bool:
        """Whether the state of the first ``n`` tokens follows from this one."""
        return n == self.n_tokens or (0 <= n < self.n_tokens and self._allows(n))

    def cut(self, n: int, *, evaluate: bool = True) -> Self:
        """Return the state of the first ``n`` tokens, detached from this one.

        Raises:
            LayerRefused: the layer cannot be cut there.
        """
        if n == self.n_tokens:
            return self
        if not self.can_cut(n):
            raise LayerRefused(self.kind.__name__, f"{self.n_tokens} tokens cannot be cut to {n}")
        state = self._cut(n)
        if evaluate:
            evaluate_layers([state])
        return state

    def restore(self, n: int | None = None) -> LiveLayer:
        """Return a private, mutable cache object of the stored class that holds the first ``n`` (all) tokens.

        Raises:
            LayerRefused: the layer cannot be cut at ``n``.
        """
        return (self if n is None else self.cut(n))._revive()

    def slice(self, start: int, stop: int, *, evaluate: bool = True) -> Self:
        """Return tokens ``start`` to ``stop`` as a state of their own (full-attention layers only).

        Raises:
            LayerRefused: the layer keeps no row per token.
        """
        raise LayerRefused(self.kind.__name__, "only full-attention layers can be sliced into blocks")

    def check(self) -> Self:
        """Return the state itself after comparing array lengths with ``n_tokens``.

        Raises:
            LayerRefused: they disagree.
        """
        problem = self._problem()
        if problem is not None:
            raise self.refuse(problem)
        return self

    def refuse(self, reason: str) -> LayerRefused:
        """Return the error that names this layer's class."""
        return LayerRefused(self.kind.__name__, reason)


@dataclass(frozen=True, slots=True, eq=False)
class FlatState(LayerState):
    """A layer state that is a dictionary of arrays and a dictionary of plain parameters."""

    kind: type
    n_tokens: int
    parts: Mapping[str, mx.array] = field(default_factory=dict)
    params: Mapping[str, Any] = field(default_factory=dict)

    @classmethod
    @abstractmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        """Return the lazy, detached state of a live cache object of this adapter's classes."""

    @classmethod
    def capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        """Return the lazy, detached state of a live cache object.

        Raises:
            LayerRefused: the object does not hold exactly ``n_tokens``.
        """
        return cls._capture(cache, n_tokens).check()

    def arrays(self) -> dict[str, mx.array]:
        """Return the parts."""
        return dict(self.parts)

    def meta(self) -> dict[str, Any]:
        """Return class, length, parameters, and dtype and shape of every part."""
        return {
            "layer": self.tag,
            "module": self.kind.__module__,
            "class": self.kind.__qualname__,
            "n_tokens": self.n_tokens,
            "params": dict(self.params),
            "arrays": {name: describe(array) for name, array in self.parts.items()},
        }

    def _with(self, n_tokens: int, parts: Mapping[str, mx.array], **params: int) -> Self:
        return type(self)(self.kind, n_tokens, parts, {**self.params, **params})


def describe(array: mx.array) -> list[Any]:
    """Return dtype name and shape, for comparing stored arrays with their description."""
    return [str(array.dtype).removeprefix("mlx.core."), *array.shape]


def detach(array: mx.array) -> mx.array:
    """Return a lazy copy that shares neither handle nor a larger buffer with ``array`` once evaluated."""
    return mx.contiguous(array)


def fresh(array: mx.array) -> mx.array:
    """Return a new handle on the same immutable buffer: writing through one does not show in the other."""
    return mx.array(array)


def evaluate_layers(layers: Iterable[LayerState]) -> None:
    """Evaluate all arrays of ``layers`` in one call."""
    mx.eval([array for layer in layers for array in layer.arrays().values()])


def check_offset(cache: LiveLayer, held: object, n_tokens: int) -> None:
    """Compare what a live layer says it holds with what the caller says.

    Raises:
        LayerRefused: the numbers differ, or ``held`` is no number (batched caches).
    """
    name = type(cache).__name__
    if not isinstance(held, int):
        raise LayerRefused(name, "its offset is not a single number; batched caches are not stored")
    if held != n_tokens:
        raise LayerRefused(name, f"it holds {held} tokens, not {n_tokens}")
