"""The state oracle: a fake deterministic model whose right KV state is known for every position.

Keys and values at position p are a function of the token, the image feature, the position and a hash of everything
before, so a state that belongs to another prompt, another image or another position can never compare equal. The
layers are the real classes of mlx-lm or mlx-vlm, written to in chunks like a real prefill.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import mlx.core as mx
import mlx_lm.models.cache as lm
import numpy as np

HEADS, SIZE, WINDOW, CHUNK = 2, 32, 16, 8
REMEMBERED = 64


def rows(tokens: Sequence[int], layer: int) -> np.ndarray:
    """Return (len(tokens), HEADS, SIZE) float32: row p depends on tokens[: p + 1] and on p."""
    return _short_rows(tuple(tokens), layer) if len(tokens) <= REMEMBERED else _rows(tokens, layer)


@lru_cache(maxsize=4096)
def _short_rows(tokens: tuple[int, ...], layer: int) -> np.ndarray:
    return _rows(tokens, layer)


def _rows(tokens: Sequence[int], layer: int) -> np.ndarray:
    past = hashlib.sha256(f"layer {layer}".encode()).digest()
    out = []
    for position, token in enumerate(tokens):
        past = hashlib.sha256(past + f"{token}|{position}".encode()).digest()
        seed = np.frombuffer(past * (HEADS * SIZE // 32), np.uint8).astype(np.float32)
        out.append((seed / 16).reshape(HEADS, SIZE))
    return np.stack(out) if out else np.zeros((0, HEADS, SIZE), np.float32)


class OracleModel:
    """A model made of layers of the given kinds. ``library`` is ``mlx_lm.models.cache`` or ``mlx_vlm.models.cache``.

    Attributes:
        prefilled: tokens really run since the model was made.
        encoder_calls: images really encoded.
    """

    def __init__(self, kinds: Sequence[str] = ("KVCache",), library: Any = lm) -> None:
        self.kinds, self.library = tuple(kinds), library
        self.prefilled = 0
        self.encoder_calls = 0

    def make_cache(self) -> list[Any]:
        return [self._layer(kind) for kind in self.kinds]

    def run(self, cache: list[Any], tokens: Sequence[int], start: int, chunk: int = CHUNK) -> None:
        """Feed ``tokens[start:]`` on the grid of ``chunk``, as a prefill does."""
        at = start
        while at < len(tokens):
            stop = min(len(tokens), (at // chunk + 1) * chunk)
            for number, layer in enumerate(cache):
                self._write(layer, number, tokens, at, stop)
            at = stop
        self.prefilled += len(tokens) - start

    def cold(self, tokens: Sequence[int]) -> list[Any]:
        """Return the cache of a run without any reuse."""
        cache, before = self.make_cache(), self.prefilled
        self.run(cache, tokens, 0)
        self.prefilled = before
        return cache

    def _layer(self, kind: str) -> Any:
        makers = {
            "RotatingKVCache": lambda: self.library.RotatingKVCache(max_size=WINDOW),
            "KeepKVCache": lambda: self.library.RotatingKVCache(max_size=WINDOW, keep=2),
            "ChunkedKVCache": lambda: self.library.ChunkedKVCache(WINDOW),
            "ArraysCache": lambda: self.library.ArraysCache(2),
            "QuantizedKVCache": lambda: self.library.QuantizedKVCache(group_size=32, bits=8),
            "CacheList": lambda: self.library.CacheList(
                self.library.KVCache(), self.library.RotatingKVCache(max_size=WINDOW)
            ),
        }
        return makers[kind]() if kind in makers else getattr(self.library, kind)()

    def _write(self, layer: Any, number: int, tokens: Sequence[int], start: int, stop: int) -> None:
        name = type(layer).__name__
        if name == "CacheList":
            for i, child in enumerate(layer.caches):
                self._write(child, 10 * number + i + 1, tokens, start, stop)
            return
        new = rows(tokens[:stop], number)
        if name == "ArraysCache":
            layer[0] = mx.array(new[-1:].astype(np.float32))
            layer[1] = mx.array(new[max(0, stop - 3) :][None])
            return
        if name == "ChunkedKVCache":
            layer.maybe_trim_front()
        keys = mx.array(new[start:stop].transpose(1, 0, 2)[None])
        layer.update_and_fetch(keys, -keys)


def readable(cache: Sequence[Any]) -> list[Any]:
    """Return what a reader of each layer sees: plain numbers, in temporal order, within the window."""
    from app.cache.snapshot import Snapshot

    offsets = [layer.offset for layer in _flat(cache) if hasattr(layer, "offset")]
    length = offsets[0] if offsets else 1
    snapshot = Snapshot.take(list(cache), length)
    return [{name: array.tolist() for name, array in layer.arrays().items()} for layer in snapshot.layers]


def fingerprint(cache: Sequence[Any]) -> str:
    """Return a digest of what :func:`readable` would show, much faster."""
    from app.cache.snapshot import Snapshot

    lengths = offsets(cache)
    hasher = hashlib.sha256()
    for layer in Snapshot.take(list(cache), min(lengths) if lengths else 1).layers:
        for name, array in sorted(layer.arrays().items()):
            hasher.update(f"{name}|{array.shape}|{array.dtype}|".encode())
            hasher.update(np.asarray(array).tobytes())
    return hasher.hexdigest()


def offsets(cache: Sequence[Any]) -> set[int]:
    """Return the different offsets of the layers that have one."""
    return {layer.offset for layer in _flat(cache) if hasattr(layer, "offset")}


def handles(value: Any) -> set[int]:
    """Return the ids of all array handles that live layers hold."""
    found: set[int] = set()
    for layer in _flat(value):
        for item in vars(layer).values():
            for part in item if isinstance(item, (list, tuple)) else [item]:
                if isinstance(part, mx.array):
                    found.add(id(part))
    return found


def _flat(cache: Sequence[Any]) -> list[Any]:
    return [child for layer in cache for child in getattr(layer, "caches", [layer])]
