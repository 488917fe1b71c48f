"""Layers whose state sums up the whole past: recurrent and convolutional states, and pooled keys."""

from __future__ import annotations

from typing import ClassVar, Self

from app.cache.layers.base import FlatState, Group, LayerRefused, LiveLayer, check_offset, detach, fresh


def _refuse_speculation(cache: LiveLayer) -> None:
    if getattr(cache, "_speculation", None) is not None:
        raise LayerRefused(type(cache).__name__, "it is in the middle of a speculative step")


class ArraysState(FlatState):
    """``ArraysCache`` and ``MambaCache``: slots of arrays or ``None``. They have no offset, so the caller's is taken.

    Never cut: the state at an earlier token does not follow from a later one.
    """

    __slots__ = ()
    group: ClassVar[Group] = "recurrent"
    tag: ClassVar[str] = "arrays"

    @classmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        _refuse_speculation(cache)
        parts = {str(i): detach(slot) for i, slot in enumerate(cache.cache) if slot is not None}
        for name in ("left_padding", "lengths"):
            value = getattr(cache, name, None)
            if value is not None:
                parts[name] = detach(value)
        return cls(type(cache), n_tokens, parts, {"slots": len(cache.cache)})

    def _allows(self, n: int) -> bool:
        return False

    def _cut(self, n: int) -> Self:
        return self

    def _revive(self) -> LiveLayer:
        slots = int(self.params["slots"])
        cache = self.kind(slots) if self.kind.__name__ == "ArraysCache" else self.kind()
        cache.cache = [fresh(self.parts[str(i)]) if str(i) in self.parts else None for i in range(slots)]
        for name in ("left_padding", "lengths"):
            if name in self.parts:
                setattr(cache, name, fresh(self.parts[name]))
        return cache


class PoolingState(FlatState):
    """``PoolingCache``: one pooled row per ``ratio`` tokens, and a buffer of the tokens that fill no window yet."""

    __slots__ = ()
    group: ClassVar[Group] = "recurrent"
    tag: ClassVar[str] = "pooling"
    _names: ClassVar[tuple[str, ...]] = ("buf_kv", "buf_gate", "pooled")

    @classmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        _refuse_speculation(cache)
        params = {"ratio": int(cache.ratio), "remainder": int(cache.remainder)}
        parts = {name: detach(a) for name in cls._names if (a := getattr(cache, name)) is not None}
        if parts:
            pooled = 0 if cache.pooled is None else int(cache.pooled.shape[1])
            check_offset(cache, pooled * params["ratio"] + params["remainder"], n_tokens)
        return cls(type(cache), n_tokens, parts, params)

    def _allows(self, n: int) -> bool:
        return "pooled" not in self.parts

    def _cut(self, n: int) -> Self:
        return self._with(n, self.parts, remainder=n if self.parts else 0)

    def _revive(self) -> LiveLayer:
        cache = self.kind(self.params["ratio"])
        cache.remainder = self.params["remainder"]
        for name, part in self.parts.items():
            setattr(cache, name, fresh(part))
        return cache
