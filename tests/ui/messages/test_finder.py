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
