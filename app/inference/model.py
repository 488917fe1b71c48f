"""A loaded model with everything that follows from it once: prompt builder, stop ids, limits, identity."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from app.inference.events import ModelInfo
from app.inference.families.base import FamilyAdapter
from app.inference.images import TileDigests
from app.inference.prompt import PromptBuilder
from app.inference.state_size import StateSize
from app.inference.streaming import THINK_OPEN


@dataclass
class LoadedModel:
    """What the engine holds while a model is loaded.

    Attributes:
        snapshots_only: some layer cannot be cut at an arbitrary token, so state is also kept at likely branch points.
        thinks: it marks its reasoning with tags.
        size: what its state takes in memory.
    """

    adapter: FamilyAdapter
    info: ModelInfo
    builder: PromptBuilder
    stop_ids: frozenset[int]
    snapshots_only: bool
    thinks: bool
    size: StateSize
    tiles: TileDigests = field(default_factory=TileDigests)

    @property
    def placeholder_id(self) -> int:
        """The id under image spans; -1 where the model takes no images."""
        return self.adapter.placeholder_id if self.adapter.sees_images and not self.adapter.opaque else -1

    @property
    def tokenizer(self) -> Any:
        """The Hugging Face tokenizer."""
        return self.adapter.tokenizer


def stop_ids(adapter: FamilyAdapter) -> frozenset[int]:
    """Return the ids that end an answer: those of the configuration and the tokenizer's own."""
    declared = adapter.config.get("eos_token_id")
    ids = [declared] if isinstance(declared, int) else list(declared or ())
    own = adapter.tokenizer.eos_token_id
    return frozenset(int(i) for i in [*ids, *([own] if own is not None else [])])


def cuts_anywhere(adapter: FamilyAdapter) -> bool:
    """Whether every layer's state can be cut at any token; sliding windows and recurrent state cannot."""
    if adapter.reuse == "boundaries":
        return False
    layers = adapter.make_cache()
    return all(layer.is_trimmable() and not hasattr(layer, "max_size") for layer in layers)


def marks_thinking(adapter: FamilyAdapter) -> bool:
    """Whether the model sets its reasoning apart with tags."""
    return THINK_OPEN in adapter.tokenizer.get_vocab()
