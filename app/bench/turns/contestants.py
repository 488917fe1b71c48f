"""What every contestant does, and how its calls of the vision tower are counted."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from app.bench.turns.scenario import BenchTurn

Logprobs = npt.NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class Measured:
    """One turn of one contestant: seconds, what it reports (``None``: it does not), the first token's ``logprobs``.

    ``text`` is that of the first two tokens, for contestants that tell no ``logprobs``.
    """

    ttft: float
    prompt_tokens: int
    reused: int | None
    encoder_calls: int | None
    logprobs: Logprobs | None = field(repr=False)
    text: str = ""


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
