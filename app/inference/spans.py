"""Media spans in final token ids, and the salted key that they make."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
import numpy.typing as npt

from app.cache.media import MediaSpan, salt_token
from app.inference.families.layout import Unit

SALTED_SPANS_KEPT = 256


def find_spans(
    ids: npt.NDArray[np.int32],
    placeholder: int,
    units: Sequence[Unit],
    digests: Sequence[str],
    images: Sequence[int] | None = None,
) -> tuple[MediaSpan, ...]:
    """Return one span per unit, found where ``placeholder`` really stands in the final ``ids``.

    ``images`` numbers the image that each unit belongs to; without it every unit is an image.

    Raises:
        ValueError: the placeholders are not as many as the units need, or a unit's are not contiguous.
    """
    positions = np.flatnonzero(ids == placeholder)
    if len(positions) != sum(unit.tokens for unit in units):
        raise ValueError(f"{len(positions)} placeholders for {sum(unit.tokens for unit in units)} image tokens")
    spans, used = [], 0
    owners = range(len(units)) if images is None else images
    for unit, digest, owner in zip(units, digests, owners, strict=True):
        start, end = int(positions[used]), int(positions[used + unit.tokens - 1]) + 1
        if end - start != unit.tokens:
            raise ValueError(f"the {unit.tokens} placeholders of one unit are spread over {start}..{end}")
        spans.append(MediaSpan(start, unit.tokens, digest, unit.grid, owner))
        used += unit.tokens
    return tuple(spans)


@lru_cache(maxsize=SALTED_SPANS_KEPT)
def _salts(digest: str, grid: tuple[int, ...], length: int) -> tuple[int, ...]:
    return tuple(salt_token(digest, grid, index) for index in range(length))


def salted_key(ids: Sequence[int], spans: Sequence[MediaSpan], salt: str = "") -> tuple[int, ...]:
    """Return the cache key of ``ids``: :func:`app.cache.media.salt_tokens`, with each image's salts made only once.

    ``salt`` names what the state depends on beyond the tokens; it changes the first token and thereby every prefix.
    """
    key = list(ids)
    for span in spans:
        key[span.start : span.end] = _salts(span.digest, span.grid, span.length)
    if salt and key:
        key[0] = salt_token(hashlib.sha256(salt.encode()).hexdigest(), (), key[0])
    return tuple(key)
