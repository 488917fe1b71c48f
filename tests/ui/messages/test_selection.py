"""Selecting with the mouse and keys over the blocks of one answer."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QGuiApplication, QMouseEvent
from PySide6.QtWidgets import QApplication

from tests.ui.messages.conftest import finished


@pytest.fixture
def body(view):
    view.set_messages([finished("First words here.\n\n```py\nx = 1\ny = 2\n```\n\nLast words there.")])
    return view.widget_of("answer").body


def mouse(kind, source, target, point, buttons=Qt.MouseButton.LeftButton):
    """Send a mouse event to ``source`` that happens at ``point`` of ``target``."""
    there = QPointF(target.mapToGlobal(point))
    button = Qt.MouseButton.NoButton if kind == QEvent.Type.MouseMove else Qt.MouseButton.LeftButton
    event = QMouseEvent(kind, source.mapFromGlobal(there), there, button, buttons, Qt.KeyboardModifier.NoModifier)
    QApplication.sendEvent(source, event)


def drag(first, last, start: QPoint, end: QPoint) -> None:
    mouse(QEvent.Type.MouseButtonPress, first.viewport(), first.viewport(), start)
    mouse(QEvent.Type.MouseMove, first.viewport(), last.viewport(), end)
    mouse(QEvent.Type.MouseButtonRelease, first.viewport(), last.viewport(), end, Qt.MouseButton.NoButton)


def column_of(text, position):
    cursor = text.textCursor()
    cursor.setPosition(position)
    return text.cursorRect(cursor).center()


def test_from_the_first_block_into_the_last(qtbot, body):
    first, code, last = body.texts()
    drag(first, last, column_of(first, 6), column_of(last, 10))
    assert body.selection.selected_text() == "words here.\nx = 1\ny = 2\nLast words"
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "words here.\nx = 1\ny = 2\nLast words"
    assert code.textCursor().hasSelection()


def test_upwards_too(body):
    first, _, last = body.texts()
    drag(last, first, column_of(last, 10), column_of(first, 6))
    assert body.selection.selected_text() == "words here.\nx = 1\ny = 2\nLast words"


def test_back_inside_the_first_block_and_a_new_press(body):
    first, code, last = body.texts()
    drag(first, last, column_of(first, 6), column_of(last, 4))
    mouse(QEvent.Type.MouseButtonPress, code.viewport(), code.viewport(), column_of(code, 0))
    assert not first.textCursor().hasSelection()
    assert not last.textCursor().hasSelection()


def test_select_all_is_the_whole_answer(qtbot, body):
    first = body.texts()[0]
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    assert body.selection.selected_text() == "First words here.\nx = 1\ny = 2\nLast words there."


def test_inside_one_block_nothing_changes(qtbot, body):
    first = body.texts()[0]
    drag(first, first, column_of(first, 0), column_of(first, 5))
    assert first.textCursor().selectedText() == "First"
    qtbot.keyClick(first, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().text() == "First"


def test_a_table_is_copied_cell_by_cell(view):
    view.set_messages([finished("Words.\n\n```py\nx = 1\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n")])
    selection = view.widget_of("answer").body.selection
    selection.select_all()
    lines = [line for line in selection.selected_text().split("\n") if line]
    assert lines == ["Words.", "x = 1", "a", "b", "1", "2"]
