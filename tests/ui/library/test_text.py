"""The words of the page."""

from __future__ import annotations

import pytest

from app.inference.hub.download import DownloadState
from app.inference.library.facts import ModelFacts
from app.inference.library.fit import Fit
from app.inference.library.uses import Use
from app.ui.library.text import Listed, download_words, duration, fit_details, fit_words, what_it_is
from app.ui.messages.words import THIN

GIB = 1024**3


def fit(available: int, tokens_that_fit: int = 9000) -> Fit:
    return Fit(4 * GIB, GIB, GIB // 2, 2 * GIB, available * GIB, 8192, tokens_that_fit)


@pytest.mark.parametrize(
    ("found", "words"),
    [
        (fit(10), "Fits: up to 7.5 GB of 10 GB"),
        (fit(7), "Tight: 5.5 GB and up to 2 GB for caches, of 7 GB"),
        (fit(4, tokens_that_fit=0), "Does not fit: 5.5 GB needed, 4 GB available"),
    ],
)
def test_the_verdict_comes_with_its_numbers(found: Fit, words: str) -> None:
    assert fit_words(found).replace(THIN, " ") == words


def test_the_estimate_is_shown_beside_what_loading_really_took() -> None:
    words = fit_details(fit(10), Use(0.0, 3 * GIB)).replace(THIN, " ")
    assert "Weights: 4 GB" in words
    assert words.endswith("When it was last loaded, the weights took 3 GB")
    assert "last loaded" not in fit_details(fit(10), None)


def test_a_model_is_described_by_what_is_known() -> None:
    facts = ModelFacts("a/b", "/x", 2 * GIB, "qwen3_vl", True, 4, context_length=32768, licence="apache-2.0")
    words = what_it_is(Listed(facts, None, Use(1000.0, 1)), 1000.0 + 7200).replace(THIN, " ")
    assert words == "sees images · qwen3_vl · 4 bits · 32,768 tokens · 2 GB on disk · apache-2.0 · used 2 h ago"
    blind = what_it_is(Listed(facts, None, Use(1000.0, 1, sees_images=False)), 1000.0)
    assert blind.startswith("did not tell two pictures apart when it was tried · qwen3_vl")
    plain = ModelFacts("a/b", family="llama", context_length=100)
    assert what_it_is(Listed(plain), 0.0).replace(THIN, " ") == (
        "text only · llama · 100 tokens · 0 MB on disk · never used here"
    )
    assert what_it_is(Listed(ModelFacts("a/b", problem="No.")), 0.0) == ""


def test_downloads_in_words() -> None:
    state = DownloadState("a/b", "running", GIB, 3 * GIB, 32 * 1024**2)
    assert download_words(state).replace(THIN, " ") == "1 GB of 3 GB, 32 MB/s, 64 s left"
    assert download_words(DownloadState("a/b", "running", GIB, 3 * GIB)).replace(THIN, " ") == "1 GB of 3 GB"
    assert download_words(DownloadState("a/b", "paused", GIB, 3 * GIB)).replace(THIN, " ") == "Paused at 1 GB of 3 GB"
    assert download_words(DownloadState("a/b", "failed", sentence="The disk is full.")) == "The disk is full."


def test_times_in_words() -> None:
    assert [duration(s).replace(THIN, " ") for s in (0.2, 89, 90, 3599, 3601, 7800)] == [
        "1 s", "89 s", "2 min", "1 h 0 min", "1 h 1 min", "2 h 10 min"
    ]  # fmt: skip
