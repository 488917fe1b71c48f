"""The receipt of an answer in words and numbers: what was reused, what was run, and why.

Everything is taken from ``TurnStats.to_dict()``, also from an older or shorter one: a missing figure is left out.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

from app.ui.messages.words import count, listed, prompt_tokens, rate, seconds, sentence, together, tokens
from app.ui.sentences import translated
from app.ui.translation import QT_TRANSLATE_NOOP, translate

SegmentKind = Literal["memory", "disk", "run"]
DetailKind = Literal["time", "image", "fact"]

_NEGLIGIBLE_MS = 1.0
_NOTHING_LOST = "then the rest is new"
"""The reason of every ordinary follow-up question; in the sentence it would be noise."""
_PLACES: dict[SegmentKind, str] = {
    "memory": QT_TRANSLATE_NOOP("Receipt", "Reused from memory"),
    "disk": QT_TRANSLATE_NOOP("Receipt", "Restored from disk"),
    "run": QT_TRANSLATE_NOOP("Receipt", "Run now"),
}
_TERMS: dict[SegmentKind, str] = {
    "memory": QT_TRANSLATE_NOOP("Receipt", "prefix hit in memory"),
    "disk": QT_TRANSLATE_NOOP("Receipt", "prefix hit on the SSD tier"),
    "run": QT_TRANSLATE_NOOP("Receipt", "prefill"),
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

    ``term`` is the field's own word for it, for the tooltip; ``place`` where the tokens came from, if they are such.
    """

    kind: DetailKind
    label: str
    value: str
    term: str = ""
    share: float | None = None
    place: SegmentKind | None = None


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
    ahead: int
    saved: float
    tokens: int

    @classmethod
    def of(cls, data: Mapping[str, Any]) -> _Image:
        skipped = bool(data.get("skipped"))
        tiles = max(1, int(data.get("tiles", 1)))
        run = 0 if skipped else int(data.get("tiles_run", 0)) or tiles
        ahead = min(int(data.get("tiles_ahead", 0)), tiles - run)
        saved = float(data.get("seconds_saved", 0.0)) * (1 - ahead / tiles)
        return cls(str(data.get("digest", "")), skipped, tiles, run, ahead, saved, int(data.get("tokens", 0)))

    @property
    def new(self) -> int:
        """How many of its tiles were not known before the question was begun."""
        return self.tiles_run + self.ahead

    @property
    def partly(self) -> bool:
        return 0 < self.new < self.tiles


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
        sentence=together(sentence(piece) for piece in pieces if piece),
        segments=_segments(stats),
        ticks=tuple(_tick(number, image, len(images)) for number, image in enumerate(images, 1)),
        details=(*_times(stats), *_image_details(images), *_facts(stats)),
        total=_number(stats, "prompt_tokens"),
    )


def _number(stats: Mapping[str, Any], key: str) -> int:
    return int(stats.get(key) or 0)


def _milliseconds(stats: Mapping[str, Any], key: str) -> float:
    return float(stats.get(key) or 0.0)


def _with_saved(words: str, images: tuple[_Image, ...]) -> str:
    saved = sum(image.saved for image in images)
    both = translate("Receipt", "{words} (saved {seconds})").format(words=words, seconds=seconds(saved))
    return both if saved > 0 else words


def _images_sentence(images: tuple[_Image, ...], stats: Mapping[str, Any]) -> str:
    fresh = [image for image in images if image.new]
    known = len(images) - len(fresh)
    if not images:
        return ""
    if any(image.ahead for image in images):
        return _ahead_sentence(images, stats)
    if not fresh:
        skipped = translate("Receipt", "%Ln image(s) seen before: encoder skipped", None, known)
        return _with_saved(skipped, images)
    took, tiles = seconds(_milliseconds(stats, "encode_ms") / 1000), _tiles_seen(fresh)
    if known:
        first = translate("Receipt", "{known} of %Ln image(s) seen before", None, len(images)).format(known=known)
        rest = _encoded(len(fresh), took)
        rest = translate("Receipt", "{words} ({tiles})").format(words=rest, tiles=tiles) if tiles else rest
        return _both(_with_saved(first, images), rest)
    if tiles:
        return _both(_with_saved(tiles, images), _encoded(sum(image.tiles_run for image in fresh), took))
    return translate("Receipt", "%Ln new image(s): encoded in {seconds}", None, len(fresh)).format(seconds=took)


def _ahead_sentence(images: tuple[_Image, ...], stats: Mapping[str, Any]) -> str:
    """Say of images that were looked at while the user typed that they are no more known than others."""
    new = [image for image in images if image.new]
    ahead, run = [image for image in new if image.ahead], [image for image in new if image.tiles_run]
    tiles = _tiles_seen(new)
    if len(new) < len(images):
        seen = translate("Receipt", "{known} of %Ln image(s) seen before", None, len(images))
        first = _with_saved(seen.format(known=len(images) - len(new)), images)
        rest = translate("Receipt", "%Ln encoded while you typed", None, len(ahead))
        rest = translate("Receipt", "{words} ({tiles})").format(words=rest, tiles=tiles) if tiles else rest
    elif tiles:
        first = _with_saved(tiles, images)
        rest = translate("Receipt", "%Ln encoded while you typed", None, sum(image.ahead for image in ahead))
    else:
        first, rest = translate("Receipt", "%Ln image(s) encoded while you typed", None, len(ahead)), ""
    both = _both(first, rest) if rest else first
    if not run:
        return both
    took = seconds(_milliseconds(stats, "encode_ms") / 1000)
    return _both(both, _encoded(sum(image.tiles_run for image in run) if tiles else len(run), took))


def _both(first: str, second: str) -> str:
    return translate("Receipt", "{first}; {second}").format(first=first, second=second)


def _encoded(number: int, took: str) -> str:
    return translate("Receipt", "%Ln encoded in {seconds}", None, number).format(seconds=took)


def _tiles_seen(images: list[_Image]) -> str:
    if not any(image.partly for image in images):
        return ""
    tiles = sum(image.tiles for image in images)
    seen = tiles - sum(image.new for image in images)
    return translate("Receipt", "{seen} of %Ln tile(s) seen before", None, tiles).format(seen=seen)


def _tokens_sentence(stats: Mapping[str, Any]) -> str:
    prompt, reused, run = _number(stats, "prompt_tokens"), _number(stats, "reused_tokens"), _run(stats)
    why = str(stats.get("why") or "").strip().rstrip(".")
    if not prompt:
        return translated(why)
    if not reused:
        because = translate("Receipt", "Nothing reused: {why}").format(why=translated(why))
        nothing = because if why else translate("Receipt", "Nothing reused")
        return together([sentence(nothing), _run_now(prompt, run)])
    head = _reused(stats)
    if why.startswith("first ") and "; " in why:
        cause = why.split("; ", 1)[1]
        return head if cause == _NOTHING_LOST else _both(head, _cause(cause))
    return together([sentence(head), sentence(translated(why))]) if why else head


def _cause(words: str) -> str:
    """Return what follows upon the tokens that match."""
    return translate("Receipt", "then {cause}").format(cause=translated(words.removeprefix("then ")))


def _run_now(prompt: int, run: int) -> str:
    if run < prompt:
        words = translate("Receipt", "{run} of {tokens} run before the stop")
        return words.format(run=count(run), tokens=prompt_tokens(prompt))
    return translate("Receipt", "All %Ln prompt token(s) run now", None, prompt)


def _run(stats: Mapping[str, Any]) -> int:
    """Return the prompt tokens that were run; fewer than were to be, where the answer was stopped."""
    left = max(0, _number(stats, "prompt_tokens") - _number(stats, "reused_tokens"))
    return min(left, _number(stats, "prefilled_tokens")) if "prefilled_tokens" in stats else left


def _from_disk(stats: Mapping[str, Any]) -> int:
    reused = _number(stats, "reused_tokens")
    if stats.get("source") == "disk" and not _number(stats, "reused_from_disk"):
        return reused
    return min(reused, _number(stats, "reused_from_disk"))


def _reused(stats: Mapping[str, Any]) -> str:
    reused, disk, ahead = _number(stats, "reused_tokens"), _from_disk(stats), 0
    if disk == reused:
        words = translate("Receipt", "{reused} of {tokens} restored from disk")
    elif disk:
        words = translate("Receipt", "{reused} of {tokens} reused ({disk} from disk)")
    elif ahead := _number(stats, "ahead_tokens"):
        words = translate("Receipt", "{reused} of {tokens} ready, {ahead} of them run while you typed")
    else:
        words = translate("Receipt", "{reused} of {tokens} reused")
    prompt = prompt_tokens(_number(stats, "prompt_tokens"))
    return words.format(reused=count(reused), tokens=prompt, disk=count(disk), ahead=count(ahead))


def _evictions_sentence(stats: Mapping[str, Any]) -> str:
    evictions = _number(stats, "evictions")
    return translate("Receipt", "%Ln cache entries evicted", None, evictions) if evictions else ""


def _speed_sentence(stats: Mapping[str, Any]) -> str:
    if not _number(stats, "generated_tokens"):
        return ""
    speed = _milliseconds(stats, "decode_tps")
    first = translate("Receipt", "First token after {seconds}")
    first = first.format(seconds=seconds(_milliseconds(stats, "ttft_ms") / 1000))
    return listed([first, rate(speed)]) if speed > 0 else first


def _segments(stats: Mapping[str, Any]) -> tuple[Segment, ...]:
    disk = _from_disk(stats)
    memory, run = max(0, _number(stats, "reused_tokens") - disk), _run(stats)
    segments = (
        Segment("memory", memory, translate("Receipt", "{tokens} from memory").format(tokens=tokens(memory))),
        Segment("disk", disk, translate("Receipt", "{tokens} from disk").format(tokens=tokens(disk))),
        Segment("run", run, translate("Receipt", "{tokens} run now").format(tokens=tokens(run))),
    )
    return tuple(segment for segment in segments if segment.tokens)


def _tick(number: int, image: _Image, of: int) -> ImageTick:
    label = translate("Receipt", "{image}: {what}").format(image=_image(number, of), what=_what_was_done(image))
    return ImageTick(image.digest, image.skipped, image.tiles, image.tiles_run, label)


def _image(number: int, of: int) -> str:
    one, several = translate("Receipt", "Image"), translate("Receipt", "Image {number}")
    return one if of == 1 else several.format(number=number)


def _what_was_done(image: _Image) -> str:
    if image.ahead and not image.tiles_run:
        words = translate("Receipt", "encoded while you typed")
        return listed([_tiles_seen([image]), words]) if image.partly else words
    if image.skipped:
        return translate("Receipt", "seen before, encoder skipped")
    if image.partly:
        now = translate("Receipt", "%Ln encoded now", None, image.tiles_run)
        return listed([_tiles_seen([image]), now])
    if image.tiles == 1:
        return translate("Receipt", "new, encoded now")
    return translate("Receipt", "new, %Ln tile(s) encoded now", None, image.tiles)


def _image_details(images: tuple[_Image, ...]) -> tuple[Detail, ...]:
    details = []
    for number, image in enumerate(images, 1):
        saved = translate("Receipt", "saved {seconds}").format(seconds=seconds(image.saved))
        parts = (_what_was_done(image), tokens(image.tokens) if image.tokens else "", saved if image.saved > 0 else "")
        skipped, run = translate("Receipt", "vision encoder skipped"), translate("Receipt", "vision encoder run")
        value, term = " · ".join(part for part in parts if part), run if image.new else skipped
        details.append(Detail("image", _image(number, len(images)), value, term))
    return tuple(details)


def _times(stats: Mapping[str, Any]) -> tuple[Detail, ...]:
    total = _milliseconds(stats, "ttft_ms")
    if total <= 0:
        return ()
    encode, restore, prefill = (_milliseconds(stats, key) for key in ("encode_ms", "restore_ms", "prefill_ms"))
    rows = [
        (translate("Receipt", "Encoding images"), encode, translate("Receipt", "vision encoder")),
        (
            translate("Receipt", "Restoring what was known"),
            restore,
            translate("Receipt", "prefix hit, copied into place"),
        ),
        (translate("Receipt", "Reading the rest of the prompt"), prefill, translate("Receipt", "prefill")),
        (
            translate("Receipt", "Everything else"),
            total - encode - restore - prefill,
            translate("Receipt", "chat template, tokenizing, first token"),
        ),
    ]
    split = [
        Detail("time", label, seconds(value / 1000), term, min(1.0, value / total))
        for label, value, term in rows
        if value >= _NEGLIGIBLE_MS
    ]
    whole, short = translate("Receipt", "Time to first token"), translate("Receipt", "TTFT")
    return (Detail("time", whole, seconds(total / 1000), short, 1.0), *split)


def _facts(stats: Mapping[str, Any]) -> tuple[Detail, ...]:
    facts = [_place(segment) for segment in _segments(stats)]
    if ahead := _number(stats, "ahead_tokens"):
        label, term = translate("Receipt", "Of these run while you typed"), translate("Receipt", "work ahead")
        facts.append(Detail("fact", label, prompt_tokens(ahead), term))
    if why := str(stats.get("why") or ""):
        missed = translate("Receipt", "prefix miss")
        facts.append(Detail("fact", translate("Receipt", "Why not more"), sentence(translated(why)), missed))
    if generated := _number(stats, "generated_tokens"):
        value = listed([tokens(generated), rate(_milliseconds(stats, "decode_tps"))])
        facts.append(Detail("fact", translate("Receipt", "Answer"), value, translate("Receipt", "decode")))
    evictions = _number(stats, "evictions")
    evicted = translate("Receipt", "%Ln cache entries", None, evictions)
    nothing, term = translate("Receipt", "Nothing"), translate("Receipt", "eviction")
    facts.append(Detail("fact", translate("Receipt", "Evicted"), evicted if evictions else nothing, term))
    return tuple(facts)


def _place(segment: Segment) -> Detail:
    label, term = translate("Receipt", _PLACES[segment.kind]), translate("Receipt", _TERMS[segment.kind])
    return Detail("fact", label, prompt_tokens(segment.tokens), term, place=segment.kind)
