"""The benchmark of the identity runs and reads headers only; timing decides nothing here."""

from __future__ import annotations

from app.bench.identity import run


def test_only_a_sliver_of_the_folder_is_read() -> None:
    figures = run(gigabytes=20, shards=2, layers=4, repeats=1)
    assert set(figures) == {"gigabytes", "weights_ms", "tokenizer_ms", "both_ms", "share_of_bytes_read"}
    assert figures["share_of_bytes_read"] < 0.001
