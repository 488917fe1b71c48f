"""An engine under observation: every row of logits that it answers from, and every unit that its tower encodes."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from app.cache.config import CacheConfig
from app.inference.engine import Engine, EngineConfig
from app.inference.events import Finished
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import ReusePolicy
from app.inference.images import TileDigests
from app.inference.model import LoadedModel
from app.inference.spans import salted_key
from app.inference.types import CancelToken, ChatRequest, Message, SamplingParams
from tests.inference.families.chats import unit_digests
from tests.inference.families.due import Key
from tests.models import SPECS, WIDE

ANSWER = SamplingParams(max_tokens=4)


@dataclass(frozen=True, slots=True)
class Answer:
    """``finished`` with the logits ``(sampled, vocabulary)`` that its tokens were chosen from."""

    finished: Finished
    logits: npt.NDArray[np.float32]


def open_bench(family: str, folder: Path, cache: CacheConfig, chunk: int) -> Bench:
    """Return a bench on a new engine with the tiny checkpoint of ``family`` in ``folder``."""
    engine = Engine(EngineConfig(cache, prefill_chunk=chunk))
    around = (SPECS | WIDE)[family].around
    with around() if around else contextlib.nullcontext():
        engine.load(str(folder))
    return Bench(engine)


class Bench:
    """Runs chats on one engine with a loaded model.

    Attributes:
        encoded: encoder units that really went through the tower for requests with caches.
    """

    def __init__(self, engine: Engine) -> None:
        self.engine = engine
        self.encoded = 0
        self._counts = True
        self._rows: list[npt.NDArray[np.float32]] = []
        self._watch(self.adapter)

    @property
    def model(self) -> LoadedModel:
        """What is loaded."""
        assert self.engine._model is not None
        return self.engine._model

    @property
    def adapter(self) -> FamilyAdapter:
        """Its adapter."""
        return self.model.adapter

    @property
    def reuse(self) -> ReusePolicy:
        """How state may be reused, by what the family says and what its layers allow."""
        policy = self.adapter.reuse
        return "boundaries" if policy == "any" and self.model.snapshots_only else policy

    def reset(self) -> None:
        """Empty all caches and start counting anew."""
        self.engine.caches.clear()
        self.model.tiles = TileDigests()
        self.encoded = 0

    def ask(self, messages: Sequence[Message], *, use_cache: bool = True) -> Answer:
        """Return the greedy answer."""
        self._rows.clear()
        self._counts = use_cache
        request = ChatRequest(tuple(messages), ANSWER, use_cache=use_cache)
        *_, finished = self.engine.generate(request)
        assert isinstance(finished, Finished)
        sampled = len(finished.token_ids) + (finished.finish_reason == "stop")
        return Answer(finished, np.stack(self._rows[-sampled:]))

    def go_on(self, messages: Sequence[Message], said: Finished) -> Answer:
        """Return the whole answer, of which there is ``said`` already; the logits are those of the rest."""
        self._rows.clear()
        self._counts = True
        begun = Message("assistant", said.text, token_ids=said.token_ids, thinking=said.thinking)
        left = replace(ANSWER, max_tokens=ANSWER.max_tokens - len(said.token_ids))
        *_, finished = self.engine.generate(ChatRequest((*messages, begun), left, continue_answer=True))
        assert isinstance(finished, Finished)
        sampled = finished.stats.generated_tokens + (finished.finish_reason == "stop")
        return Answer(finished, np.stack(self._rows[-sampled:]))

    def stop(self, messages: Sequence[Message], after: int) -> Finished:
        """Ask, and stop at event number ``after``; return what was said."""
        self._counts, cancel = True, CancelToken()
        events = []
        for event in self.engine.generate(ChatRequest(tuple(messages), ANSWER), cancel):
            events.append(event)
            if len(events) == after + 1:
                cancel.cancel()
        assert isinstance(events[-1], Finished)
        return events[-1]

    def close(self) -> None:
        """Close the caches. The engine stays open: closing it would end this thread's MLX streams."""
        self.engine.caches.close()

    def key(self, messages: Sequence[Message]) -> tuple[Key, Sequence[Any]]:
        """Return the salted prompt and its spans."""
        final = self.model.builder.build(messages, unit_digests(self.adapter)).final
        return salted_key(final.ids, final.spans, self.adapter.key_salt(final)), final.spans

    def _watch(self, adapter: FamilyAdapter) -> None:
        forward, encode = adapter.forward, adapter.encode

        def watched_forward(*arguments: Any) -> Any:
            logits = forward(*arguments)
            self._rows.append(np.array(logits[0, -1]))
            return logits

        def watched_encode(units: Sequence[Any]) -> Any:
            self.encoded += len(units) * self._counts
            return encode(units)

        adapter.forward, adapter.encode = watched_forward, watched_encode  # type: ignore[method-assign, assignment]
