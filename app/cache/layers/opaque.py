"""Classes without an adapter of their own, through their documented ``state`` and ``meta_state``."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Self

import mlx.core as mx

from app.cache.layers.base import FlatState, Group, LayerRefused, LiveLayer, check_offset, detach, fresh

_SCALARS = (str, int, float, bool, type(None))
Node = dict[str, Any]
"""One of ``{"array": name}``, ``{"scalar": value}``, ``{"list": [nodes]}``, ``{"tuple": [nodes]}``."""


class OpaqueState(FlatState):
    """A whole state that is copied and given back, never cut. The round trip is tried once before it is accepted."""

    __slots__ = ()
    group: ClassVar[Group] = "opaque"
    tag: ClassVar[str] = "opaque"

    @classmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        kind = type(cache)
        if hasattr(cache, "offset"):
            check_offset(cache, cache.offset, n_tokens)
        parts: dict[str, mx.array] = {}
        try:
            params = {"state": _fold(cache.state, "s", parts)}
            if hasattr(kind, "meta_state"):
                params["meta_state"] = _fold(cache.meta_state, "m", parts)
            state = cls(kind, n_tokens, parts, params)
            copy = state._revive()
        except Exception as error:  # foreign code: whatever it raises means that it cannot be stored
            raise LayerRefused(kind.__name__, f"no adapter, and its state cannot be copied ({error})") from error
        if getattr(copy, "offset", None) != getattr(cache, "offset", None):
            raise LayerRefused(kind.__name__, "no adapter, and its state does not carry the offset")
        return state

    def _allows(self, n: int) -> bool:
        return False

    def _cut(self, n: int) -> Self:
        return self

    def _revive(self) -> LiveLayer:
        kind: Any = self.kind
        arguments = [_unfold(self.params[name], self.parts) for name in ("state", "meta_state") if name in self.params]
        return kind.from_state(*arguments)


def _fold(value: object, path: str, parts: dict[str, mx.array]) -> Node:
    """Replace arrays in nested lists and tuples by their names and collect them in ``parts``."""
    if isinstance(value, mx.array):
        parts[path] = detach(value)
        return {"array": path}
    if type(value) in (list, tuple):
        assert isinstance(value, (list, tuple))
        return {type(value).__name__: [_fold(item, f"{path}.{i}", parts) for i, item in enumerate(value)]}
    if isinstance(value, _SCALARS):
        return {"scalar": value}
    raise TypeError(f"it contains a {type(value).__name__}")


def _unfold(node: Node, parts: Mapping[str, mx.array]) -> LiveLayer:
    ((form, content),) = node.items()
    if form == "array":
        return fresh(parts[content])
    if form == "scalar":
        return content
    items = [_unfold(item, parts) for item in content]
    return tuple(items) if form == "tuple" else items
