"""Formulas as the user sees them: drawn, in the theme's colour, fitted, copied as their source, never half."""

from __future__ import annotations

import threading

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QColor, QGuiApplication, QKeySequence, QTextDocument
from PySide6.QtWidgets import QApplication

from app.ui.messages.answer_body import AnswerBody
from app.ui.messages.formulas import LONGEST, Formulas, Wanted, draw, formulas, room, wanted
from app.ui.messages.markdown import render_markdown
from app.ui.messages.math_source import Formula
from app.ui.messages.prose import Prose
from app.ui.theme import apply_theme, colours, font

OBJECT = "\ufffc"


@pytest.fixture
def body(qtbot) -> AnswerBody:
    made = AnswerBody()
    qtbot.addWidget(made)
    made.resize(600, 400)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    return made


def drawn(qtbot, body: AnswerBody, text: str) -> Prose:
    """Show ``text`` and return its block once all its formulas are drawn."""
    body.set_text(text)
    (block,) = body.block_widgets()
    qtbot.waitUntil(lambda: not block._drawn.waiting)
    return block


@pytest.mark.parametrize("source", ["$a_1 * b_2 * c_1$", r"\(x_1\)", r"\[\frac{a}{b}\]", r"$$\sum_{i}^{n} a_i * b_i$$"])
def test_every_way_to_write_one_is_drawn_and_copied_as_written(qtbot, body: AnswerBody, source: str) -> None:
    block = drawn(qtbot, body, f"Here {source} it *is*.")
    assert block.toPlainText() == f"Here {OBJECT} it is."
    block.setFocus()
    block.selectAll()
    qtbot.keySequence(block, QKeySequence.StandardKey.Copy)
    assert QGuiApplication.clipboard().text() == f"Here {source} it is."
    assert body.selection.selected_text() == f"Here {source} it is."
    assert body.text() == f"Here {source} it *is*."


def test_what_a_screen_reader_is_told_has_the_source(qtbot, body: AnswerBody) -> None:
    block = drawn(qtbot, body, "# Sum\n\nSee 😀 $a_1 * b_2$ and\n\n$$\\frac{a}{b}$$\n\nthen *end*.")
    told = QAccessible.queryAccessibleInterface(block)
    assert told.text(QAccessible.Text.Name) == "Sum\nSee 😀 $a_1 * b_2$ and\n$$\\frac{a}{b}$$\nthen end."
    body.append(" More $c^2$.")
    body.render_now()
    assert told.text(QAccessible.Text.Name).endswith("then end. More $c^2$.")
    qtbot.waitUntil(lambda: not block._drawn.waiting)
    assert told.text(QAccessible.Text.Name).endswith("then end. More $c^2$.")


def test_characters_of_two_units_before_a_formula_move_nothing(qtbot, body: AnswerBody) -> None:
    block = drawn(qtbot, body, "😀😀 $x$ and 😀 $y$.")
    block.selectAll()
    assert body.selection.selected_text() == "😀😀 $x$ and 😀 $y$."


def test_what_is_dragged_or_taken_by_the_middle_button_has_the_source(qtbot, body: AnswerBody) -> None:
    block = drawn(qtbot, body, "Here $x$ it is.")
    block.selectAll()
    mime = block.createMimeDataFromSelection()
    assert mime.text() == "Here $x$ it is."
    assert mime.formats() == ["text/plain"]


def test_words_around_a_formula_that_is_not_selected_are_copied_as_ever(qtbot, body: AnswerBody) -> None:
    block = drawn(qtbot, body, "Here $x$ it is.")
    cursor = block.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(4, cursor.MoveMode.KeepAnchor)
    block.setTextCursor(cursor)
    block.setFocus()
    qtbot.keySequence(block, QKeySequence.StandardKey.Copy)
    assert QGuiApplication.clipboard().text() == "Here"


@pytest.mark.parametrize("broken", [r"$\frac{a}{$", "$" + "x" * (LONGEST + 1) + "$", "$" + "{" * 400 + "}" * 400 + "$"])
def test_what_cannot_be_drawn_stays_as_its_source(qtbot, body: AnswerBody, broken: str) -> None:
    block = drawn(qtbot, body, f"Here {broken} it is.")
    assert block.toPlainText() == f"Here {broken} it is."


def test_nothing_half_is_drawn_while_an_answer_grows(qtbot, body: AnswerBody, monkeypatch) -> None:
    asked: list[str] = []
    usual = Formulas.picture
    monkeypatch.setattr(Formulas, "picture", lambda self, key: (asked.append(key.formula.latex), usual(self, key))[1])
    for piece in ("So \\[", "\\frac{a}", "{b}", "+ 1", "\\] and", " $y", "_1", "$."):
        body.append(piece)
        body.render_now()
    assert set(asked) == {r"\frac{a}{b}+ 1", "y_1"}
    (block,) = body.block_widgets()
    qtbot.waitUntil(lambda: not block._drawn.waiting)
    assert block.toPlainText() == f"So {OBJECT} and {OBJECT}."


def test_the_body_grows_with_its_formulas(qtbot, body: AnswerBody) -> None:
    body.set_text("So\n\n$$\\frac{\\frac{a}{b}}{\\frac{c}{d}}$$\n\nthen")
    before = body.heightForWidth(600)
    (block,) = body.block_widgets()
    qtbot.waitUntil(lambda: not block._drawn.waiting)
    assert body.heightForWidth(600) > before
    assert block.height() == block.heightForWidth(600)


def test_a_display_formula_stands_in_the_middle(qtbot, body: AnswerBody) -> None:
    block = drawn(qtbot, body, "So\n$$\na^2\n$$\nthen")
    lines = [block.document().findBlockByNumber(n) for n in range(block.document().blockCount())]
    assert [line.text() for line in lines] == ["So", OBJECT, "then"]
    assert lines[1].blockFormat().alignment() == Qt.AlignmentFlag.AlignHCenter


def test_a_wide_formula_is_never_wider_than_its_lines(qtbot, body: AnswerBody) -> None:
    source = "+".join(f"a_{{{n}}}" for n in range(14))
    block = drawn(qtbot, body, f"$${source}$$")
    for width in (600, 340, 500):
        body.resize(width, 400)
        assert block.toPlainText() == OBJECT
        assert block.document().idealWidth() <= width
    small = block.document().size().height()
    body.resize(340, 400)
    assert block.document().size().height() < small


def test_one_that_would_be_too_small_to_read_is_told_as_its_source(qtbot, body: AnswerBody) -> None:
    source = "$$" + "+".join(f"a_{{{n}}}" for n in range(40)) + "$$"
    block = drawn(qtbot, body, source)
    assert block.toPlainText() == source
    body.resize(1400, 400)
    assert block.toPlainText() == OBJECT


def test_it_has_the_colour_of_the_text_in_both_themes(qtbot, qapp: QApplication, body: AnswerBody) -> None:
    for mode in ("light", "dark"):
        apply_theme(qapp, mode)
        block = drawn(qtbot, body, f"$$M_{{{mode}}}$$")
        image = block.viewport().grab().toImage()
        text, ground = QColor(colours().text).lightness(), QColor(colours().window).lightness()
        seen = [image.pixelColor(x, y).lightness() for x in range(image.width()) for y in range(image.height())]
        assert min(abs(lightness - text) for lightness in seen) < 25
        assert abs(text - ground) > 100
    apply_theme(qapp, "light")
    body.restyle()
    key = wanted(Formula("M_{dark}", True), font())
    qtbot.waitUntil(lambda: formulas().picture(key) is not None)


def test_each_is_drawn_once(qtbot, monkeypatch) -> None:
    made: list[Wanted] = []
    monkeypatch.setattr("app.ui.messages.formulas.draw", lambda key: (made.append(key), draw(key))[1])
    fresh = Formulas()
    key = Wanted(Formula("x^2", False), 16.0)
    with qtbot.waitSignal(fresh.drawn):
        assert fresh.picture(key) is None
        assert fresh.picture(key) is None
    assert fresh.picture(key) is not None
    assert made == [key]


def test_a_block_with_more_formulas_than_are_kept_comes_to_rest(qtbot, body: AnswerBody, monkeypatch) -> None:
    monkeypatch.setattr("app.ui.messages.formulas.KEPT", 4)
    made: list[Wanted] = []
    monkeypatch.setattr("app.ui.messages.formulas.draw", lambda key: (made.append(key), draw(key))[1])
    block = drawn(qtbot, body, " ".join(f"$h_{{{number}}}$" for number in range(9)))
    assert block.toPlainText().count(OBJECT) == 9
    assert len(made) == 9
    qtbot.waitUntil(lambda: len(formulas()._pictures) == 4)


def test_a_block_that_goes_while_its_formulas_are_drawn_holds_none(qtbot, body: AnswerBody, monkeypatch) -> None:
    qtbot.waitUntil(lambda: not formulas()._holds)
    gate = threading.Event()
    monkeypatch.setattr("app.ui.messages.formulas.draw", lambda key: (gate.wait(30), draw(key))[1])
    body.set_text("$k_1$")
    assert formulas()._holds == 1
    body.set_text("")
    qtbot.waitUntil(lambda: not formulas()._holds)
    gate.set()
    qtbot.waitUntil(lambda: not formulas().is_busy)


def test_what_reaches_no_deeper_than_letters_stands_on_the_line(qapp: QApplication) -> None:
    flat, deep = (draw(Wanted(Formula(latex, False), 16.0)) for latex in ("x^2", r"\frac{a}{b}"))
    height, above, centred = room(flat, font())
    assert not centred
    assert above >= flat.ascent
    assert height - above >= flat.depth
    height, above, centred = room(deep, font())
    assert centred
    assert above >= deep.ascent
    assert height - above >= deep.depth


def test_the_picture_says_its_source_to_those_who_cannot_see_it(qtbot, qapp: QApplication) -> None:
    document = QTextDocument()
    render_markdown(document, "$q^9$")
    key = wanted(Formula("q^9", False), font())
    qtbot.waitUntil(lambda: formulas().picture(key) is not None)
    render_markdown(document, "$q^9$")
    assert document.toPlainText() == OBJECT
    assert 'alt="$q^9$"' in document.toHtml() or document.find(OBJECT).charFormat().toolTip() == "$q^9$"
