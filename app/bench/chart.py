"""Line charts as SVG, with logarithmic axes, for a page that needs nothing but itself."""

from __future__ import annotations

import html
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

COLOURS = ("#0072B2", "#D55E00", "#009E73", "#CC79A7", "#56B4E9")
"""Told apart by colour-blind people too (Okabe and Ito)."""
WIDTH, HEIGHT, LEFT, BOTTOM = 640, 300, 70, 40
STYLE = "body{font:15px system-ui;margin:2rem;max-width:60rem}td{padding:.1rem .8rem .1rem 0}svg text{font-size:12px}"

Points = Sequence[tuple[float, float]]


@dataclass(frozen=True, slots=True)
class Axis:
    """A logarithmic axis from ``low`` to ``high``, drawn over ``length`` pixels."""

    low: float
    high: float
    length: float

    @classmethod
    def over(cls, values: Sequence[float], length: float) -> Axis:
        """Return the axis on which all positive ``values`` have room."""
        positive = [value for value in values if value > 0] or [1.0]
        return cls(min(positive), max(*positive, min(positive) * 1.01), length)

    def at(self, value: float) -> float:
        """Return the distance of ``value`` from the axis' start, in pixels."""
        share = math.log(max(value, self.low) / self.low) / math.log(self.high / self.low)
        return share * self.length

    def ticks(self) -> Iterator[float]:
        """Yield 1, 2 and 5 of each power of ten on the axis."""
        for power in range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1):
            yield from (step * 10.0**power for step in (1, 2, 5) if self.low <= step * 10.0**power <= self.high)


def line_chart(title: str, across: str, up: str, lines: Mapping[str, Points], guessed: Sequence[str] = ()) -> str:
    """Return a heading and a chart of ``lines`` by name; those in ``guessed`` are dashed."""
    x = Axis.over([point[0] for points in lines.values() for point in points], WIDTH - LEFT - 150)
    y = Axis.over([point[1] for points in lines.values() for point in points], HEIGHT - BOTTOM - 20)
    parts = [*_grid(x, y), _label(LEFT + x.length / 2, HEIGHT - 4, across, "middle"), _label(0, 12, up)]
    for number, (name, points) in enumerate(lines.items()):
        colour = COLOURS[number % len(COLOURS)]
        parts += _line(x, y, points, colour, dashed=name in guessed)
        parts.append(_label(WIDTH - 140, 30 + 18 * number, name, fill=colour))
    return f'<h3>{html.escape(title)}</h3><svg width="{WIDTH}" height="{HEIGHT}">{"".join(parts)}</svg>'


def _grid(x: Axis, y: Axis) -> Iterator[str]:
    floor = HEIGHT - BOTTOM
    for tick in x.ticks():
        at = LEFT + x.at(tick)
        yield f'<line x1="{at:.1f}" y1="20" x2="{at:.1f}" y2="{floor}" stroke="#ddd"/>'
        yield _label(at, floor + 16, f"{tick:g}", "middle")
    for tick in y.ticks():
        at = floor - y.at(tick)
        yield f'<line x1="{LEFT}" y1="{at:.1f}" x2="{LEFT + x.length:.1f}" y2="{at:.1f}" stroke="#ddd"/>'
        yield _label(LEFT - 6, at + 4, f"{tick:g}", "end")


def _line(x: Axis, y: Axis, points: Points, colour: str, *, dashed: bool) -> Iterator[str]:
    placed = [(LEFT + x.at(a), HEIGHT - BOTTOM - y.at(b)) for a, b in points]
    path = " ".join(f"{a:.1f},{b:.1f}" for a, b in placed)
    dashes = ' stroke-dasharray="5 4"' if dashed else ""
    yield f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dashes}/>'
    yield from (f'<circle cx="{a:.1f}" cy="{b:.1f}" r="3" fill="{colour}"/>' for a, b in placed)


def _label(x: float, y: float, text: str, anchor: str = "start", fill: str = "currentColor") -> str:
    return f'<text x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}" fill="{fill}">{html.escape(text)}</text>'


def page(title: str, body: str) -> str:
    """Return one self-contained HTML page."""
    title = html.escape(title)
    return (
        f"<!doctype html><html lang=en><meta charset=utf-8><title>{title}</title><style>{STYLE}</style>"
        f"<h1>{title}</h1>{body}</html>\n"
    )
