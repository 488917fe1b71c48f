"""Which model there is and how it is, in words for the toolbar."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from app.inference.checkpoint import DEMO, name_of, split
from app.inference.events import ModelInfo, Progress
from app.ui.messages.words import percent, tokens
from app.ui.sentences import translated
from app.ui.translation import translate
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
            return shown_name(self.info.ref, self.info.name)
        return model_label(self.ref) if self.ref else translate("ModelState", "No model")

    @property
    def words(self) -> str:
        """How it is, in a word or two."""
        if self.phase == "loading":
            share = _share(self.progress)
            loading = translate("ModelState", "Loading {percent}").format(percent=share)
            return loading if share else translate("ModelState", "Loading")
        if self.phase == "ready" and self.info is not None:
            return translate("ModelState", "Ready on {device}").format(device=self.info.device)
        return translate("ModelState", "Not loaded")

    @property
    def no_thoughts(self) -> str:
        """Why the model cannot go on with another's thought; empty where it can, or is not known yet."""
        if self.phase != "ready" or self.info is None or self.info.thinks:
            return ""
        sentence = translate("ModelState", "{name} does not think, so this thought cannot be gone on with.")
        return sentence.format(name=self.name)

    @property
    def details(self) -> str:
        """Everything known about it, for a tooltip."""
        if self.phase == "failed":
            return translated(self.failure)
        if self.info is None or self.phase != "ready":
            return self.words
        context = translate("ModelState", "Context: {tokens}").format(tokens=tokens(self.info.context_length))
        lines = [f"{self.name} ({self.info.family})", context]
        if self.info.weight_bytes:
            lines.append(translate("ModelState", "Weights: {size}").format(size=size(self.info.weight_bytes)))
        blind = translate("ModelState", "Text only: images cannot be used")
        lines.append(translate("ModelState", "Sees images") if self.info.sees_images else blind)
        return "\n".join([*lines, *map(translated, self.info.notes)])


def model_label(ref: str) -> str:
    """Return a short name for a reference: a folder's or repository's own name."""
    return shown_name(ref, name_of(ref))


def shown_name(ref: str, name: str) -> str:
    """Return a model's ``name`` as it is shown: that of the demo model is a word of ours."""
    ours = name_of(DEMO)
    is_ours = split(ref)[0] == DEMO and name.startswith(ours)
    return translate("ModelState", "Demo model") + name.removeprefix(ours) if is_ours else name


def _share(progress: Progress | None) -> str:
    return percent(progress.done, progress.total) if progress is not None and progress.total > 0 else ""
