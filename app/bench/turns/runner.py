"""Running the scenario for every contestant, several times, and taking medians."""

from __future__ import annotations

import logging
import statistics
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

from app.bench.asking import AGREES
from app.bench.turns.contestants import Contestant, Measured, TowerWatch
from app.bench.turns.ours import Ours
from app.bench.turns.peers import Peer, peer_options
from app.bench.turns.scenario import BenchTurn, eight_turns
from app.bench.turns.served import NAME, Served
from app.inference.engine import Engine

RESTARTED = "after a restart"


@dataclass
class Line:
    """One turn of one contestant: medians over the repeats. ``verdict`` is ``ok``, ``WRONG`` or an error's name."""

    contestant: str
    turn: str
    ttft: float = 0.0
    prompt_tokens: int = 0
    reused: int | None = 0
    encoder_calls: int | None = 0
    difference: float = 0.0
    verdict: str = "ok"
    floor: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """Return plain data."""
        return dict(vars(self))


@dataclass
class Results:
    """All lines of a run, and what it ran on."""

    model: str
    repeats: int
    lines: list[Line] = field(default_factory=list)

    def line(self, contestant: str, turn: str) -> Line | None:
        """Return one line, if it was measured."""
        return next((x for x in self.lines if (x.contestant, x.turn) == (contestant, turn)), None)


Make = Callable[[], Contestant]


def run_all(
    ref: str, side: int, repeats: int, peers: Sequence[str], say: Callable[[str], None], served: Path | None = None
) -> Results:
    """Load ``ref`` once and let everybody run the scenario ``repeats`` times in turn.

    ``served`` is the console script of vllm-mlx, in an environment of its own, if it takes part.
    """
    engine = Engine()
    info = engine.load(ref)
    adapter = engine._loaded().adapter
    turns = eight_turns(side)
    results = Results(info.name, repeats)
    with TowerWatch(adapter.model).watching() as watch:
        field_ = contestants(engine, adapter, watch, peers)
        if served is not None:
            field_[NAME] = lambda: Served(served, ref)
        reference = _reference(field_["ours, caches off"], turns)
        tallies = {name: Tally() for name in field_}
        for number in range(repeats):  # everybody once per round, so that a drift of the machine meets all alike
            for name, make in field_.items():
                say(f"round {number + 1} of {repeats}: {name}")
                _round(make(), turns, tallies[name])
        for name, tally in tallies.items():
            results.lines += tally.lines(name, reference)
    engine.close()
    return results


def contestants(engine: Engine, adapter: Any, watch: TowerWatch, peers: Sequence[str]) -> dict[str, Make]:
    """Return who takes part, ours first."""
    known = peer_options()
    unknown = [name for name in peers if name not in known]
    if unknown:
        raise ValueError(f"unknown peer {unknown[0]!r}; there are {', '.join(known)}")
    ours: dict[str, Make] = {
        "ours, caches off": lambda: Ours("ours, caches off", engine, watch, None),
        "ours, whole entries": lambda: Ours("ours, whole entries", engine, watch, "memory"),
        "ours, paged": lambda: Ours("ours, paged", engine, watch, "paged"),
        "ours, with SSD": lambda: Ours("ours, with SSD", engine, watch, "memory", ssd=True),
    }
    theirs = {
        name: (lambda name=name: Peer(name, adapter.model, adapter.processor, watch, known[name])) for name in peers
    }
    return ours | theirs


def _reference(make: Make, turns: Sequence[BenchTurn]) -> dict[str, Measured]:
    contestant = make()
    found = {turn.name: contestant.ask(turn) for turn in turns}
    contestant.close()
    return found


@dataclass
class Tally:
    """What one contestant did in all rounds, by turn."""

    seen: dict[str, list[Measured]] = field(default_factory=dict)
    floors: dict[str, list[float]] = field(default_factory=dict)
    failed: dict[str, str] = field(default_factory=dict)

    def lines(self, name: str, reference: dict[str, Measured]) -> list[Line]:
        """Return medians by turn, and a line for each turn that failed."""
        lines = [self._line(name, turn, measured, reference) for turn, measured in self.seen.items()]
        return lines + [Line(name, turn, verdict=reason) for turn, reason in self.failed.items()]

    def _line(self, name: str, turn: str, measured: list[Measured], reference: dict[str, Measured]) -> Line:
        expected = reference["follow-up 2" if turn == RESTARTED else turn]
        difference = max(_difference(m, expected) for m in measured)
        return Line(
            name,
            turn,
            statistics.median(m.ttft for m in measured),
            measured[-1].prompt_tokens,
            _median(m.reused for m in measured),
            max((m.encoder_calls for m in measured if m.encoder_calls is not None), default=None),
            difference,
            "ok" if difference < AGREES else "WRONG",
            statistics.median(self.floors[turn]) if turn in self.floors else 0.0,
        )


def _round(contestant: Contestant, turns: Sequence[BenchTurn], tally: Tally) -> None:
    for turn in turns:
        if isinstance(contestant, Ours) and contestant.caches and turn.known:
            tally.floors.setdefault(turn.name, []).append(contestant.floor(turn))
        _ask(contestant, turn, turn.name, tally)
    if contestant.restart():
        _ask(contestant, turns[2], RESTARTED, tally)
    contestant.close()


def _ask(contestant: Contestant, turn: BenchTurn, label: str, tally: Tally) -> None:
    if label in tally.failed:
        return
    try:
        tally.seen.setdefault(label, []).append(contestant.ask(turn))
    except Exception as error:
        if isinstance(contestant, Ours):
            raise
        logging.getLogger(__name__).debug("%s failed", contestant.name, exc_info=True)
        tally.failed[label] = f"{type(error).__name__}: {error}"[:80]
        tally.seen.pop(label, None)


def _median(told: Iterable[int | None]) -> int | None:
    """Return the median of what was told, if anything was."""
    known = [value for value in told if value is not None]
    return int(statistics.median(known)) if known else None


def _difference(found: Measured, expected: Measured) -> float:
    """Return the largest difference of log-probabilities; without them 0 or infinity, by the text."""
    if found.logprobs is None or expected.logprobs is None:
        return 0.0 if found.text == expected.text else float("inf")
    if found.logprobs.shape != expected.logprobs.shape:
        return float("inf")
    return float(np.abs(found.logprobs - expected.logprobs).max())
