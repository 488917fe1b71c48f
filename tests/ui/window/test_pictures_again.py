"""Ways to come by a picture: the add button's menu, the screen, the earlier pictures of this chat."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication

from app.ui.capture.command import CommandCapture
from app.ui.capture.tool import NOT_HERE, CaptureTool
from tests.ui.capture.conftest import screencapture, shot
from tests.ui.window.conftest import Desk

__all__ = ["screencapture", "shot"]


@pytest.fixture
def on_a_mac(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("app.ui.controller.system_tool", CommandCapture)


def idle(open_desk: Callable[..., Desk]) -> Desk:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    desk.activate()
    return desk


def names(desk: Desk) -> list[str]:
    return [item.name for item in desk.window.composer.strip.items()]


def choose(desk: Desk, *keys: Qt.Key) -> None:
    """Open the add button's menu by keyboard and press ``keys`` in it."""
    button = desk.window.composer.add_button
    button.setFocus()
    menu = button.menu()
    menu.popup(button.mapToGlobal(button.rect().topLeft()))
    for key in keys:
        desk.qtbot.keyClick(menu, key)


def test_the_menu_takes_the_screen_into_the_draft(on_a_mac, open_desk, screencapture, shot: Path) -> None:
    screencapture(f'cp "{shot}" "$target"')
    desk = idle(open_desk)
    assert desk.window.actions_.capture.isEnabled()
    choose(desk, Qt.Key.Key_Down, Qt.Key.Key_Down, Qt.Key.Key_Return)
    desk.wait(lambda: desk.window.composer.draft().images)
    (image,) = desk.window.composer.draft().images
    assert image.name.startswith("Screen at ")
    assert (image.width, image.height) == (64, 40)
    assert QApplication.focusWidget() is desk.window.composer.edit


def test_a_capture_that_fails_says_why(on_a_mac, open_desk, screencapture) -> None:
    screencapture("echo no permission >&2; exit 1")
    desk = idle(open_desk)
    desk.keys("Ctrl+Shift+P")
    desk.wait(desk.window.toast.isVisible)
    assert desk.window.toast.label.text() == "The screen could not be captured: no permission"
    assert names(desk) == []


def test_where_there_is_no_tool_the_action_is_off_and_says_why(monkeypatch, open_desk) -> None:
    monkeypatch.setattr("app.ui.controller.system_tool", CaptureTool)
    desk = idle(open_desk)
    assert not desk.window.actions_.capture.isEnabled()
    assert desk.window.actions_.capture.toolTip() == NOT_HERE
    assert desk.window.composer.add_button.menu().toolTipsVisible()


def test_earlier_pictures_are_attached_by_keyboard(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png", pictures / "second.png")
    desk.ask("What is there?")
    desk.drop(pictures / "other.png")
    desk.ask("And there?")
    desk.keys("Ctrl+Shift+O")
    view = desk.controller.gallery.view
    assert view.isVisible()
    assert [item.image.name for item in view.items] == ["other.png", "second.png", "first.png"]
    desk.wait(lambda: [item.known.state for item in view.items] == ["ready"] * 3)
    assert "Seen before: ready" in view.items[0].accessibleName()
    assert QApplication.focusWidget() is view.items[0]
    desk.qtbot.keyClick(view.items[0], Qt.Key.Key_Right)
    desk.qtbot.keyClick(view.items[1], Qt.Key.Key_Return)
    desk.qtbot.keyClick(view.items[1], Qt.Key.Key_End)
    desk.qtbot.keyClick(view.items[2], Qt.Key.Key_Space)
    assert names(desk) == ["second.png", "first.png"]
    assert view.isVisible(), "there may be more to take"
    desk.qtbot.keyClick(view.items[2], Qt.Key.Key_Escape)
    assert not view.isVisible()
    assert QApplication.focusWidget() is desk.window.composer.edit
    desk.wait(lambda: [item.state for item in desk.window.composer.strip.items()] == ["ready", "ready"])


def test_a_click_attaches_and_a_click_elsewhere_closes(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png")
    desk.ask("What is there?")
    choose(desk, Qt.Key.Key_Up, Qt.Key.Key_Return)
    view = desk.controller.gallery.view
    assert view.isVisible()
    desk.click(view.items[0])
    assert names(desk) == ["first.png"]
    desk.window.sidebar.search.setFocus(Qt.FocusReason.MouseFocusReason)
    assert not view.isVisible()


def test_a_chat_without_pictures_says_so(open_desk) -> None:
    desk = idle(open_desk)
    desk.keys("Ctrl+Shift+O")
    assert not desk.controller.gallery.view.isVisible()
    assert desk.window.toast.label.text() == "No picture has been sent in this chat yet."


def test_another_chat_closes_the_pictures_of_this_one(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png")
    desk.ask("What is there?")
    desk.keys("Ctrl+Shift+O")
    assert desk.controller.gallery.view.isVisible()
    desk.keys("Ctrl+N")
    assert not desk.controller.gallery.view.isVisible()
