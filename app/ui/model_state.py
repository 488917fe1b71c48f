"""Which model there is and how it is, in words for the toolbar. No Qt."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.inference.checkpoint import name_of
from app.inference.events import ModelInfo, Progress
from app.ui.messages.words import percent
from app.ui.units import size

Phase = Literal["none", "loading", "ready", "failed"]


@dataclass(frozen=True, slots=True)
class ModelState:
    """The model named by ``ref`` and the phase it is in."""

    ref: str = ""
    phase: Phase = "none"
    info: ModelInfo | None = None
    progress: Progress | None = None
    failure: str = ""

    @property
    def name(self) -> str:
        """What the model is called."""
        if self.info is not None and self.phase == "ready":
            return self.info.name
        return model_label(self.ref) if self.ref else "No model"

    @property
    def words(self) -> str:
        """How it is, in a word or two."""
        if self.phase == "loading":
            return f"Loading {_share(self.progress)}".strip()
        if self.phase == "ready" and self.info is not None:
            return f"Ready on {self.info.device}"
        return "Not loaded"

    @property
    def details(self) -> str:
        """Everything known about it, for a tooltip."""
        if self.phase == "failed":
            return self.failure
        if self.info is None or self.phase != "ready":
            return self.words
        lines = [f"{self.info.name} ({self.info.family})", f"Context: {self.info.context_length:,} tokens"]
        if self.info.weight_bytes:
            lines.append(f"Weights: {size(self.info.weight_bytes)}")
        lines.append("Sees images" if self.info.sees_images else "Text only: images cannot be used")
        return "\n".join([*lines, *self.info.notes])


def model_label(ref: str) -> str:
    """Return a short name for a reference: a folder's or repository's own name."""
    return name_of(ref)


def _share(progress: Progress | None) -> str:
    return percent(progress.done, progress.total) if progress is not None and progress.total > 0 else ""
