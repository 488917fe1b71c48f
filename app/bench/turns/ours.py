"""Our engine as a contestant, in each kind of cache, and the floor under its warm turns."""

from __future__ import annotations

import tempfile
import time
from pathlib import Path
from typing import Any

import mlx.core as mx

from app.bench.asking import ask
from app.bench.turns.contestants import Measured, TowerWatch
from app.bench.turns.scenario import BenchTurn
from app.cache.config import CacheConfig
from app.inference.engine import Engine, EngineConfig
from app.inference.prefill import Prefill, chunk_ends
from app.inference.types import CancelToken, ChatRequest


class Ours:
    """Our engine with one kind of prefix cache, or with all caches off (``kind`` ``None``)."""

    def __init__(self, name: str, engine: Engine, watch: TowerWatch, kind: str | None, ssd: bool = False) -> None:
        self.name, self._engine, self._watch, self._kind = name, engine, watch, kind
        self._folder = tempfile.TemporaryDirectory() if ssd else None
        self._configure()
        self._rows: list[Any] = []

    @property
    def caches(self) -> bool:
        """Whether anything is cached."""
        return self._kind is not None

    def ask(self, turn: BenchTurn) -> Measured:
        """Answer and measure one turn."""
        calls = self._watch.calls
        asked = ask(self._engine, turn.messages, use_cache=self._kind is not None)
        stats, encoder_calls = asked.stats, self._watch.calls - calls
        return Measured(asked.ttft, stats.prompt_tokens, stats.reused_tokens, encoder_calls, asked.logprobs, asked.text)

    def floor(self, turn: BenchTurn) -> float:
        """Return the seconds that no cache could save: running the new tokens on a state in place, and one copy of it.

        Must be called before the turn itself, while the caches hold what it can reuse, and only for turns whose images
        are known: a new one would be encoded here, outside the measured time.
        """
        state = self._engine._state(self._engine._loaded(), ChatRequest(turn.messages), CancelToken())
        for _ in state.open(turn.messages):
            pass
        if state.built is None or state.lookup.reused == 0:
            return 0.0
        adapter = self._engine._loaded().adapter
        prefill = Prefill(adapter, state.built.final, state.images.features, state.cache, state.lookup.reused)
        arrays = [layer.keys[..., : state.lookup.reused, :] for layer in state.cache if hasattr(layer, "keys")]
        arrays += [layer.values[..., : state.lookup.reused, :] for layer in state.cache if hasattr(layer, "values")]
        began = time.perf_counter()
        mx.eval([mx.contiguous(array) for array in arrays])
        end = len(state.built.final) - 1
        if state.lookup.reused < end:
            for _ in prefill.run(chunk_ends(state.lookup.reused, end, 512), CancelToken()):
                pass
        mx.eval(mx.argmax(prefill.last_logits()))
        return time.perf_counter() - began

    def restart(self) -> bool:
        """Close all tiers (what is in memory goes to disk) and open them again."""
        if self._folder is None:
            return False
        self._engine.configure(EngineConfig(CacheConfig(ssd_dir=None)))
        self._engine.caches.clear()
        self._configure()
        return True

    def close(self) -> None:
        """Empty the caches of the shared engine."""
        self._engine.configure(EngineConfig(CacheConfig(ssd_dir=None)))
        self._engine.caches.clear()
        if self._folder is not None:
            self._folder.cleanup()

    def _configure(self) -> None:
        folder = Path(self._folder.name) if self._folder else None
        kind: Any = self._kind or "memory"
        self._engine.configure(EngineConfig(CacheConfig(prefix_kind=kind, ssd_dir=folder)))
        self._engine.caches.clear("prefix")
        self._engine.caches.clear("vision")
