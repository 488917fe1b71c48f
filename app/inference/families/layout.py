"""The vocabulary between the engine and a family: units, layouts, features, chunks."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from app.cache.media import MediaSpan

ReusePolicy = Literal["any", "boundaries", "whole", "none"]
"""Where a prompt's state may be cut: at any token, only where a snapshot was taken, nowhere (the whole prompt only), or
never, because what the state depends on is unknown."""

Chunking = Literal["free", "whole_spans", "one_chunk"]
"""How a prompt may be cut for prefill: anywhere, not inside an image, or not at all."""

Features = tuple[mx.array, ...]
"""What the vision side gives for one unit: ``(tokens, hidden)`` embeddings first, then whatever else goes along row by
row (deepstack layers)."""

UnitPixels = Mapping[str, npt.NDArray[Any]]
"""One unit as its processor prepared it: named arrays, ``pixel_values`` among them."""


@dataclass(frozen=True, slots=True)
class Unit:
    """One piece of an image that the encoder takes on its own, the whole image or a tile.

    Attributes:
        tokens: language-model positions it takes.
        grid: its shape in the family's own terms, for example ``(1, 12, 16)`` patches. Two units of one image that are
            encoded together need different grids (put the index in), since they share the image's digest.
    """

    tokens: int
    grid: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ImageLayout:
    """How an image of a given size stands in the prompt.

    Attributes:
        units: in the order of their placeholders.
        text: what replaces the image marker in the rendered prompt: the placeholder as often as needed, and more.
        size: width and height that the model really sees, after its own resizing.
    """

    units: tuple[Unit, ...]
    text: str
    size: tuple[int, int]

    @property
    def tokens(self) -> int:
        """Placeholders of all units."""
        return sum(unit.tokens for unit in self.units)


@dataclass(frozen=True)
class FinalPrompt:
    """A prompt as the language model sees it: one id per position, and where the images stand.

    Attributes:
        ids: final token ids, placeholders expanded; the ids under a span are never embedded.
        spans: one per unit, in order.
        boundaries: positions where a later prompt is likely to branch off, ascending.
        memo: what an adapter computed for this prompt (positions): it belongs to the request, not to the model.
    """

    ids: tuple[int, ...]
    spans: tuple[MediaSpan, ...] = ()
    boundaries: tuple[int, ...] = ()
    memo: dict[str, Any] = field(default_factory=dict, compare=False, repr=False)

    def __len__(self) -> int:
        return len(self.ids)

    def head(self, length: int) -> FinalPrompt:
        """Return the prompt of the first ``length`` positions, without the spans that end behind them."""
        return FinalPrompt(
            self.ids[:length],
            tuple(span for span in self.spans if span.end <= length),
            tuple(cut for cut in self.boundaries if cut < length),
        )

    @cached_property
    def array(self) -> npt.NDArray[np.int32]:
        """The ids as an int32 array of shape ``(N,)``."""
        return np.asarray(self.ids, dtype=np.int32)


@dataclass(frozen=True, slots=True)
class Aligned:
    """A tensor with one entry per prompt position along ``axis``; the engine cuts it to every chunk."""

    array: mx.array
    axis: int

    def cut(self, start: int, stop: int) -> mx.array:
        """Return the entries of positions ``start`` to ``stop``."""
        index: list[slice] = [slice(None)] * self.array.ndim
        index[self.axis] = slice(start, stop)
        return self.array[tuple(index)]


@dataclass(frozen=True, slots=True)
class FeatureRun:
    """Features that stand in a chunk from index ``at`` on, already cut to the rows of this chunk."""

    at: int
    features: Features

    @property
    def length(self) -> int:
        """Number of positions."""
        return int(self.features[0].shape[0])


@dataclass(frozen=True, slots=True)
class ChunkInputs:
    """One call of the language model: ids ``(1, L)``, embeddings ``(1, L, hidden)`` and everything sequence-aligned."""

    ids: mx.array
    embeds: mx.array | None
    kwargs: dict[str, Any] = field(default_factory=dict)


def runs_in_chunk(
    spans: Sequence[MediaSpan], features: Mapping[int, Features], start: int, stop: int
) -> list[FeatureRun]:
    """Return the feature rows for the positions ``start`` to ``stop``; ``features`` is keyed by index in ``spans``."""
    runs = []
    for index, span in enumerate(spans):
        low, high = max(start, span.start), min(stop, span.end)
        if low < high:
            rows = slice(low - span.start, high - span.start)
            runs.append(FeatureRun(low - start, tuple(array[rows] for array in features[index])))
    return runs


def pixels_digest(pixels: UnitPixels) -> str:
    """Return the SHA-256 of processed pixels with names, shapes and dtypes: the digest of a tile."""
    digest = hashlib.sha256()
    for name in sorted(pixels):
        array = np.ascontiguousarray(pixels[name])
        digest.update(f"{name}|{array.dtype}|{array.shape}|".encode())
        digest.update(array.data)
    return digest.hexdigest()
