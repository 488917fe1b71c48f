"""What the page of models says, in words. No Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Final

from app.inference.hub.curated import Suggestion
from app.inference.hub.download import DownloadState
from app.inference.library.facts import ModelFacts
from app.inference.library.fit import Fit, Verdict
from app.inference.library.uses import Use
from app.settings.fields import for_models
from app.settings.per_model import OwnSettings
from app.ui.messages.words import THIN, count, plural
from app.ui.model_state import model_label
from app.ui.units import size

VERDICTS: Final[dict[Verdict, str]] = {"fits": "Fits", "tight": "Tight", "too_large": "Does not fit"}
DAY: Final = 86_400
MINUTE: Final = 60
HOUR: Final = 3600


@dataclass(frozen=True, slots=True)
class Listed:
    """A model as the page lists it; ``fit`` is missing where it cannot be loaded, ``use`` where it never was.

    ``own`` are the settings that it has of its own.
    """

    facts: ModelFacts
    fit: Fit | None = None
    use: Use | None = None
    own: OwnSettings = field(default_factory=dict)

    @property
    def name(self) -> str:
        """What it is called."""
        return model_label(self.facts.ref)


def what_it_is(model: Listed, now: float) -> str:
    """Return one line about a model; only what is known is said."""
    facts = model.facts
    if facts.problem:
        return size(facts.disk_bytes) + " on disk" if facts.disk_bytes else ""
    parts = [
        _sight(model),
        facts.family,
        f"{facts.quantization}{THIN}bits" if facts.quantization else "",
        f"{count(facts.context_length)} tokens",
        f"{size(facts.disk_bytes)} on disk",
        facts.licence,
        f"used {ago(now - model.use.at)}" if model.use else "never used here",
    ]
    return " · ".join(part for part in parts if part)


def fit_words(fit: Fit) -> str:
    """Return the verdict with its numbers: ``Fits: up to 4.1 GB of 14 GB``."""
    match fit.verdict:
        case "fits":
            numbers = f"up to {size(fit.total)} of {size(fit.available)}"
        case "tight":
            numbers = f"{size(fit.needed)} and up to {size(fit.caches)} for caches, of {size(fit.available)}"
        case _:
            numbers = f"{size(fit.needed)} needed, {size(fit.available)} available"
    return f"{VERDICTS[fit.verdict]}: {numbers}"


def fit_details(fit: Fit, use: Use | None) -> str:
    """Return the parts of the estimate, and what loading really took where that is known."""
    lines = [
        f"Weights: {size(fit.weights)}",
        f"A conversation of {count(fit.tokens)} tokens: {size(fit.state)}",
        f"Looking at a picture: {size(fit.vision)}",
        f"Caches, when full: {size(fit.caches)}",
        f"Longest conversation beside it: {count(fit.tokens_that_fit)} tokens",
    ]
    if use is not None and use.weight_bytes:
        lines.append(f"When it was last loaded, the weights took {size(use.weight_bytes)}")
    return "\n".join(lines)


def room_words(available: int, caches: int) -> str:
    """Return what there is to fit into."""
    return f"{size(available)} of memory can be used for a model here; the caches may fill {size(caches)} of it."


def suggestion_line(suggestion: Suggestion) -> str:
    """Return size, licence and the machine that a suggestion is meant for."""
    machine = f"for computers with {suggestion.memory_gb}{THIN}GB or more"
    return f"about {size(suggestion.size_bytes)} · {suggestion.licence} · {machine}"


def own_words(own: OwnSettings) -> str:
    """Return which settings a model has of its own: ``Of its own: temperature, adapter.``"""
    titles = [setting.title for setting in for_models() if setting.name in own]
    return f"Of its own: {', '.join(title[0].lower() + title[1:] for title in titles)}." if titles else ""


def download_words(state: DownloadState) -> str:
    """Return how far a download is."""
    amount = f"{size(state.done)} of {size(state.total)}" if state.total else ""
    match state.phase:
        case "asking":
            return "Asking what there is…"
        case "running":
            speed = f", {size(state.speed)}/s" if state.speed else ""
            left = state.seconds_left
            return f"{amount}{speed}{f', {duration(left)} left' if left is not None else ''}"
        case "paused":
            return f"Paused at {amount}" if amount else "Paused"
        case "failed":
            return state.sentence
        case "done":
            return f"Complete and checked: {size(state.total)}"
        case _:
            return "Cancelled; nothing was kept"


def duration(seconds: float) -> str:
    """Return about how long: ``40 s``, ``3 min``, ``2 h 10 min``."""
    seconds = math.ceil(seconds)
    if seconds < 90:
        return f"{seconds}{THIN}s"
    minutes = math.ceil(seconds / MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    return f"{hours}{THIN}h {minutes}{THIN}min" if hours else f"{minutes}{THIN}min"


def ago(seconds: float) -> str:
    """Return how long ago: ``just now``, ``3 hours ago``, ``2 days ago``."""
    for unit, noun in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= unit:
            return f"{plural(int(seconds // unit), noun)} ago"
    return "just now"


def _sight(model: Listed) -> str:
    if not model.facts.sees_images:
        return "text only"
    seen = model.use is None or model.use.sees_images
    return "sees images" if seen else "did not tell two pictures apart when it was tried"
