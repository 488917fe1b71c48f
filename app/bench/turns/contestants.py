"""Who takes part: ours in each kind, and mlx-vlm with each of its own options, used as its documentation says."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

import mlx.core as mx
import numpy as np
import numpy.typing as npt

from app.bench.turns.scenario import BenchTurn
from app.cache.config import CacheConfig
from app.inference.engine import Engine, EngineConfig
from app.inference.events import Finished, TextDelta
from app.inference.prefill import Prefill, chunk_ends
from app.inference.types import CancelToken, ChatRequest, SamplingParams

Logprobs = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Measured:
    """One turn of one contestant. Seconds; ``reused`` as the contestant reports it; ``logprobs`` of the first token."""

    ttft: float
    prompt_tokens: int
    reused: int
    encoder_calls: int
    logprobs: Logprobs = field(repr=False)


class Contestant(Protocol):
    """Answers turns in order, remembering what it likes."""

    name: str

    def ask(self, turn: BenchTurn) -> Measured:
        """Answer and measure one turn."""
        ...

    def restart(self) -> bool:
        """Forget everything but what is on disk; ``False`` if nothing would be left."""
        ...

    def close(self) -> None:
        """Let everything go."""
        ...


class TowerWatch:
    """Counts forward calls of a model's vision tower; modules are looked up on the type, so the type is wrapped."""

    def __init__(self, model: Any) -> None:
        self.calls = 0
        self._tower = getattr(model, "vision_tower", None) or getattr(model, "vision_model", None)

    @contextmanager
    def watching(self) -> Iterator[TowerWatch]:
        """Count inside the ``with`` block."""
        kind = type(self._tower)
        original = kind.__call__

        def counted(module: Any, *arguments: Any, **keywords: Any) -> Any:
            self.calls += module is self._tower
            return original(module, *arguments, **keywords)

        kind.__call__ = counted  # type: ignore[method-assign]
        try:
            yield self
        finally:
            kind.__call__ = original  # type: ignore[method-assign]


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
        sampling = SamplingParams(max_tokens=2)
        request = ChatRequest(turn.messages, sampling, use_cache=self._kind is not None)
        rows: list[mx.array] = []
        with _rows_of(self._engine, rows):
            began, first = time.perf_counter(), 0.0
            for event in self._engine.generate(request):
                if isinstance(event, TextDelta | Finished) and not first:
                    first = time.perf_counter() - began
        assert isinstance(event, Finished)
        logits = rows[-2] if len(rows) > 1 else rows[-1]
        stats = event.stats
        return Measured(
            stats.ttft_ms / 1000 or first, stats.prompt_tokens, stats.reused_tokens,
            self._watch.calls - calls, np.array(logits - mx.logsumexp(logits)),
        )  # fmt: skip

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


@contextmanager
def _rows_of(engine: Engine, rows: list[mx.array]) -> Iterator[None]:
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


class Peer:
    """mlx-vlm's ``stream_generate`` on the same model object, with one of its own caching options."""

    def __init__(
        self, name: str, model: Any, processor: Any, watch: TowerWatch, options: Callable[[Path], dict[str, Any]]
    ) -> None:
        self.name, self._model, self._processor, self._watch = name, model, processor, watch
        self._folder = tempfile.TemporaryDirectory()
        self._make = options
        self._options = options(Path(self._folder.name))

    def ask(self, turn: BenchTurn) -> Measured:
        """Answer and measure one turn."""
        from mlx_vlm.generate import stream_generate

        prompt, images = self._prompt(turn), [image.load() for image in turn.images]
        calls, began = self._watch.calls, time.perf_counter()
        stream = stream_generate(
            self._model, self._processor, prompt, image=images, max_tokens=2, temperature=0.0, **self._options
        )
        first = next(stream)
        ttft = time.perf_counter() - began
        encoder_calls = self._watch.calls - calls
        for _ in stream:  # lets the library store what it stores, outside the measured time
            pass
        reused = int(getattr(first, "cached_tokens", 0) or 0)
        return Measured(ttft, int(first.prompt_tokens), reused, encoder_calls, np.array(first.logprobs).reshape(-1))

    def restart(self) -> bool:
        """Close the library's disk cache and open it again, where there is one."""
        if not self._close_manager():
            return False
        self._options = self._make(Path(self._folder.name))
        return True

    def close(self) -> None:
        """Let everything go."""
        self._close_manager()
        self._folder.cleanup()

    def _close_manager(self) -> bool:
        manager = self._options.get("apc_manager")
        if manager is not None:
            manager.close()
        return manager is not None and self.name.endswith("disk")

    def _prompt(self, turn: BenchTurn) -> Any:
        from mlx_vlm.prompt_utils import apply_chat_template

        messages = [
            {
                "role": message.role,
                "content": [{"type": "image"} for _ in message.images] + [{"type": "text", "text": message.text}]
                if message.images
                else message.text,
            }
            for message in turn.messages
        ]
        return apply_chat_template(self._processor, self._model.config, messages, num_images=len(turn.images))


def peer_options() -> dict[str, Callable[[Path], dict[str, Any]]]:
    """Return mlx-vlm's options by contestant name, each as its documentation configures it."""

    def apc(folder: Path, *, disk: bool) -> dict[str, Any]:
        from mlx_vlm import apc as library

        overrides = {"enabled": True, "disk_enabled": disk, "disk_path": str(folder)}
        return {"apc_manager": library.from_env("bench", overrides=overrides)}

    def features(_folder: Path) -> dict[str, Any]:
        from mlx_vlm.vision_cache import VisionFeatureCache

        return {"vision_cache": VisionFeatureCache()}

    def state(folder: Path) -> dict[str, Any]:
        from mlx_vlm.generate import PromptCacheState

        return {**features(folder), "prompt_cache_state": PromptCacheState()}

    return {
        "mlx-vlm": lambda _folder: {},
        "mlx-vlm VisionFeatureCache": features,
        "mlx-vlm PromptCacheState": state,
        "mlx-vlm APC memory": lambda folder: apc(folder, disk=False),
        "mlx-vlm APC disk": lambda folder: apc(folder, disk=True),
    }
