"""Layers that keep only a window of the past: ring buffers and chunked attention."""

from __future__ import annotations

from typing import ClassVar, Self

import mlx.core as mx

from app.cache.layers.base import FlatState, Group, LiveLayer, check_offset, detach, fresh
from app.cache.layers.full import rows


class RotatingState(FlatState):
    """``RotatingKVCache``, normalised: temporal order, no slack, exactly ``min(n_tokens, max_size)`` rows.

    A live ring may stand rotated, or hold up to ``max_size - 1 + chunk`` rows after a prefill chunk; both continue
    exactly like the normalised form, because the next update drops what lies outside the window anyway.
    """

    __slots__ = ()
    group: ClassVar[Group] = "window"
    tag: ClassVar[str] = "rotating"

    @classmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        params = {"max_size": int(cache.max_size), "keep": int(cache.keep)}
        if cache.keys is None:
            return cls(type(cache), n_tokens, {}, params)
        check_offset(cache, cache.offset, n_tokens)
        parts = {name: detach(_window(cache, getattr(cache, name))) for name in ("keys", "values")}
        return cls(type(cache), n_tokens, parts, params)

    @property
    def window(self) -> int:
        """Rows of the full ring."""
        return int(self.params["max_size"])

    def _allows(self, n: int) -> bool:
        return self.n_tokens < self.window

    def _cut(self, n: int) -> Self:
        return self._with(n, rows(self.parts, 0, n) if n else {})

    def _problem(self) -> str | None:
        wanted = min(self.n_tokens, self.window)
        for name, part in self.parts.items():
            if part.shape[-2] != wanted:
                return f"{name} holds {part.shape[-2]} of the {wanted} tokens in its window"
        return None

    def _revive(self) -> LiveLayer:
        cache = self.kind(max_size=self.window, keep=self.params["keep"])
        if self.parts:
            cache.keys, cache.values = fresh(self.parts["keys"]), fresh(self.parts["values"])
            cache.offset = self.n_tokens
            cache._idx = int(self.parts["keys"].shape[-2])
        return cache


def _window(cache: LiveLayer, ring: mx.array) -> mx.array:
    """Return the ring in temporal order without slack: the kept head, then the newest rows."""
    head, index, size = cache.keep, cache._idx, cache.max_size
    if index == ring.shape[-2]:
        ordered = ring
    elif index < cache.offset:
        ordered = mx.concatenate([ring[..., :head, :], ring[..., index:, :], ring[..., head:index, :]], axis=-2)
    else:
        ordered = ring[..., :index, :]
    surplus = ordered.shape[-2] - size
    if surplus <= 0:
        return ordered
    return mx.concatenate([ordered[..., :head, :], ordered[..., head + surplus :, :]], axis=-2)


class ChunkedState(FlatState):
    """``ChunkedKVCache``: rows ``start_position`` to ``n_tokens``; the front is dropped a chunk behind."""

    __slots__ = ()
    group: ClassVar[Group] = "window"
    tag: ClassVar[str] = "chunked"

    @classmethod
    def _capture(cls, cache: LiveLayer, n_tokens: int) -> Self:
        start = int(cache.start_position)
        params = {"chunk_size": int(cache.chunk_size), "start_position": start}
        if cache.keys is None:
            return cls(type(cache), n_tokens, {}, params)
        check_offset(cache, cache.offset, n_tokens)
        parts = rows({"keys": cache.keys, "values": cache.values}, 0, n_tokens - start)
        return cls(type(cache), n_tokens, parts, params)

    @property
    def start(self) -> int:
        """Position of the first row."""
        return int(self.params["start_position"])

    def _allows(self, n: int) -> bool:
        """Only where a whole chunk before ``n`` is still held, which is what a live cache at ``n`` could look at."""
        return self.start <= max(0, n - int(self.params["chunk_size"]))

    def _cut(self, n: int) -> Self:
        return self._with(n, rows(self.parts, 0, n - self.start) if n else {})

    def _problem(self) -> str | None:
        for name, part in self.parts.items():
            if part.shape[-2] != self.n_tokens - self.start:
                return f"{name} holds {part.shape[-2]} rows from position {self.start} of {self.n_tokens}"
        return None

    def _revive(self) -> LiveLayer:
        cache = self.kind(self.params["chunk_size"])
        if self.parts:
            cache.keys, cache.values = fresh(self.parts["keys"]), fresh(self.parts["values"])
            cache.offset, cache.start_position = self.n_tokens, self.start
        return cache
