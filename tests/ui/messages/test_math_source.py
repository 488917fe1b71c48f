"""Where formulas are, and that they come through Markdown as they were written."""

from __future__ import annotations

import pytest

from app.ui.messages.math_source import MARK, Formula, formula_of, protect_formulas


@pytest.mark.parametrize(
    "text",
    [
        "It costs $5 and $10.",
        "US$5 or CA$7",
        "a $ b $ c",
        "`$x$` is code",
        "``a ` $y$``",
        "no dollars",
        r"an escaped \$x\$ sign",
        r"an open \[ x",
        "an open $$x",
        r"\begin{itemize} is no formula \end{itemize}",
    ],
)
def test_money_code_and_what_is_not_closed_are_left_alone(text: str) -> None:
    assert protect_formulas(text) == text


def test_ticks_inside_a_formula() -> None:
    assert protect_formulas("$a`b$") == f"``{MARK}$a`b$``"


@pytest.mark.parametrize(
    ("source", "latex", "display"),
    [
        ("$a_1$", "a_1", False),
        (r"\( a \)", "a", False),
        ("$$ a $$", "a", True),
        (r"\[a\]", "a", True),
        (r"\begin{align*}a\end{align*}", r"\begin{align*}a\end{align*}", True),
    ],
)
def test_the_signs_around_it_say_how_it_stands(source: str, latex: str, display: bool) -> None:
    assert formula_of(source) == Formula(latex, display)


def test_a_formula_on_lines_of_its_own_becomes_a_paragraph_of_its_list_item() -> None:
    assert protect_formulas("1. So\n   \\[\n   a\n   - b\n   \\]\n   then") == (
        f"1. So\n   \n   `{MARK}\\[ a - b \\]`\n\n   then"
    )
    assert protect_formulas("so $$a$$ here") == f"so `{MARK}$$a$$` here"
