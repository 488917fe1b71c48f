"""The results as a table for people, as ratios for the goals, and as one HTML page."""

from __future__ import annotations

import html
from collections.abc import Iterator

from app.bench import chart
from app.bench.turns.runner import RESTARTED, Line, Results

OURS = "ours, whole entries"
COLD = "ours, caches off"


def table(results: Results) -> Iterator[str]:
    """Yield a Markdown table, a line per contestant and turn."""
    yield "| contestant | turn | first token | of cold | reused | encoder calls | answer |"
    yield "|---|---|---|---|---|---|---|"
    for line in results.lines:
        cold = results.line(COLD, line.turn if line.turn != RESTARTED else "follow-up 2")
        share = f"{line.ttft / cold.ttft:.3f}" if cold and cold.ttft and line.ttft else "–"
        yield (
            f"| {line.contestant} | {line.turn} | {1000 * line.ttft:.0f} ms | {share} | {_told(line.reused)} of "
            f"{line.prompt_tokens} | {_told(line.encoder_calls)} | {line.verdict} |"
        )


def _told(value: int | None) -> str:
    return "–" if value is None else str(value)


def goals(results: Results) -> dict[str, float]:
    """Return the ratios that the goals are about; a ratio that was not measured is left out."""
    found: dict[str, float] = {}

    def ratio(name: str, above: Line | None, below: float) -> None:
        if above is not None and above.ttft and below:
            found[name] = above.ttft / below

    def seconds(line: Line | None) -> float:
        return line.ttft if line else 0.0

    for turn in ("follow-up", "follow-up 2", "regenerate", "edited question"):
        line = results.line(OURS, turn)
        ratio(f"{turn}: ours / floor", line, line.floor if line else 0.0)
        ratio(f"{turn}: ours / cold", line, seconds(results.line(COLD, turn)))
    same = "new chat, same image"
    ratio(f"{same}: ours / cold", results.line(OURS, same), seconds(results.line(COLD, same)))
    first = "image and question"
    ratio("first turn ever: ours / caches off", results.line(OURS, first), seconds(results.line(COLD, first)))
    ratio(
        "after a restart: SSD / memory",
        results.line("ours, with SSD", RESTARTED),
        seconds(results.line(OURS, "follow-up 2")),
    )
    return found | dict(_against_peers(results))


def _against_peers(results: Results) -> Iterator[tuple[str, float]]:
    """Yield, per warm turn, the best peer with a right answer against ours (above 1: ours is faster)."""
    for turn in dict.fromkeys(line.turn for line in results.lines):
        ours = results.line(OURS if turn != RESTARTED else "ours, with SSD", turn)
        peers = [
            line for line in results.lines
            if line.turn == turn and not line.contestant.startswith("ours") and line.verdict == "ok"
        ]  # fmt: skip
        if ours and ours.ttft and peers:
            yield f"{turn}: best right peer / ours", min(line.ttft for line in peers) / ours.ttft


def page(results: Results) -> str:
    """Return one self-contained HTML page with the table, the ratios and a bar chart per turn (SVG)."""
    rows = "\n".join(f"<tr><td>{html.escape(k)}</td><td>{v:.3f}</td></tr>" for k, v in goals(results).items())
    charts = "\n".join(_chart(results, turn) for turn in dict.fromkeys(line.turn for line in results.lines))
    title = f"Eight turns on {results.model}, medians of {results.repeats}"
    return chart.page(title, f"<h2>Ratios</h2><table>{rows}</table><h2>Time to first token</h2>{charts}")


def _chart(results: Results, turn: str) -> str:
    lines = [line for line in results.lines if line.turn == turn]
    longest = max((line.ttft for line in lines), default=0.0) or 1.0
    bars = []
    for number, line in enumerate(lines):
        y, width = 22 * number, 420 * line.ttft / longest
        colour = "#009E73" if line.contestant.startswith("ours") else "#56B4E9"
        colour = colour if line.verdict == "ok" else "#D55E00"
        said = f"{1000 * line.ttft:.0f} ms" + ("" if line.verdict == "ok" else f" – {line.verdict}")
        bars.append(
            f'<text x="0" y="{y + 14}">{html.escape(line.contestant)}</text>'
            f'<rect x="210" y="{y + 3}" width="{width:.1f}" height="14" fill="{colour}"/>'
            f'<text x="{216 + width:.1f}" y="{y + 14}">{html.escape(said)}</text>'
        )
    return f'<h3>{html.escape(turn)}</h3><svg width="860" height="{22 * len(lines)}">{"".join(bars)}</svg>'
