"""Whether a model will fit into memory: what it needs, part by part, against what there is."""

from __future__ import annotations

import sys
from bisect import bisect_right
from dataclasses import dataclass
from typing import Literal

import psutil  # type: ignore[import-untyped]

from app.inference.library.facts import ModelFacts
from app.inference.state_size import RESERVE

Verdict = Literal["fits", "tight", "too_large"]
CHAT_TOKENS = 8192
"""Length of conversation that is reckoned with where none is chosen."""
SHORT_TOKENS = 2048
"""Below this much context a model is of little use for pictures."""
CHUNK = 512


@dataclass(frozen=True, slots=True)
class Fit:
    """What a model needs, in bytes, and whether there is that much.

    Attributes:
        weights: the weights once loaded.
        state: state and working memory of a conversation of ``tokens``.
        vision: one look at a screenshot.
        caches: what the caches may fill beside it.
        available: what may be used, see :func:`available_bytes`.
        tokens: the conversation that is reckoned with.
        tokens_that_fit: the longest conversation beside the weights, without caches; 0 where the weights do not fit.
    """

    weights: int
    state: int
    vision: int
    caches: int
    available: int
    tokens: int
    tokens_that_fit: int

    @property
    def needed(self) -> int:
        """Bytes that the model takes at most, without caches."""
        return self.weights + self.state + self.vision

    @property
    def total(self) -> int:
        """Bytes that model and full caches take."""
        return self.needed + self.caches

    @property
    def verdict(self) -> Verdict:
        """``fits`` with full caches; ``tight`` where caches or length must give way; else ``too_large``."""
        if self.total <= RESERVE * self.available:
            return "fits"
        return "tight" if self.tokens_that_fit >= min(SHORT_TOKENS, self.tokens) else "too_large"


def fit(model: ModelFacts, available: int, *, caches: int = 0, tokens: int = 0) -> Fit:
    """Return whether ``model`` fits into ``available`` bytes.

    Args:
        model: what is known about it.
        available: bytes that may be used.
        caches: bytes that the caches may fill.
        tokens: length of the conversation; 0 for a usual one. Never more than the model takes.
    """
    tokens = min(tokens or CHAT_TOKENS, model.context_length)
    return Fit(
        weights=model.memory_bytes,
        state=model.state.turn(tokens, CHUNK),
        vision=model.vision_bytes,
        caches=caches,
        available=available,
        tokens=tokens,
        tokens_that_fit=_tokens_that_fit(model, available),
    )


def available_bytes(held: int = 0) -> int:
    """Return the bytes that a model may take here: free memory and, on a Mac, no more than Metal's working set.

    Args:
        held: bytes that a model that will make way takes now.
    """
    free = int(psutil.virtual_memory().available) + held
    if sys.platform == "darwin":
        import mlx.core as mx

        free = min(free, int(mx.device_info()["max_recommended_working_set_size"]))
    return free


def _tokens_that_fit(model: ModelFacts, available: int) -> int:
    left = int(RESERVE * available) - model.memory_bytes - model.vision_bytes
    if left < 0:
        return 0
    lengths = range(model.context_length + 1)
    return bisect_right(lengths, left, key=lambda tokens: model.state.turn(tokens, CHUNK)) - 1
