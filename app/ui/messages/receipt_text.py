"""The receipt of an answer in words and numbers: what was reused, what was run, and why. No Qt.

Everything is taken from ``TurnStats.to_dict()``, also from an older or shorter one: a missing figure is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.ui.messages.words import count, plural, rate, seconds, sentence

SegmentKind = Literal["memory", "disk", "run"]
DetailKind = Literal["time", "image", "fact"]

_NEGLIGIBLE_MS = 1.0
_NOTHING_LOST = "then the rest is new"
"""The reason of every ordinary follow-up question; in the sentence it would be noise."""
_PLACES: dict[SegmentKind, str] = {"memory": "Reused from memory", "disk": "Restored from disk", "run": "Run now"}
_TERMS: dict[SegmentKind, str] = {
    "memory": "prefix hit in memory",
    "disk": "prefix hit on the SSD tier",
    "run": "prefill",
}


@dataclass(frozen=True, slots=True)
class Segment:
    """A piece of the bar: ``tokens`` of the prompt that came from one place, and the words for it."""

    kind: SegmentKind
    tokens: int
    label: str


@dataclass(frozen=True, slots=True)
class ImageTick:
    """What was done for one image; ``tiles_run`` of ``tiles`` went through the encoder."""

    digest: str
    skipped: bool
    tiles: int
    tiles_run: int
    label: str


@dataclass(frozen=True, slots=True)
class Detail:
    """One line of the opened receipt. ``share`` is the part of the time to first token, where it is a time.

    ``term`` is the field's own word for it, for the tooltip.
    """

    kind: DetailKind
    label: str
    value: str
    term: str = ""
    share: float | None = None


@dataclass(frozen=True, slots=True)
class Receipt:
    """What stands under an answer: the sentence, the bar, a tick per image, and the lines behind a click.

    ``total`` is the prompt's length in tokens; the segments add up to less where the answer was stopped before.
    """

    sentence: str
    segments: tuple[Segment, ...]
    ticks: tuple[ImageTick, ...]
    details: tuple[Detail, ...]
    total: int = 0


@dataclass(frozen=True, slots=True)
class _Image:
    digest: str
    skipped: bool
    tiles: int
    tiles_run: int
    saved: float
    tokens: int

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> _Image:
        skipped = bool(data.get("skipped"))
        tiles = max(1, int(data.get("tiles", 1)))
        run = 0 if skipped else int(data.get("tiles_run", 0)) or tiles
        saved = float(data.get("seconds_saved", 0.0))
        return cls(str(data.get("digest", "")), skipped, tiles, run, saved, int(data.get("tokens", 0)))

    @property
    def partly(self) -> bool:
        return 0 < self.tiles_run < self.tiles


def receipt(stats: Mapping[str, Any]) -> Receipt:
    """Return the receipt for ``stats``, which is ``TurnStats.to_dict()``."""
    images = tuple(_Image.of(data) for data in stats.get("images", ()))
    pieces = (
        _images_sentence(images, stats),
        _tokens_sentence(stats),
        _evictions_sentence(stats),
        _speed_sentence(stats),
    )
    return Receipt(
        sentence=" ".join(piece for piece in pieces if piece),
        segments=_segments(stats),
        ticks=tuple(_tick(number, image, len(images)) for number, image in enumerate(images, 1)),
        details=(*_times(stats), *_image_details(images), *_facts(stats)),
        total=_number(stats, "prompt_tokens"),
    )


def _number(stats: Mapping[str, Any], key: str) -> int:
    return int(stats.get(key) or 0)


def _milliseconds(stats: Mapping[str, Any], key: str) -> float:
    return float(stats.get(key) or 0.0)


def _saved(images: tuple[_Image, ...]) -> str:
    saved = sum(image.saved for image in images)
    return f" (saved {seconds(saved)})" if saved > 0 else ""


def _images_sentence(images: tuple[_Image, ...], stats: Mapping[str, Any]) -> str:
    if not images:
        return ""
    known = [image for image in images if image.skipped]
    fresh = [image for image in images if not image.skipped]
    if not fresh:
        subject = "Image" if len(images) == 1 else plural(len(images), "image")
        return f"{subject} seen before: encoder skipped{_saved(images)}."
    took = f"encoded in {seconds(_milliseconds(stats, 'encode_ms') / 1000)}"
    if known:
        tiles = _tiles_seen(fresh)
        rest = f"{len(fresh)} {took}{f' ({tiles})' if tiles else ''}"
        return f"{len(known)} of {len(images)} images seen before{_saved(images)}; {rest}."
    if tiles := _tiles_seen(fresh):
        return f"{tiles}{_saved(images)}; {sum(image.tiles_run for image in fresh)} {took}."
    return f"New image: {took}." if len(fresh) == 1 else f"{len(fresh)} new images: {took}."


def _tiles_seen(images: list[_Image]) -> str:
    if not any(image.partly for image in images):
        return ""
    tiles = sum(image.tiles for image in images)
    return f"{tiles - sum(image.tiles_run for image in images)} of {tiles} tiles seen before"


def _tokens_sentence(stats: Mapping[str, Any]) -> str:
    prompt, reused, run = _number(stats, "prompt_tokens"), _number(stats, "reused_tokens"), _run(stats)
    why = str(stats.get("why") or "").strip().rstrip(".")
    if not prompt:
        return sentence(why)
    if not reused:
        return f"Nothing reused{f': {why}' if why else ''}. {_run_now(prompt, run)}"
    head = f"{count(reused)} of {plural(prompt, 'prompt token')} {_came_from(stats)}"
    if why.startswith("first ") and "; " in why:
        cause = why.split("; ", 1)[1]
        return sentence(head if cause == _NOTHING_LOST else f"{head}; {cause}")
    return f"{head}. {sentence(why)}".rstrip()


def _run_now(prompt: int, run: int) -> str:
    if run < prompt:
        return f"{count(run)} of {plural(prompt, 'prompt token')} run before the stop."
    return "1 prompt token run now." if prompt == 1 else f"All {count(prompt)} prompt tokens run now."


def _run(stats: Mapping[str, Any]) -> int:
    """Return the prompt tokens that were run; fewer than were to be, where the answer was stopped."""
    left = max(0, _number(stats, "prompt_tokens") - _number(stats, "reused_tokens"))
    return min(left, _number(stats, "prefilled_tokens")) if "prefilled_tokens" in stats else left


def _from_disk(stats: Mapping[str, Any]) -> int:
    reused = _number(stats, "reused_tokens")
    if stats.get("source") == "disk" and not _number(stats, "reused_from_disk"):
        return reused
    return min(reused, _number(stats, "reused_from_disk"))


def _came_from(stats: Mapping[str, Any]) -> str:
    reused, disk = _number(stats, "reused_tokens"), _from_disk(stats)
    if disk == reused:
        return "restored from disk"
    return f"reused ({count(disk)} from disk)" if disk else "reused"


def _evictions_sentence(stats: Mapping[str, Any]) -> str:
    evictions = _number(stats, "evictions")
    return f"{plural(evictions, 'cache entry', 'cache entries')} evicted." if evictions else ""


def _speed_sentence(stats: Mapping[str, Any]) -> str:
    if not _number(stats, "generated_tokens"):
        return ""
    speed = _milliseconds(stats, "decode_tps")
    first = f"First token after {seconds(_milliseconds(stats, 'ttft_ms') / 1000)}"
    return f"{first}, {rate(speed)}." if speed > 0 else f"{first}."


def _segments(stats: Mapping[str, Any]) -> tuple[Segment, ...]:
    disk = _from_disk(stats)
    memory, run = max(0, _number(stats, "reused_tokens") - disk), _run(stats)
    segments = (
        Segment("memory", memory, f"{plural(memory, 'token')} from memory"),
        Segment("disk", disk, f"{plural(disk, 'token')} from disk"),
        Segment("run", run, f"{plural(run, 'token')} run now"),
    )
    return tuple(segment for segment in segments if segment.tokens)


def _tick(number: int, image: _Image, of: int) -> ImageTick:
    subject = "Image" if of == 1 else f"Image {number}"
    return ImageTick(image.digest, image.skipped, image.tiles, image.tiles_run, f"{subject}: {_what_was_done(image)}")


def _what_was_done(image: _Image) -> str:
    if image.skipped:
        return "seen before, encoder skipped"
    if image.partly:
        return f"{image.tiles - image.tiles_run} of {image.tiles} tiles seen before, {image.tiles_run} encoded now"
    return "new, encoded now" if image.tiles == 1 else f"new, {image.tiles} tiles encoded now"


def _image_details(images: tuple[_Image, ...]) -> tuple[Detail, ...]:
    details = []
    for number, image in enumerate(images, 1):
        value = _what_was_done(image)
        if image.tokens:
            value += f" · {plural(image.tokens, 'token')}"
        if image.saved > 0:
            value += f" · saved {seconds(image.saved)}"
        term = "vision encoder skipped" if image.skipped else "vision encoder run"
        details.append(Detail("image", "Image" if len(images) == 1 else f"Image {number}", value, term))
    return tuple(details)


def _times(stats: Mapping[str, Any]) -> tuple[Detail, ...]:
    total = _milliseconds(stats, "ttft_ms")
    if total <= 0:
        return ()
    parts = [
        ("Encoding images", "encode_ms", "vision encoder"),
        ("Restoring what was known", "restore_ms", "prefix hit, copied into place"),
        ("Reading the rest of the prompt", "prefill_ms", "prefill"),
    ]
    rows = [(label, _milliseconds(stats, key), term) for label, key, term in parts]
    rest = total - sum(value for _, value, _ in rows)
    rows.append(("Everything else", rest, "chat template, tokenizing, first token"))
    split = [
        Detail("time", label, seconds(value / 1000), term, min(1.0, value / total))
        for label, value, term in rows
        if value >= _NEGLIGIBLE_MS
    ]
    return (Detail("time", "Time to first token", seconds(total / 1000), "TTFT", 1.0), *split)


def _facts(stats: Mapping[str, Any]) -> tuple[Detail, ...]:
    evictions = _number(stats, "evictions")
    facts = [
        Detail("fact", _PLACES[segment.kind], plural(segment.tokens, "prompt token"), _TERMS[segment.kind])
        for segment in _segments(stats)
    ]
    if why := str(stats.get("why") or ""):
        facts.append(Detail("fact", "Why not more", sentence(why), "prefix miss"))
    if generated := _number(stats, "generated_tokens"):
        speed = rate(_milliseconds(stats, "decode_tps"))
        facts.append(Detail("fact", "Answer", f"{plural(generated, 'token')}, {speed}", "decode"))
    evicted = plural(evictions, "cache entry", "cache entries") if evictions else "Nothing"
    facts.append(Detail("fact", "Evicted", evicted, "eviction"))
    return tuple(facts)
