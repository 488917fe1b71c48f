"""The benchmark of the blocks runs and reports what it says; its figures are not judged here."""

from __future__ import annotations

from app.bench.blocks import run


def test_the_benchmark_reports_bytes_seconds_and_ratios():
    figures = run(n_tokens=96, layers=1, block_size=32, entries=3, repeats=1)
    assert figures["nbytes"] == 2 * 8 * 64 * 4 * 96
    assert figures["rebuild_ratio"] == figures["copy_seconds"] / figures["rebuild_seconds"]
    seconds = [value for name, value in figures.items() if name.endswith("_seconds")]
    assert len(seconds) == 6
    assert all(value > 0 for value in seconds)
