"""Choosing the next token, with random state of its own per request: interleaved chats do not disturb a seed."""

from __future__ import annotations

import secrets
from collections.abc import Sequence

import mlx.core as mx

from app.inference.types import SamplingParams

REPETITION_WINDOW = 256
"""Tokens back that the repetition penalty looks at."""


SEEDS = 1 << 64
"""Seeds beyond this are taken modulo it: MLX's are 64 bits wide."""

COLDEST, HOTTEST = 1e-6, 1e6
"""Temperatures beyond these are taken as these: single precision has none that behave otherwise."""


class Sampler:
    """Turns logits into tokens, lazily: nothing is evaluated here.

    The filters are those of "The Curious Case of Neural Text Degeneration" (top-p, arXiv:1904.09751), min-p
    (arXiv:2407.01082) and CTRL's repetition penalty (arXiv:1909.05858), applied to the untempered distribution as
    mlx-lm does; temperature comes last.
    """

    def __init__(self, params: SamplingParams, history: Sequence[int] = ()) -> None:
        """Start a request; ``history`` holds the prompt's text tokens, for the repetition penalty."""
        self._params = params
        seed = secrets.randbits(32) if params.seed is None else params.seed
        self._key = mx.random.key(seed % SEEDS)
        self._recent = mx.array(list(history)[-REPETITION_WINDOW:], dtype=mx.int32)
        self._penalise = params.repetition_penalty not in (0.0, 1.0)

    def __call__(self, logits: mx.array) -> mx.array:
        """Return the next token id, shape ``(1,)``, for logits of shape ``(1, vocabulary)``."""
        if self._penalise and self._recent.size:
            logits = _penalise(logits, self._recent, self._params.repetition_penalty)
        token = self._draw(logits.astype(mx.float32))
        if self._penalise:
            self._recent = mx.concatenate([self._recent, token.astype(mx.int32)])[-REPETITION_WINDOW:]
        return token

    def _draw(self, logits: mx.array) -> mx.array:
        if self._params.temperature <= 0:
            return mx.argmax(logits, axis=-1)
        self._key, key = mx.random.split(self._key)
        kept = _filter(logits, self._params)
        # Below the likeliest, so that nothing overflows to infinity, or becomes none at all, whatever it is divided by.
        below = kept - kept.max(axis=-1, keepdims=True)
        return mx.random.categorical(below / min(max(self._params.temperature, COLDEST), HOTTEST), axis=-1, key=key)


def _penalise(logits: mx.array, recent: mx.array, penalty: float) -> mx.array:
    chosen = logits[:, recent]
    logits = mx.array(logits)
    logits[:, recent] = mx.where(chosen < 0, chosen * penalty, chosen / penalty)
    return logits


def _filter(logits: mx.array, params: SamplingParams) -> mx.array:
    """Return logits with everything outside top-k, top-p and min-p at minus infinity."""
    top_k = params.top_k if 0 < params.top_k < logits.shape[-1] else 0
    top_p = params.top_p if 0 < params.top_p < 1 else 0.0
    if not (top_k or top_p or params.min_p > 0):
        return logits
    order = mx.argsort(-logits, axis=-1)
    ranked = mx.softmax(mx.take_along_axis(logits, order, axis=-1), axis=-1)
    keep = mx.arange(logits.shape[-1])[None] < (top_k or logits.shape[-1])
    if top_p:
        keep = keep & (mx.cumsum(ranked, axis=-1) - ranked < top_p)
    if params.min_p > 0:
        keep = keep & (ranked >= min(params.min_p, 1.0) * ranked[:, :1])
    kept = mx.put_along_axis(mx.zeros(logits.shape, mx.bool_), order, keep, axis=-1)
    return mx.where(kept, logits, -mx.inf)
