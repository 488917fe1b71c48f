"""Formulas stay as they were written."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QTextDocument

from app.ui.messages.markdown import render_markdown
from app.ui.messages.math_source import protect_formulas


@pytest.mark.parametrize(
    "formula", ["$a_1 * b_2 * c_1$", r"\(x_1\)", r"\[\frac{a}{b}\]", r"$$\sum_{i}^{n} a_i * b_i$$"]
)
@pytest.mark.usefixtures("qapp")
def test_the_source_can_be_read(formula):
    document = QTextDocument()
    render_markdown(document, f"Here {formula} it *is*.")
    assert document.toPlainText() == f"Here {formula} it is."


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
    ],
)
def test_money_and_code_are_left_alone(text):
    assert protect_formulas(text) == text


def test_ticks_inside_a_formula():
    assert protect_formulas("$a`b$") == "``$a`b$``"
