"""Finding words in the open chat, and what Escape belongs to while something is open."""

from __future__ import annotations

import re
import threading
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QMenu

from app.ui.composer.lightbox import Lightbox
from tests.ui.window.conftest import Desk

GUIDE = Path(__file__).parents[3] / "docs" / "guide.md"


def opened(open_desk: Callable[..., Desk]) -> Desk:
    """A window without a model on a chat of two messages."""
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    chat = desk.store.create_conversation("Animals")
    desk.store.add_message(chat.id, "user", "Where is the zebra?")
    desk.store.add_message(chat.id, "assistant", "The zebra is at home.")
    desk.controller.chats.open(chat.id)
    return desk


def test_ctrl_f_finds_in_the_chat_that_is_shown(open_desk: Callable[..., Desk]) -> None:
    desk = opened(open_desk)
    bar = desk.window.messages.finder.bar
    desk.keys("Ctrl+F")
    assert bar.field.hasFocus()
    desk.qtbot.keyClicks(bar.field, "zebra")
    assert bar.count.text() == "2 of 2"
    desk.qtbot.keyClick(bar.field, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    menus = [menu for menu in desk.window.findChildren(QMenu) if desk.window.actions_.find in menu.actions()]
    assert len(menus) == 1
    desk.keys("Ctrl+N")
    assert not desk.window.actions_.find.isEnabled(), "there is nothing to find in an empty chat"


def test_escape_closes_an_edit_and_a_picture_before_it_stops_anything(
    open_desk: Callable[..., Desk], pictures: Path
) -> None:
    desk = opened(open_desk)
    stops: list[bool] = []
    desk.window.actions_.stop.triggered.connect(lambda: stops.append(True))
    question = desk.widget(0)
    desk.activate()
    desk.click(question.edit_button)
    desk.qtbot.keyClick(question.field, Qt.Key.Key_Escape)
    assert question.field is None or not question.field.isVisible()
    desk.drop(pictures / "first.png")
    shown = Lightbox.open_over(desk.window, desk.controller.images, desk.window.composer.draft().images)
    desk.qtbot.keyClick(shown, Qt.Key.Key_Escape)
    assert not shown.isVisible()
    assert stops == []
    desk.qtbot.keyClick(desk.window.composer.edit, Qt.Key.Key_Escape)
    assert len(stops) == 1


def test_escape_takes_back_a_question_that_waits_for_its_pictures(
    open_desk: Callable[..., Desk], pictures: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = opened(open_desk)
    composer, images, go_on = desk.window.composer, desk.controller.images, threading.Event()
    add = images.add
    monkeypatch.setattr(images, "add", lambda *given: go_on.wait(60) and add(*given))
    before = len(desk.messages())
    desk.activate()
    composer.add_files([pictures / "first.png"])
    desk.type("What is this?")
    desk.press_enter()
    desk.qtbot.keyClick(composer.edit, Qt.Key.Key_Escape)
    go_on.set()
    desk.wait(lambda: not composer.strip.is_loading())
    assert len(desk.messages()) == before
    assert composer.edit.toPlainText() == "What is this?"


def test_the_guide_names_every_shortcut(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(model__load_at_start=False)
    table = re.findall(r"^\| ([^|]+) \|", GUIDE.read_text(encoding="utf-8").split("### Keys")[1], re.MULTILINE)
    named = {key.strip().replace("plus", "+").replace("minus", "-") for row in table for key in row.split(", ")}
    named |= {"Ctrl+,"} if any("Ctrl+," in row for row in table) else set()
    first = [action.shortcut() for action in desk.window.actions_ if not action.shortcut().isEmpty()]
    missing = [key.toString() for key in first if QKeySequence(key).toString() not in named]
    assert missing == []
