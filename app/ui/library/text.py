"""What the page of models says, in words."""

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
from app.ui.messages.words import THIN, count, listed, tokens, whole_minutes, whole_seconds
from app.ui.model_state import model_label
from app.ui.preferences.words import in_words
from app.ui.sentences import translated
from app.ui.translation import QT_TRANSLATE_NOOP, translate
from app.ui.units import ago, size

_VERDICTS: Final[dict[Verdict, str]] = {
    "fits": QT_TRANSLATE_NOOP("Library", "Fits: up to {total} of {available}"),
    "tight": QT_TRANSLATE_NOOP("Library", "Tight: {needed} and up to {caches} for caches, of {available}"),
    "too_large": QT_TRANSLATE_NOOP("Library", "Does not fit: {needed} needed, {available} available"),
}
MINUTE: Final = 60


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
        return _on_disk(facts.disk_bytes) if facts.disk_bytes else ""
    parts = [
        _sight(model),
        facts.family,
        bits_words(facts.quantization) if facts.quantization else "",
        tokens(facts.context_length),
        _on_disk(facts.disk_bytes),
        facts.licence,
        _last_use(model, now),
    ]
    return " · ".join(part for part in parts if part)


def fit_words(fit: Fit) -> str:
    """Return the verdict with its numbers: ``Fits: up to 4.1 GB of 14 GB``."""
    return translate("Library", _VERDICTS[fit.verdict]).format(
        total=size(fit.total), needed=size(fit.needed), caches=size(fit.caches), available=size(fit.available)
    )


def fit_details(fit: Fit, use: Use | None) -> str:
    """Return the parts of the estimate, and what loading really took where that is known."""
    lines = [
        translate("Library", "Weights: {weights}"),
        translate("Library", "A conversation of {tokens}: {state}"),
        translate("Library", "Looking at a picture: {vision}"),
        translate("Library", "Caches, when full: {caches}"),
        translate("Library", "Longest conversation beside it: {longest}"),
    ]
    taken = use.weight_bytes if use is not None else 0
    if taken:
        lines.append(translate("Library", "When it was last loaded, the weights took {taken}"))
    return "\n".join(lines).format(
        weights=size(fit.weights),
        tokens=tokens(fit.tokens),
        state=size(fit.state),
        vision=size(fit.vision),
        caches=size(fit.caches),
        longest=tokens(fit.tokens_that_fit),
        taken=size(taken),
    )


def room_words(available: int, caches: int) -> str:
    """Return what there is to fit into."""
    words = translate(
        "Library", "{available} of memory can be used for a model here; the caches may fill {caches} of it."
    )
    return words.format(available=size(available), caches=size(caches))


def suggestion_line(suggestion: Suggestion) -> str:
    """Return size, licence and the machine that a suggestion is meant for."""
    words = translate("Library", "about {size} · {licence} · for computers with {memory} or more")
    memory = f"{count(suggestion.memory_gb)}{THIN}GB"
    return words.format(size=size(suggestion.size_bytes), licence=suggestion.licence, memory=memory)


def own_words(own: OwnSettings) -> str:
    """Return which settings a model has of its own: ``Of its own: temperature, adapter.``"""
    titles = [in_words(setting).title for setting in for_models() if setting.name in own]
    return translate("Library", "Of its own: {settings}.").format(settings=listed(titles)) if titles else ""


def download_words(state: DownloadState) -> str:
    """Return how far a download is."""
    match state.phase:
        case "asking":
            return translate("Library", "Asking what there is…")
        case "running":
            return _how_far(state)
        case "paused":
            paused = translate("Library", "Paused at {amount}").format(amount=_amount(state))
            return paused if state.total else translate("Library", "Paused")
        case "failed":
            return translated(state.sentence)
        case "done":
            return translate("Library", "Complete and checked: {size}").format(size=size(state.total))
        case _:
            return translate("Library", "Cancelled; nothing was kept")


def _how_far(state: DownloadState) -> str:
    parts = [_amount(state)] if state.total else []
    if state.speed:
        parts.append(translate("Library", "{size}/s").format(size=size(state.speed)))
    if (left := state.seconds_left) is not None:
        parts.append(translate("Library", "{duration} left").format(duration=duration(left)))
    return listed(parts)


def _amount(state: DownloadState) -> str:
    return translate("Library", "{done} of {total}").format(done=size(state.done), total=size(state.total))


def duration(seconds: float) -> str:
    """Return about how long: ``40 s``, ``3 min``, ``2 h 10 min``."""
    seconds = math.ceil(seconds)
    if seconds < 90:
        return whole_seconds(count(seconds))
    minutes = math.ceil(seconds / MINUTE)
    hours, minutes = divmod(minutes, MINUTE)
    if not hours:
        return whole_minutes(count(minutes))
    return translate("Library", "{hours}\u202fh {minutes}\u202fmin").format(hours=count(hours), minutes=minutes)


def bits_words(bits: int) -> str:
    """Return the size of a weight: ``4 bits``."""
    return translate("Library", "%Ln\u202fbit(s)", None, bits)


def _on_disk(nbytes: int) -> str:
    return translate("Library", "{size} on disk").format(size=size(nbytes))


def _last_use(model: Listed, now: float) -> str:
    if model.use is None:
        return translate("Library", "never used here")
    return translate("Library", "used {ago}").format(ago=ago(now - model.use.at))


def _sight(model: Listed) -> str:
    if not model.facts.sees_images:
        return translate("Library", "text only")
    seen = model.use is None or model.use.sees_images
    blind = translate("Library", "did not tell two pictures apart when it was tried")
    return translate("Library", "sees images") if seen else blind
