"""mlx-vlm with each of its own caching options, used as its documentation says."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from app.bench.turns.contestants import Measured, TowerWatch
from app.bench.turns.scenario import BenchTurn


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
