"""Numbers with units and the progress line."""

from __future__ import annotations

import pytest

from app.inference.events import Progress
from app.ui.messages.progress_text import progress_fraction, progress_sentence
from app.ui.messages.words import THIN, decimal, entries, images, listed, percent, rate, seconds, sentence


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (0.0, "under 0.01 s"),
        (0.207, "0.21 s"),
        (9.994, "9.99 s"),
        (12.34, "12.3 s"),
        (60, "1 min"),
        (125.4, "2 min 5 s"),
    ],
)
def test_seconds(value, expected):
    assert seconds(value).replace(THIN, " ") == expected


def test_small_words():
    assert images(1) == "1 image"
    assert entries(1200) == "1,200 entries"
    assert decimal(1234.56, 1) == "1,234.6"
    assert listed(["one", "two"]) == "one, two"
    assert percent(999, 1000) == f"99{THIN}%"
    assert percent(1, 0) == f"0{THIN}%"
    assert rate(38.4) == "38 tokens/s"
    assert rate(3.21) == "3.2 tokens/s"
    assert sentence("model changed") == "Model changed."
    assert sentence("Done.") == "Done."
    assert sentence(" ") == ""


@pytest.mark.parametrize(
    ("progress", "expected"),
    [
        (Progress("encode", 0, 2), "Encoding image 1 of 2"),
        (Progress("encode", 2, 2), "Encoding image 2 of 2"),
        (Progress("prefill", 62, 100), "Reading the prompt 62 %"),
        (Progress("prefill", 62, 100, eta=3.2), "Reading the prompt 62 %, about 3 s left"),
        (Progress("prefill", 62, 100, eta=90.0), "Reading the prompt 62 %, about 1 min 30 s left"),
        (Progress("prefill", 62, 100, eta=0.4), "Reading the prompt 62 %"),
        (Progress("restore", 0, 1), "Restoring what is known"),
        (Progress("load", 1, 4, note="qwen"), "Loading the model 25 % (qwen)"),
    ],
)
def test_progress_line(progress, expected):
    assert progress_sentence(progress).replace(THIN, " ") == expected


def test_progress_fraction_stays_in_bounds():
    assert progress_fraction(Progress("prefill", 5, 4)) == 1.0
    assert progress_fraction(Progress("prefill", 0, 0)) == 0.0
