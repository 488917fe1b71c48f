"""How long ago, in words."""

from __future__ import annotations

import pytest

from app.ui.units import ago


@pytest.mark.parametrize(
    ("seconds", "words"),
    [
        (-3, "just now"),
        (59.9, "just now"),
        (60, "1\u202fmin ago"),
        (3599, "59\u202fmin ago"),
        (7300, "2\u202fh ago"),
        (86_399, "23\u202fh ago"),
        (86_400, "1 day ago"),
        (2e5, "2 days ago"),
    ],
)
def test_ages(qapp, seconds: float, words: str) -> None:
    assert ago(seconds) == words
