"""The benchmark of growth: real runs at small sizes, and values beyond them marked as guessed."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.bench import scaling
from app.bench.crowd import crowd
from app.bench.scaling import Point, carried_on


def test_small_sizes_are_run_and_the_rest_is_marked(tmp_path: Path) -> None:
    html = tmp_path / "growth.html"
    figures = scaling.run(longest=1024, images=2, entries=100, repeats=1, model="demo", html=str(html))
    lengths = figures["prompt length"]
    assert [size for size, point in lengths.items() if not point["guessed"]] == ["512", "1024"]
    assert max(map(int, lengths)) == scaling.LONGEST
    assert all(point["right"] for point in (*lengths.values(), *figures["images"].values()))
    assert list(figures["images"]) == ["1", "2"]
    assert figures["images"]["2"]["tokens"] > figures["images"]["1"]["tokens"]
    assert {kind: list(by) for kind, by in figures["entries"].items()} == {
        "memory": ["10", "100"], "paged": ["10", "100"],
    }  # fmt: skip
    assert html.read_text(encoding="utf-8").count("<svg") == 3


def test_bytes_per_token_are_those_of_the_stored_state() -> None:
    point = Point(1024, tokens=1000, cold=2.0, warm=0.5, nbytes=4000)
    assert point.to_dict()["bytes_per_token"] == 4
    assert point.to_dict()["warm_of_cold"] == 0.25


def test_growth_is_carried_on_and_never_from_one_value() -> None:
    one, two = Point(8192, 8192, 10.0, 1.0), Point(16384, 16384, 30.0, 2.0)
    assert carried_on([two]) == []
    (guess,) = carried_on([one, two])
    assert (guess.size, guess.cold, guess.warm, guess.guessed) == (32768, 90.0, 4.0, True)


@pytest.mark.parametrize("kind", ["memory", "paged"])
def test_a_crowd_is_looked_up_in(kind: str) -> None:
    assert set(crowd(kind, 10, 1)) == {"look_up_ms", "miss_ms", "save_ms"}  # type: ignore[arg-type]
