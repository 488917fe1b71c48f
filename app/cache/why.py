"""Why a prompt was not reused, or not further, in words that the person in front of the screen understands."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from app.cache.layers import Group, LayerState
from app.cache.media import MediaSpan, cut_before_span

SALT_FLOOR = 1 << 32
MODEL_CHANGED = "model changed"
NOTHING_STORED = "nothing is stored yet"
NO_SPANS = "the request has image placeholders but does not say which images they are"
TEXT_DIFFERS = "the text differs"
SYSTEM_PROMPT_DIFFERS = "the system prompt differs"
SWITCHED_OFF = "the cache is switched off"
_BLOCKED: dict[Group, str] = {
    "window": "window already moved past this point",
    "recurrent": "this model's state cannot be shortened to this point",
    "opaque": "this model's state cannot be shortened to this point",
}


@dataclass(frozen=True, slots=True)
class Evidence:
    """What a look-up saw.

    Attributes:
        tokens: the salted prompt.
        spans: its images.
        reused: tokens that are reused.
        common: tokens shared with the entry that shares most.
        stored: that entry's tokens; empty where none shares any.
        blocker: the layer that kept a shared prefix from being cut, if one did.
        minimum: the smallest prefix worth reusing.
        model_known: whether anything is stored for this model.
        model_changed: whether only other models' entries are stored.
    """

    tokens: Sequence[int]
    spans: Sequence[MediaSpan] = ()
    reused: int = 0
    common: int = 0
    stored: Sequence[int] = ()
    blocker: LayerState | None = None
    minimum: int = 1
    model_known: bool = True
    model_changed: bool = False


def explain(seen: Evidence) -> str:
    """Return the reason; empty when only the obligatory last token is left to run."""
    if 0 < cut_before_span(len(seen.tokens) - 1, seen.spans) <= seen.reused:
        return ""
    if not seen.model_known:
        return MODEL_CHANGED if seen.model_changed else NOTHING_STORED
    if 0 < seen.common < seen.minimum:
        return f"shorter than the minimum of {seen.minimum:,} tokens"
    if seen.reused < seen.common and seen.reused < len(seen.tokens) - 1:
        cause = _cause_of_cut(seen)
        if cause:
            return _prefixed(seen.common, cause)
    return _prefixed(seen.common, _difference(seen))


def describe_blocker(layer: LayerState) -> str:
    """Return why this layer cannot be cut."""
    for child in getattr(layer, "children", ()):
        if child.group != "full":
            return describe_blocker(child)
    return _BLOCKED.get(layer.group, "the stored state cannot be shortened to this point")


def _prefixed(common: int, cause: str) -> str:
    if not common:
        return cause
    noun = "token matches" if common == 1 else "tokens match"
    if cause == _BLOCKED["window"]:
        return f"window already moved past this point ({common:,} {noun})"
    return f"first {common:,} {noun}; then {cause}"


def _cause_of_cut(seen: Evidence) -> str:
    if seen.blocker is not None:
        return describe_blocker(seen.blocker)
    inside = _image_at(seen, seen.common)
    return f"image {inside} is not shared as a whole" if inside and seen.reused < seen.common else ""


def _difference(seen: Evidence) -> str:
    """Say what stands at the first token that is not shared."""
    image = _image_at(seen, seen.common)
    if image:
        return f"image {image} is new"
    if seen.common < len(seen.stored) and seen.stored[seen.common] >= SALT_FLOOR:
        return "an image was taken away"
    if seen.common == 0:
        return "no stored prompt begins like this one"
    return "the rest is new" if seen.common >= len(seen.stored) else TEXT_DIFFERS


def _image_at(seen: Evidence, position: int) -> int:
    """Return the number (from 1) of the image whose span holds ``position``; 0 for none."""
    number, previous = 0, ""
    for span in sorted(seen.spans, key=lambda s: s.start):
        number += number == 0 or span.digest != previous
        previous = span.digest
        if span.start <= position < span.end:
            return number if span.image is None else span.image + 1
    salted = position < len(seen.tokens) and seen.tokens[position] >= SALT_FLOOR
    return 1 if salted and not seen.spans else 0
