"""The micro-benchmark runs and says what it promises; timing decides nothing here."""

from __future__ import annotations

import json

from app.bench import cache as bench


def test_the_figures_are_complete_and_nothing_leaks(monkeypatch):
    monkeypatch.setattr(bench, "LAYERS", 2)
    figures = bench.run(quick=True)
    assert json.loads(bench.report(figures)) == figures
    assert set(figures["lookup"]["by_entries_ms"]) == {"10", "100"}
    leaks = figures["leaks"]
    assert leaks["arrays_after"] <= leaks["arrays_before"]
    assert leaks["bytes_after"] <= leaks["bytes_before"]
    assert figures["blocks"]["ratio"] > 0
