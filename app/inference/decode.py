"""Decoding: one token after the other until a stop token, a limit or a stop sign."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import mlx.core as mx
import numpy as np

from app.cache.protocols import LayerCaches
from app.inference.device import on_cpu
from app.inference.events import FinishReason
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import Features, FinalPrompt
from app.inference.sampling import Sampler
from app.inference.types import CancelToken

LOOP_TOKENS = 256
"""An answer whose last tokens, this many, repeat one short sequence goes on for ever; it is ended."""
LOOP_PERIOD = 32
_LOOK_EVERY = 32


@dataclass
class Decoder:
    """The state of one answer.

    Attributes:
        sampled: all ids that were chosen, a stop token included.
        fed: how many of them the cache holds; it may trail or, with look-ahead, include the stop token.
        finish_reason: set when :meth:`run` ends by itself.
    """

    adapter: FamilyAdapter
    prompt: FinalPrompt
    features: Mapping[int, Features]
    cache: LayerCaches
    sampler: Sampler
    stop_ids: frozenset[int]
    sampled: list[int] = field(default_factory=list)
    fed: int = 0
    finish_reason: FinishReason = "length"
    _forced: deque[int] = field(default_factory=deque)

    def force(self, ids: Sequence[int]) -> None:
        """Let the next tokens be ``ids``, whatever the model would choose."""
        self._forced.extend(ids)

    def replay(self, ids: Sequence[int], logits: mx.array, cancel: CancelToken) -> mx.array:
        """Feed tokens that were chosen before, one by one; return the logits ``(1, vocabulary)`` after the last.

        Raises:
            Cancelled: between two steps.
        """
        for value in ids:
            cancel.check()
            self.sampled.append(value)
            logits = self._feed(mx.array([value]))
            mx.eval(logits)
        return logits

    def run(self, logits: mx.array, limit: int, cancel: CancelToken) -> Iterator[int]:
        """Yield up to ``limit`` ids, starting from the prompt's last ``logits`` of shape ``(1, vocabulary)``.

        Raises:
            Cancelled: between two steps; :attr:`sampled` and :attr:`fed` stay right.
        """
        # On a GPU the next step is launched before this token is read, so that it never waits for Python; on the CPU
        # that would only waste the step after the stop token.
        ahead = not on_cpu()
        token = self.sampler(logits)
        for index in range(limit):
            more = index + 1 < limit
            following = self._step(token) if ahead and more else None
            value = int(token.item())  # type: ignore[arg-type]
            self.sampled.append(value)
            if value in self.stop_ids:
                self.finish_reason = "stop"
                return
            yield value
            cancel.check()
            if not more:
                return
            if loops(self.sampled):
                self.finish_reason = "loop"
                return
            token = self._step(token) if following is None else following
            if self._forced:
                token = mx.array([self._forced.popleft()])

    def _step(self, token: mx.array) -> mx.array:
        following = self.sampler(self._feed(token))
        mx.async_eval(following)  # type: ignore[no-untyped-call]
        return following

    def _feed(self, token: mx.array) -> mx.array:
        call = self.adapter.token(self.prompt, self.features, token, len(self.prompt) + self.fed)
        self.fed += 1
        return self.adapter.forward(call, self.cache)[:, -1]


def loops(ids: Sequence[int]) -> bool:
    """Whether the last ``LOOP_TOKENS`` ids repeat a sequence of at most ``LOOP_PERIOD``; looked at now and then."""
    if len(ids) < LOOP_TOKENS + LOOP_PERIOD or len(ids) % _LOOK_EVERY:
        return False
    tail = np.asarray(ids[-LOOP_TOKENS - LOOP_PERIOD :])
    last = tail[LOOP_PERIOD:]
    return any((last == tail[LOOP_PERIOD - period : -period]).all() for period in range(1, LOOP_PERIOD + 1))
