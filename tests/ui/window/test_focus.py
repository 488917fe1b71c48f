"""What takes the keyboard for a while gives it back to where it was, by keys alone."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLineEdit, QWidget
from shiboken6 import delete

from app.ui.composer.lightbox import Lightbox
from tests.ui.window.conftest import Desk


@pytest.fixture
def desk(open_desk: Callable[..., Desk]) -> Desk:
    """A window with a chat open, and the cursor in the composer."""
    made = open_desk(model__load_at_start=False)
    made.wait(lambda: made.controller.started)
    chat = made.store.create_conversation("Animals")
    made.store.add_message(chat.id, "user", "Where is the zebra?")
    made.controller.chats.open(chat.id)
    made.activate()
    made.window.composer.focus_input()
    return made


def places(desk: Desk) -> tuple[QWidget, QWidget]:
    return desk.window.composer.edit, desk.window.messages


def press(desk: Desk, key: Qt.Key) -> None:
    desk.qtbot.keyClick(QApplication.focusWidget(), key)


@pytest.mark.parametrize("keys", ["Ctrl+K", "Ctrl+F", "Ctrl+Shift+F"])
def test_escape_gives_the_keyboard_back(desk: Desk, keys: str) -> None:
    stops: list[bool] = []
    desk.window.actions_.stop.triggered.connect(lambda: stops.append(True))
    for before in places(desk):
        before.setFocus()
        desk.keys(keys)
        assert isinstance(QApplication.focusWidget(), QLineEdit)
        press(desk, Qt.Key.Key_Escape)
        assert before.hasFocus()
    assert stops == [], "Escape belongs to what was open"


def test_pressed_twice_it_still_gives_the_keyboard_back_to_where_it_was_first(desk: Desk) -> None:
    for keys in ("Ctrl+F", "Ctrl+Shift+F"):
        desk.window.composer.focus_input()
        desk.keys(keys, keys)
        press(desk, Qt.Key.Key_Escape)
        assert desk.window.composer.edit.hasFocus()


def test_escape_ends_a_search_and_shows_all_chats_again(desk: Desk) -> None:
    field = desk.window.sidebar.search
    desk.keys("Ctrl+Shift+F")
    desk.qtbot.keyClicks(field, "nowhere")
    desk.wait(desk.window.sidebar.nothing.isVisible)
    press(desk, Qt.Key.Key_Escape)
    assert field.text() == ""
    desk.wait(lambda: not desk.window.sidebar.nothing.isVisible())


@pytest.mark.parametrize("key", [Qt.Key.Key_Escape, Qt.Key.Key_Return])
def test_a_chat_renamed_by_keys_leaves_the_keyboard_where_it_was(desk: Desk, key: Qt.Key) -> None:
    desk.keys("F2")
    assert isinstance(QApplication.focusWidget(), QLineEdit)
    press(desk, key)
    desk.wait(desk.window.composer.edit.hasFocus)


def test_a_command_of_the_palette_leaves_the_keyboard_where_it_was(desk: Desk) -> None:
    desk.keys("Ctrl+K")
    desk.qtbot.keyClicks(desk.window.palette_.field, "cache panel")
    press(desk, Qt.Key.Key_Return)
    assert desk.window.composer.edit.hasFocus()
    desk.keys("Ctrl+K")
    desk.qtbot.keyClicks(desk.window.palette_.field, "find in chat")
    press(desk, Qt.Key.Key_Return)
    assert desk.window.messages.finder.bar.field.hasFocus()
    press(desk, Qt.Key.Key_Escape)
    assert desk.window.composer.edit.hasFocus()


def test_a_picture_closes_though_what_opened_it_is_gone(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png")
    opener = QLineEdit(desk.window)
    opener.show()
    opener.setFocus()
    shown = Lightbox.open_over(desk.window, desk.controller.images, desk.window.composer.draft().images)
    delete(opener)
    desk.qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()
