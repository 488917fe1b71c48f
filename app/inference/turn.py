"""One question: state for the prompt, then the answer token by token, then what is kept and what it took."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence

import mlx.core as mx

from app.cache.protocols import CacheOverview
from app.inference.continuing import start_answer, unfinished
from app.inference.decode import Decoder
from app.inference.events import Event, Finished, FinishReason, ImageUse, TurnStats
from app.inference.model import LoadedModel
from app.inference.sampling import REPETITION_WINDOW, Sampler
from app.inference.state import PromptState
from app.inference.streaming import THINK_CLOSE
from app.inference.types import Cancelled, CancelToken, ChatRequest

LOST = ("memory", "count", "limit_lowered", "expired", "damaged")
"""Eviction reasons that mean something was lost; replaced and superseded entries live on in newer ones."""

Claim = Callable[[Sequence[int], int, Sequence[ImageUse]], tuple[int, tuple[ImageUse, ...]]]
"""Says what of the reused tokens, and of the images, was done while the question was being written."""


class Turn:
    """Answers one request; :meth:`run` may be called once."""

    def __init__(
        self,
        model: LoadedModel,
        state: PromptState,
        request: ChatRequest,
        cancel: CancelToken,
        overview: Callable[[], CacheOverview],
        claim: Claim,
        thinking_budget: int = 0,
    ) -> None:
        self._claim = claim
        self._model, self._state, self._request = model, state, request
        self._cancel, self._overview, self._budget = cancel, overview, thinking_budget
        self._evicted_before = evictions(overview())
        self._began = time.perf_counter()
        self._first = self._last = 0.0
        self._decoder: Decoder | None = None
        self._messages, self._opened = unfinished(model, request)
        # Where the prompt attends to itself both ways, what was generated must not become a part of it.
        self._replayed = self._opened if model.adapter.chunking == "one_chunk" else ()
        self._answer = start_answer(model, self._messages, request.sampling.stop)
        self._answer.resume(self._opened)
        if request.continue_answer:
            self._answer.thinking = self._answer.thinking or request.messages[-1].thinking

    def run(self) -> Iterator[Event]:
        """Yield progress, text and, always last, :class:`Finished`; a stop sign ends it early but in order.

        Raises:
            UserError: the prompt does not fit.
        """
        reason: FinishReason = "cancelled"
        try:
            yield from self._state.open(self._messages, opened=() if self._replayed else self._opened)
            yield from self._state.fill()
            yield from self._decode(self._state.last_logits())
            reason = "stop" if self._answer.stopped else self._finish_reason()
        except Cancelled:
            pass
        except GeneratorExit:
            self._keep()
            raise
        yield from self._answer.finish()
        self._keep()
        yield self._finished(reason)

    def _decode(self, logits: mx.array) -> Iterator[Event]:
        self._cancel.check()
        final = self._state.built.final if self._state.built else None
        assert final is not None
        model, sampling = self._model, self._request.sampling
        ids = (*final.ids, *self._replayed)[-REPETITION_WINDOW:]
        history = [token for token in ids if token != model.placeholder_id]
        self._decoder = Decoder(
            model.adapter,
            final,
            self._state.images.features,
            self._state.cache,
            Sampler(sampling, history),
            model.stop_ids,
        )
        if self._answer.stopped:
            return
        logits = self._decoder.replay(self._replayed, logits, self._cancel)
        limit = min(sampling.max_tokens, model.info.context_length - len(final) - len(self._replayed))
        for token in self._decoder.run(logits, limit, self._cancel):
            self._last = time.perf_counter()
            self._first = self._first or self._last
            yield from self._answer.push(token)
            if self._answer.stopped:
                return
            self._watch_thinking()

    def _watch_thinking(self) -> None:
        """End reasoning that has used up its budget, the way the model itself would end it."""
        before, new = len(self._opened), len(self._new())
        spent = before + new == max(self._budget, before + 1)
        if self._budget and self._decoder and self._answer.in_thinking and spent:
            self._decoder.force(self._model.adapter.tokenize(f"\n{THINK_CLOSE}\n\n"))

    def _finish_reason(self) -> FinishReason:
        if self._decoder is None:
            return "cancelled"
        reason = self._decoder.finish_reason
        full = reason == "length" and len(self._new()) < self._request.sampling.max_tokens
        return "context" if full else reason

    def _keep(self) -> None:
        """Store the state as far as it got: after the answer, or wherever it was stopped."""
        fed = self._decoder.sampled[: self._decoder.fed] if self._decoder else []
        if self._model.adapter.reuse == "whole" and fed:
            return
        if self._state.built is not None and self._state.position:
            self._state.keep(fed, stopped=True)

    def _new(self) -> list[int]:
        """Return the ids chosen in this turn."""
        return self._decoder.sampled[len(self._replayed) :] if self._decoder else []

    def _finished(self, reason: FinishReason) -> Finished:
        new = [token for token in self._new() if token not in self._model.stop_ids]
        ids = (*self._opened, *new)
        return Finished(self._answer.text, ids, reason, self._stats(len(new)), self._answer.thinking)

    def _stats(self, generated: int) -> TurnStats:
        state, lookup, overview = self._state, self._state.lookup, self._overview()
        decoding = self._last - self._first
        ahead, images = self._claim(state.key, lookup.reused, state.images.uses)
        return TurnStats(
            prompt_tokens=len(state.built.final) if state.built else 0,
            reused_tokens=lookup.reused,
            prefilled_tokens=max(0, state.position - lookup.reused),
            generated_tokens=generated,
            images=images,
            ttft_ms=1000 * (self._first - self._began) if self._first else 0.0,
            encode_ms=1000 * state.images.encode_seconds,
            restore_ms=1000 * lookup.seconds,
            prefill_ms=1000 * state.prefill_seconds,
            decode_tps=(generated - 1) / decoding if decoding > 0 else 0.0,
            match=lookup.kind,
            why=lookup.why,
            source=lookup.source,
            reused_from_disk=lookup.reused if lookup.source == "disk" else 0,
            ssd_hits=int(lookup.source == "disk"),
            evictions=evictions(overview) - self._evicted_before,
            bytes={row.name: row.nbytes for row in overview.rows},
            ahead_tokens=ahead,
        )


def evictions(overview: CacheOverview) -> int:
    """Return how many entries were lost for want of room, since the counters began."""
    return sum(count for row in overview.rows for reason, count in row.evictions.items() if reason in LOST)
