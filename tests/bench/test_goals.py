"""The benchmark of the promises runs on the demo model and on a tiny tiling one; its counts are exact, times decide
nothing."""

from __future__ import annotations

from pathlib import Path

import pytest

from app.bench import goals
from app.bench.workshop import engine_for
from tests.models import checkpoint


@pytest.fixture(scope="module")
def smolvlm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return checkpoint("smolvlm", tmp_path_factory.mktemp("tiles"))


def test_every_figure_is_right_and_says_its_goal(smolvlm: Path) -> None:
    figures = goals.run(repeats=1, model="demo", tiles=str(smolvlm))
    assert len(figures) == 6
    for name, figure in figures.items():
        assert figure["right"], name
        assert figure["met"] == (figure["ratio"] <= figure["goal"])
        assert figure["ratio"] > 0


def test_a_drift_of_the_machine_meets_both_alike() -> None:
    race = goals.Race(1.0, ours=[1.0, 2.0, 8.0], other=[2.0, 4.0, 4.0])
    assert race.figures()["ratio"] == pytest.approx(0.5)
    assert race.figures()["ours_ms"] == pytest.approx(2000)
    assert race.figures()["reference_ms"] == pytest.approx(4000)
    assert race.figures()["met"]


def test_of_a_screenshot_with_one_changed_corner_that_tile_and_the_overview_are_encoded(smolvlm: Path) -> None:
    with engine_for(str(smolvlm)) as engine:
        for last in (False, True):
            figure = goals.changed_tile(engine, 1, last=last)
            assert figure["right"]
            assert figure["tiles_encoded"] == 2
            assert figure["tiles"] > 4


def test_what_was_worked_ahead_leaves_the_question_only() -> None:
    with engine_for("demo") as engine:
        asked = goals.question(goals.picture(1, 168), "Which colour?")
        goals.prepare(engine, asked, 60)
        warm = goals.ask(engine, asked)
        cold = goals.ask(engine, asked, use_cache=False)
    assert warm.agrees(cold)
    assert warm.stats.encoder_calls == 0
    assert warm.stats.prefilled_tokens < cold.stats.prefilled_tokens / 4
