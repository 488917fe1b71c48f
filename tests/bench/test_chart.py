"""Charts: points land where the numbers say, names are shown as text, nothing needs another file."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest

from app.bench.chart import Axis, line_chart, page


def svg_of(chart: str) -> ElementTree.Element:
    return ElementTree.fromstring(chart[chart.index("<svg") :])


def test_a_tenfold_value_is_as_far_on_anywhere_on_the_axis() -> None:
    axis = Axis.over([1, 10, 100], 200)
    assert (axis.at(1), axis.at(100)) == (0, 200)
    assert axis.at(10) == pytest.approx(100)
    assert list(axis.ticks()) == [1, 2, 5, 10, 20, 50, 100]


def test_an_axis_over_one_value_or_none_can_be_drawn() -> None:
    assert Axis.over([7], 100).at(7) == 0
    assert Axis.over([0], 100).at(0) == 0


def test_each_line_has_its_points_and_guessed_ones_are_dashed() -> None:
    chart = svg_of(line_chart("a", "b", "c", {"real": [(1, 1), (10, 10)], "guess": [(10, 10), (100, 100)]}, ["guess"]))
    lines = chart.findall("polyline")
    assert [len(line.get("points", "").split()) for line in lines] == [2, 2]
    assert [line.get("stroke-dasharray") is not None for line in lines] == [False, True]
    assert len(chart.findall("circle")) == 4
    first, last = (tuple(map(float, point.split(","))) for point in lines[0].get("points", "").split())
    assert first[0] < last[0]
    assert first[1] > last[1], "more is further up"


def test_names_cannot_become_markup() -> None:
    made = page("<b>", line_chart("<i>", "<u>", "&", {"<script>": [(1, 1)]}))
    assert "<script>" not in made
    assert "<b>" not in made
    assert not re.search(r"(src|href)=", made)
