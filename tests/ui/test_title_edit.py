"""A long title ends in an ellipsis, and is whole where it is edited."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QWidget
from pytestqt.qtbot import QtBot

from app.ui.title_edit import TitleEdit

LONG = "A long conversation about quadratic equations and what became of them in the end"


def shown(qtbot: QtBot) -> tuple[QWidget, TitleEdit, QLineEdit]:
    window, title, other = QWidget(), TitleEdit(), QLineEdit()
    row = QHBoxLayout(window)
    row.addWidget(title)
    row.addWidget(other)
    qtbot.addWidget(window)
    window.resize(400, 60)
    window.show()
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow)
    other.setFocus()
    return window, title, other


def test_a_long_title_is_shortened_to_its_room_and_whole_in_its_tip(qtbot: QtBot) -> None:
    window, title, _ = shown(qtbot)
    title.show_title(LONG)
    assert title.text().endswith("…")
    assert LONG.startswith(title.text()[:-1])
    assert title.toolTip() == LONG
    window.resize(2000, 60)
    qtbot.waitUntil(lambda: title.text() == LONG)
    assert title.toolTip() == ""


def test_it_is_whole_while_it_is_edited(qtbot: QtBot) -> None:
    _window, title, other = shown(qtbot)
    title.show_title(LONG)
    title.setFocus()
    qtbot.waitUntil(title.hasFocus)
    assert title.text() == LONG
    other.setFocus()
    assert title.text().endswith("…")


def test_what_was_typed_stays_until_another_title_comes(qtbot: QtBot) -> None:
    _window, title, _ = shown(qtbot)
    title.show_title("Old")
    title.setFocus()
    title.selectAll()
    qtbot.keyClicks(title, "Typed")
    assert title.text() == "Typed"
    title.show_title("Of another chat")
    assert title.text() == "Of another chat"
    assert not title.isModified()
    qtbot.keyClick(title, Qt.Key.Key_End)
    assert title.text() == "Of another chat"


def test_larger_text_leaves_room_for_less_of_it(qtbot: QtBot) -> None:
    _window, title, _ = shown(qtbot)
    title.show_title(LONG)
    before = title.text()
    font = title.font()
    font.setPointSizeF(1.5 * font.pointSizeF())
    title.setFont(font)
    assert title.text().endswith("…")
    assert len(title.text()) < len(before)
