from __future__ import annotations

import pytest

from app.store.plain import plain


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("## The **red** button", "The red button"),
        ("***Both*** and _one_ and __two__ and ~~none~~", "Both and one and two and none"),
        ("Call `make_widget(**values)` now", "Call make_widget(**values) now"),
        ("See [the guide](https://example.org/a_b) and ![a cat](cat.png)", "See the guide and a cat"),
        ("snake_case_name and 2 * 3 * 4", "snake_case_name and 2 * 3 * 4"),
        ("$x_1$ and $x_2$", "$x_1$ and $x_2$"),
        ("Is a < b > c?", "Is a < b > c?"),
        (r"\*not a list", "*not a list"),
        ("5 stars: ***", "5 stars: ***"),
        ("a ** b", "a ** b"),
        ("", ""),
    ],
)
def test_signs_that_only_say_how_words_look_are_gone(markdown: str, words: str) -> None:
    assert plain(markdown) == words


@pytest.mark.parametrize(
    ("markdown", "words"),
    [
        ("- one\n- [x] two\n1. three\n> four", ["one", "two", "three", "four"]),
        ("| a | b |\n|---|:-:|\n| 1 | 2 |", ["a", "b", "1", "2"]),
        ("Before\n```python\n# kept **as** is\n```\nafter", ["Before", "#", "kept", "**as**", "is", "after"]),
        ("```\nstill_growing *", ["still_growing", "*"]),
        ("above\n\n---\n\nbelow", ["above", "below"]),
    ],
)
def test_lists_tables_and_code_are_their_words(markdown: str, words: list[str]) -> None:
    assert plain(markdown).split() == words
