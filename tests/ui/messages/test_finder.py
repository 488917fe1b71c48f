"""Finding words in a conversation."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt

from tests.ui.messages.conftest import dialogue, message


@pytest.fixture
def chat(view):
    messages = dialogue(40)
    messages[10] = message("q5", "user", "Where is the Needle in here, the needle?")
    messages[71] = message("a35", "assistant", "It is a **needle** in\n\n```\nneedle\n```")
    view.set_messages(messages)
    return view


def marks(view, name):
    return [len(text.extraSelections()) for text in view.widget_of(name).texts()]


def test_words_are_found_marked_and_walked_through(qtbot, chat):
    chat.start_finding()
    bar = chat.finder.bar
    assert bar.field.hasFocus()
    qtbot.keyClicks(bar.field, "needle")
    assert bar.count.text() == "2 of 2"
    assert chat.widget_of("a35").geometry().top() >= 0
    assert marks(chat, "a35") == [1, 1]
    qtbot.keyClick(bar.field, Qt.Key.Key_Return)
    assert bar.count.text() == "1 of 2"
    assert chat.widget_of("q5").geometry().top() == 16
    assert marks(chat, "q5") == [2]
    qtbot.keyClick(bar.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert bar.count.text() == "2 of 2"


def test_nothing_found_and_closing(qtbot, chat):
    chat.start_finding()
    bar = chat.finder.bar
    qtbot.keyClicks(bar.field, "needle")
    qtbot.keyClicks(bar.field, "x")
    assert bar.count.text() == "Not found"
    assert not bar.next.isEnabled()
    qtbot.keyClick(bar.field, Qt.Key.Key_Backspace)
    qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    assert chat.hasFocus()
    assert marks(chat, "a35") == [0, 0]


def test_the_source_of_a_formula_is_found_and_the_formula_marked(qtbot, view):
    view.set_messages([message("a", "assistant", "Some $\\Phi_1$ and $\\psi$, a phi.")])
    (block,) = view.widget_of("a").texts()
    view.start_finding()
    qtbot.keyClicks(view.finder.bar.field, "phi")
    qtbot.waitUntil(lambda: not block._drawn.waiting)
    marked = sorted(selection.cursor.position() for selection in block.extraSelections())
    assert block.toPlainText() == "Some \ufffc and \ufffc, a phi."
    assert marked == [6, 19]


@pytest.mark.parametrize("query", ["Straße", "STRASSE", "straße"])
def test_what_is_found_is_marked_also_with_a_sharp_s(qtbot, view, query):
    words = "Die Straße" if "ß" in query else "Die Strasse"
    view.set_messages([message("a", "assistant", words)])
    view.start_finding()
    view.finder.bar.field.setText(query)
    assert view.finder.bar.count.text() == "1 of 1"
    assert marks(view, "a") == [1]


def test_what_could_not_be_marked_is_not_found(qtbot, view):
    view.set_messages([message("a", "assistant", "Die Straße")])
    view.start_finding()
    qtbot.keyClicks(view.finder.bar.field, "strasse")
    assert view.finder.bar.count.text() == "Not found"


@pytest.mark.parametrize("role", ["user", "assistant"])
def test_words_far_down_in_a_long_message_are_scrolled_to(qtbot, view, role):
    long = "\n\n".join([*["Nothing here."] * 200, "The needle.", *["Nothing here."] * 200])
    view.set_messages([message("a", role, long), message("b", "user", "Thank you.")])
    view.start_finding()
    qtbot.keyClicks(view.finder.bar.field, "needle")
    text, mark = next((t, s) for t in view.widget_of("a").texts() for s in t.extraSelections())
    seen = text.viewport().mapTo(view.viewport(), text.cursorRect(mark.cursor).center()).y()
    assert 0 < seen < view.viewport().height()
    assert view.finder.bar.count.text() == "1 of 1"
