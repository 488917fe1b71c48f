"""``CacheList``: several caches in one layer, each with an adapter of its own."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, ClassVar, Self

import mlx.core as mx

from app.cache.layers.base import Group, LayerState, LiveLayer


@dataclass(frozen=True, slots=True, eq=False)
class NestedState(LayerState):
    """The states of a ``CacheList``'s children; it can be cut where every child can."""

    group: ClassVar[Group] = "nested"
    tag: ClassVar[str] = "nested"

    kind: type
    n_tokens: int
    children: tuple[LayerState, ...]

    def arrays(self) -> dict[str, mx.array]:
        """Return the children's arrays, named ``<child>/<name>``."""
        return {f"{i}/{k}": a for i, child in enumerate(self.children) for k, a in child.arrays().items()}

    def meta(self) -> dict[str, Any]:
        """Return class, length and the children's metas."""
        return {
            "layer": self.tag,
            "module": self.kind.__module__,
            "class": self.kind.__qualname__,
            "n_tokens": self.n_tokens,
            "children": [child.meta() for child in self.children],
        }

    def _allows(self, n: int) -> bool:
        return all(child.can_cut(n) for child in self.children)

    def _cut(self, n: int) -> Self:
        return type(self)(self.kind, n, tuple(child.cut(n, evaluate=False) for child in self.children))

    def _revive(self) -> LiveLayer:
        return self.kind(*(child._revive() for child in self.children))

    def _problem(self) -> str | None:
        for child in self.children:
            if child.check().n_tokens != self.n_tokens:
                return f"a child holds {child.n_tokens} tokens, not {self.n_tokens}"
        return None
