"""One question to our engine, timed to its first token, with the logits that the token was chosen from."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from app.inference.engine import Engine
from app.inference.events import Finished, TextDelta, TurnStats
from app.inference.types import ChatRequest, Message, SamplingParams

Logprobs = npt.NDArray[np.float32]
AGREES = 1e-3
"""Largest difference of log-probabilities that rounding explains in float32."""


@dataclass(frozen=True, slots=True)
class Asked:
    """An answer's beginning: seconds to its first token, what the engine says of it, and that token's chances.

    ``logprobs``: float32 ``(vocabulary,)``; ``text`` of both tokens, special ones too.
    """

    ttft: float
    stats: TurnStats
    logprobs: Logprobs = field(repr=False)
    text: str = ""

    def agrees(self, other: Asked) -> bool:
        """Whether both were about to say the same, up to rounding."""
        return bool(np.abs(self.logprobs - other.logprobs).max() < AGREES)


def ask(engine: Engine, messages: Sequence[Message], *, use_cache: bool = True) -> Asked:
    """Ask for two tokens, the second of which makes sure that the first one was let out."""
    request = ChatRequest(tuple(messages), SamplingParams(max_tokens=2), use_cache=use_cache)
    rows: list[mx.array] = []
    with _last_rows(engine, rows):
        began, first = time.perf_counter(), 0.0
        for event in engine.generate(request):
            if isinstance(event, TextDelta | Finished) and not first:
                first = time.perf_counter() - began
    assert isinstance(event, Finished)
    logits = rows[-2] if len(rows) > 1 else rows[-1]
    text = engine._loaded().adapter.tokenizer.decode(list(event.token_ids))
    return Asked(event.stats.ttft_ms / 1000 or first, event.stats, np.array(logits - mx.logsumexp(logits)), text)


@contextmanager
def _last_rows(engine: Engine, rows: list[mx.array]) -> Iterator[None]:
    adapter = engine._loaded().adapter
    forward = adapter.forward

    def watched(*arguments: Any) -> Any:
        logits = forward(*arguments)
        rows.append(logits[0, -1])
        return logits

    adapter.forward = watched  # type: ignore[method-assign, assignment]
    try:
        yield
    finally:
        adapter.forward = forward  # type: ignore[method-assign]
