"""``python -m app bench goals``: what the project promises beside the eight turns, each against its own reference.

Ours and the reference take turns within each repeat, and every figure is the median of the repeats' ratios, so that a
drift of the machine meets both alike. ``right`` says whether both were about to give the same answer.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

import mlx.core as mx
from PIL import Image

from app.bench.asking import Asked, ask
from app.bench.checkpoints.smolvlm import COLUMNS, ROWS, TILE
from app.bench.pictures import picture, reference
from app.bench.turns.scenario import SYSTEM
from app.bench.workshop import engine_for, side_for
from app.inference.engine import Engine
from app.inference.events import Finished
from app.inference.types import CancelToken, ChatRequest, ImageRef, Message, SamplingParams

DECODED = 16


@dataclass
class Race:
    """Times of ours and of its reference in all repeats, seconds."""

    goal: float
    ours: list[float] = field(default_factory=list)
    other: list[float] = field(default_factory=list)
    right: bool = True
    notes: dict[str, Any] = field(default_factory=dict)

    def add(self, ours: Asked, cold: Asked) -> None:
        """Count one repeat of ours against a run without caches."""
        self.ours.append(ours.ttft)
        self.other.append(cold.ttft)
        self.right = self.right and ours.agrees(cold)

    def figures(self) -> dict[str, Any]:
        """Return medians in ms, the median ratio beside its goal, and whether the goal is met."""
        ours, other = statistics.median(self.ours), statistics.median(self.other)
        ratio = statistics.median(mine / its for mine, its in zip(self.ours, self.other, strict=True))
        return {
            "ours_ms": 1000 * ours, "reference_ms": 1000 * other, "ratio": ratio, "goal": self.goal,
            "met": ratio <= self.goal, "right": self.right, **self.notes,
        }  # fmt: skip


def run(repeats: int = 5, typing_seconds: float = 3.0, model: str = "mid", tiles: str = "tiles") -> dict[str, Any]:
    """Measure all figures.

    Args:
        repeats: runs of which the median counts.
        typing_seconds: how long a user types while the new image is worked on ahead.
        model: ``mid`` or any that the app can load.
        tiles: ``tiles`` or a model that sees a picture as independent tiles.
    """
    with engine_for(model) as engine:
        side = side_for(model)
        figures = {
            "known image in a new chat, to cold": known_image(engine, side, repeats),
            "regenerate, to one decode step": regenerate(engine, side, repeats),
            "first turn ever, to caches off": overhead(engine, side, repeats),
            "new image after typing, to cold": worked_ahead(engine, side, repeats, typing_seconds),
        }
    with engine_for(tiles) as engine:
        figures["last tile changed, to cold"] = changed_tile(engine, repeats, last=True)
        figures["first tile changed, to cold"] = changed_tile(engine, repeats, last=False)
    return figures


def known_image(engine: Engine, side: int, repeats: int) -> dict[str, Any]:
    """A new chat about an image that another chat has shown."""
    race, image = Race(0.10), picture(3, side)
    for _ in range(repeats):
        engine.caches.clear()
        ask(engine, question(image, "Describe the picture in a few words, please."))
        new = question(image, "Count the objects.")
        race.add(ask(engine, new), ask(engine, new, use_cache=False))
    return race.figures()


def regenerate(engine: Engine, side: int, repeats: int) -> dict[str, Any]:
    """The same question again, against the time of one token of its answer."""
    race, again = Race(1.5), question(picture(3, side), "Describe the picture.")
    engine.caches.clear()
    ask(engine, again)
    for _ in range(repeats):
        race.ours.append(ask(engine, again).ttft)
        race.other.append(1 / decode_rate(engine, again))
    return race.figures()


def overhead(engine: Engine, side: int, repeats: int) -> dict[str, Any]:
    """The first turn ever with all caches on: hashing, looking up and storing are in it.

    The difference is smaller than the machine's noise: both begin without a kept buffer, each is first every other
    time, and there are twice as many repeats.
    """
    race, first = Race(1.02), question(picture(3, side), "Describe the picture.")

    def fresh(*, use_cache: bool) -> Asked:
        engine.caches.clear()
        mx.clear_cache()
        return ask(engine, first, use_cache=use_cache)

    fresh(use_cache=True)
    for repeat in range(2 * repeats):
        found = {cached: fresh(use_cache=cached) for cached in ((True, False) if repeat % 2 else (False, True))}
        race.add(found[True], found[False])
    return race.figures()


def worked_ahead(engine: Engine, side: int, repeats: int, seconds: float) -> dict[str, Any]:
    """A new image, worked on while its question is typed for so many seconds."""
    race = Race(0.15)
    for repeat in range(repeats):
        engine.caches.clear()
        asked = question(picture(50 + repeat, side), "Which of the two colours is the brighter one?")
        prepare(engine, asked, seconds)
        race.add(ask(engine, asked), ask(engine, asked, use_cache=False))
    return race.figures()


def changed_tile(engine: Engine, repeats: int, *, last: bool) -> dict[str, Any]:
    """A screenshot of 12 tiles that was seen before, but for one corner."""
    race, base = Race(0.35), picture(3, COLUMNS * TILE, ROWS * TILE)
    other = with_corner(base, last=last)
    for _ in range(repeats):
        engine.caches.clear()
        ask(engine, question(base, "Describe the picture."))
        warm = ask(engine, question(other, "Describe the picture."))
        race.add(warm, ask(engine, question(other, "Describe the picture."), use_cache=False))
        use = warm.stats.images[0]
        race.notes = {"tiles_encoded": use.tiles_run, "tiles": use.tiles}
    return race.figures()


def question(image: ImageRef, text: str) -> Sequence[Message]:
    """Return a new chat that asks ``text`` about ``image``."""
    return (Message("system", SYSTEM), Message("user", text, (image,)))


def prepare(engine: Engine, messages: Sequence[Message], seconds: float) -> None:
    """Work ahead until nothing is left to do, or until the user is done typing."""
    cancel, began = CancelToken(), time.perf_counter()
    for _ in engine.prepare(ChatRequest(tuple(messages)), cancel):
        if time.perf_counter() - began > seconds:
            cancel.cancel()


def decode_rate(engine: Engine, messages: Sequence[Message]) -> float:
    """Return the tokens per second of an answer."""
    request = ChatRequest(tuple(messages), SamplingParams(max_tokens=DECODED))
    *_, done = engine.generate(request)
    assert isinstance(done, Finished)
    return done.stats.decode_tps


def with_corner(image: ImageRef, *, last: bool) -> ImageRef:
    """Return ``image`` with another colour in the first or the last of its corners."""
    pixels: Image.Image = image.load().copy()
    left, top = (pixels.width - TILE // 2, pixels.height - TILE // 2) if last else (0, 0)
    pixels.paste((255, 255, 255), (left, top, left + TILE // 2, top + TILE // 2))
    return reference(pixels, f"{image.name}, one corner changed")
