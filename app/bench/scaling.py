"""``python -m app bench scaling``: how first tokens and memory grow with the prompt, its images, and what is stored.

*Cold* runs everything, *warm* is the next question of the same chat. Beyond ``longest`` tokens nothing is run: values
there are carried on by the growth of the last measured ones, and are marked as guessed.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import mlx.core as mx

from app.bench import chart
from app.bench.asking import ask
from app.bench.crowd import crowd
from app.bench.pictures import picture
from app.bench.workshop import engine_for
from app.inference.engine import Engine
from app.inference.types import ImageRef, Message

LONGEST = 32_768
IMAGE_SIDE = 168
FILLER = "The third window shows a list of names, and beside each of them the day on which it was last opened. "
QUESTION = "And what of it is new since yesterday?"
MIB = 1024 * 1024


@dataclass(frozen=True, slots=True)
class Point:
    """One length: seconds to the first token, bytes of its state in memory, the process's peak of MLX memory.

    ``right`` is whether the warm run was about to answer as a run without caches; ``guessed`` that nothing was run.
    """

    size: int
    tokens: int
    cold: float
    warm: float
    nbytes: int = 0
    peak: int = 0
    right: bool = True
    guessed: bool = False

    def to_dict(self) -> dict[str, Any]:
        """Return plain data, with the ratio."""
        return {
            "tokens": self.tokens, "cold_ms": 1000 * self.cold, "warm_ms": 1000 * self.warm,
            "warm_of_cold": self.warm / self.cold, "bytes_per_token": self.nbytes / self.tokens,
            "peak_mib": self.peak / MIB, "right": self.right, "guessed": self.guessed,
        }  # fmt: skip


def run(
    longest: int = 8192, images: int = 20, entries: int = 10_000, repeats: int = 3, model: str = "mid", html: str = ""
) -> dict[str, Any]:
    """Measure all three.

    Args:
        longest: tokens of the longest prompt that is really run; powers of two from 512 on.
        images: most images in one prompt; 0 leaves them out.
        entries: most stored prompts to look up among; powers of ten from 10 on.
        repeats: runs of which the median counts (one only from 4,096 tokens on).
        model: ``mid`` or any that the app can load.
        html: file for a page with charts.
    """
    with engine_for(model) as engine:
        lengths = [by_length(engine, n, repeats) for n in _powers(512, longest, 2)]
        shown = [by_images(engine, n, repeats) for n in (1, 2, 5, 10, 20) if n <= images]
    lengths += carried_on(lengths)
    stored = {kind: {n: crowd(kind, n, repeats) for n in _powers(10, entries, 10)} for kind in ("memory", "paged")}
    if html:
        Path(html).write_text(_page(lengths, shown, stored), encoding="utf-8")
    return {
        "prompt length": {str(point.size): point.to_dict() for point in lengths},
        "images": {str(point.size): point.to_dict() for point in shown},
        "entries": {kind: {str(n): found for n, found in by.items()} for kind, by in stored.items()},
    }


def by_length(engine: Engine, tokens: int, repeats: int) -> Point:
    """A text prompt of about so many tokens (a byte is a token in the made-up model), and the question after it."""
    return _measure(engine, (), FILLER * max(1, tokens // len(FILLER)), tokens, 1 if tokens >= 4096 else repeats)


def by_images(engine: Engine, count: int, repeats: int) -> Point:
    """So many different images in one message."""
    images = tuple(picture(100 + number, IMAGE_SIDE) for number in range(count))
    return _measure(engine, images, "What do these have in common?", count, repeats)


def _measure(engine: Engine, images: tuple[ImageRef, ...], text: str, size: int, repeats: int) -> Point:
    points = [_once(engine, images, text, size) for _ in range(repeats)]
    cold, warm = statistics.median(p.cold for p in points), statistics.median(p.warm for p in points)
    return replace(points[-1], cold=cold, warm=warm, right=all(p.right for p in points))


def _once(engine: Engine, images: tuple[ImageRef, ...], text: str, size: int) -> Point:
    engine.caches.clear()
    mx.reset_peak_memory()
    opening = (Message("user", text, images),)
    ask(engine, opening)
    nbytes = engine.caches.overview().rows[0].nbytes
    following = (*opening, Message("assistant", "A list of names."), Message("user", QUESTION))
    warm = ask(engine, following)
    peak = mx.get_peak_memory()
    cold = ask(engine, following, use_cache=False)
    right = warm.agrees(cold)
    return Point(size, cold.stats.prompt_tokens, cold.ttft, warm.ttft, nbytes, peak, right)


def carried_on(points: Sequence[Point]) -> list[Point]:
    """Return points beyond the last two, doubled up to ``LONGEST``, by the growth between those two."""
    if len(points) < 2:
        return []
    guessed = list(points[-2:])
    while guessed[-1].size * 2 <= LONGEST:
        guessed.append(_doubled(*guessed[-2:]))
    return guessed[2:]


def _doubled(before: Point, last: Point) -> Point:
    def grown(old: float, new: float) -> float:
        return new * new / old if old else new

    return Point(
        2 * last.size,
        2 * last.tokens,
        grown(before.cold, last.cold),
        grown(before.warm, last.warm),
        int(grown(before.nbytes, last.nbytes)),
        int(grown(before.peak, last.peak)),
        guessed=True,
    )


def _powers(first: int, last: int, factor: int) -> list[int]:
    return [first * factor**k for k in range(int(math.log(max(last, first) / first, factor) + 1e-9) + 1)]


def _page(lengths: Sequence[Point], shown: Sequence[Point], stored: dict[str, dict[int, dict[str, float]]]) -> str:
    by_tokens = [replace(point, size=point.tokens) for point in lengths]
    body = chart.line_chart("Prompt length", "tokens", "seconds to first token", _lines(by_tokens), GUESSED)
    body += chart.line_chart("Images in the prompt", "images", "seconds to first token", _lines(shown))
    looked_up = {kind: [(n, found["look_up_ms"]) for n, found in by.items()] for kind, by in stored.items()}
    body += chart.line_chart("Look-up among stored prompts", "prompts", "milliseconds", looked_up)
    return chart.page("How it grows", body)


GUESSED = ("cold, guessed", "warm, guessed")


def _lines(points: Sequence[Point]) -> dict[str, list[tuple[float, float]]]:
    measured = [point for point in points if not point.guessed]
    lines = {name: [(float(p.size), float(getattr(p, name))) for p in measured] for name in ("cold", "warm")}
    if len(measured) < len(points):
        rest = points[len(measured) - 1 :]
        lines |= {f"{name}, guessed": [(float(p.size), float(getattr(p, name))) for p in rest] for name in lines}
    return lines
