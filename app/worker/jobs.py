"""What the GUI thread asks of the worker thread."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from pathlib import Path

    from app.cache.events import EventBus, Tier
    from app.cache.protocols import CacheOverview
    from app.inference.events import Event, ImageView, ModelInfo, Progress
    from app.inference.holdings import CacheEntry
    from app.inference.library.quantized import Bits
    from app.inference.types import CancelToken, ChatRequest, ImageRef
    from app.worker.backend import EngineOptions


class Caches(Protocol):
    """What the worker needs of the cache stack."""

    def overview(self) -> CacheOverview:
        """Return a consistent overview of all tiers; safe from any thread."""
        ...

    def clear(self, tier: Tier | None = None) -> None:
        """Empty one tier, or all."""
        ...


class EngineLike(Protocol):
    """The engine as the worker sees it; :class:`app.inference.engine.Engine` is the real one."""

    @property
    def caches(self) -> Caches:
        """The cache stack."""
        ...

    @property
    def model(self) -> ModelInfo | None:
        """What is loaded; after a load that failed early, the model that was there before."""
        ...

    @property
    def bus(self) -> EventBus:
        """Where the caches tell what happens."""
        ...

    def load(self, ref: str, on_progress: Callable[[Progress], None], cancel: CancelToken) -> ModelInfo:
        """Load a model in place of the present one."""
        ...

    def generate(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Event]:
        """Answer a question."""
        ...

    def prepare(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Progress]:
        """Do ahead what the question will need."""
        ...

    def preview(self, image: ImageRef) -> ImageView | None:
        """Return how the loaded model sees ``image``; ``None`` where it does not or that is unknown."""
        ...

    def check_image(self, image: ImageRef) -> None:
        """Raise ``UserError`` if the loaded model cannot take ``image``."""
        ...

    def holdings(self) -> list[CacheEntry]:
        """Return what lies in the caches, entry by entry."""
        ...

    def configure(self, config: Any) -> None:
        """Put other budgets and choices into force."""
        ...

    def unload(self) -> None:
        """Let the model go."""
        ...

    def close(self) -> None:
        """Let everything go; the last call, on the thread that made the engine."""
        ...


@dataclass(frozen=True, slots=True)
class Load:
    """Load a model."""

    ref: str
    cancel: CancelToken


@dataclass(frozen=True, slots=True)
class Generate:
    """Answer a question."""

    turn_id: str
    request: ChatRequest
    cancel: CancelToken


@dataclass(frozen=True, slots=True)
class Prepare:
    """Work ahead for a question that may come."""

    request: ChatRequest
    cancel: CancelToken


@dataclass(frozen=True, slots=True)
class Configure:
    """Put other budgets and choices into force."""

    options: EngineOptions


@dataclass(frozen=True, slots=True)
class Clear:
    """Empty one tier, or all."""

    tier: Tier | None


@dataclass(frozen=True, slots=True)
class Measure:
    """Say how the loaded model would see an image, and how much of it is encoded already."""

    image: ImageRef


@dataclass(frozen=True, slots=True)
class ListEntries:
    """Say what lies in the caches, entry by entry."""


@dataclass(frozen=True, slots=True)
class Quantize:
    """Make a copy of a model with fewer bits per weight."""

    ref: str
    target: Path
    bits: Bits
    cancel: CancelToken


@dataclass(frozen=True, slots=True)
class Unload:
    """Let the model go."""


@dataclass(frozen=True, slots=True)
class Close:
    """Let everything go and end the thread."""


Job = Load | Generate | Prepare | Configure | Clear | Measure | ListEntries | Quantize | Unload | Close
CancellableJob = Load | Generate | Prepare | Quantize
