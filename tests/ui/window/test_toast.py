"""The short message at the bottom can be read and pressed, whatever lies over the content, at every zoom."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QWidget

from app.ui.main_window import LEAST_SIZE
from tests.ui.window.conftest import Desk

WORDS = "The folder of the conversations cannot be written, since the disk is full. Make room, and send it once more."


@pytest.fixture
def idle(open_desk: Callable[..., Desk]) -> Desk:
    """A window without a model: nothing is loaded before a question."""
    return open_desk(model__load_at_start=False)


def is_reachable(widget: QWidget, whole: QWidget) -> bool:
    """Whether each corner of ``widget`` lies inside ``whole``, and is not covered by another widget."""
    area = widget.rect().adjusted(1, 1, -1, -1)
    corners = (area.topLeft(), area.topRight(), area.bottomLeft(), area.bottomRight())
    return all(whole.childAt(widget.mapTo(whole, corner)) is widget for corner in corners)


@pytest.mark.parametrize("words", ["Chat deleted", WORDS])
@pytest.mark.parametrize("zoom", [60, 100, 200])
@pytest.mark.parametrize("width", [LEAST_SIZE.width(), 899, 1200])
def test_no_panel_covers_a_notice_or_its_button(idle: Desk, width: int, zoom: int, words: str) -> None:
    window, toast = idle.window, idle.window.toast
    idle.controller.tuning.change("appearance", "zoom", zoom)
    window.resize(width, LEAST_SIZE.height())
    toast.say(words, "Undo", lambda: None)
    window.columns.reduce_motion = True
    window.columns.show_panel(True)
    idle.wait(lambda: toast.label.height() and toast.button.x() >= toast.label.geometry().right())
    assert window.whole.rect().contains(toast.geometry())
    assert is_reachable(toast.label, window.whole)
    assert is_reachable(toast.button, window.whole)


@pytest.mark.parametrize("zoom", [60, 200])
def test_a_notice_takes_the_room_of_other_letters(idle: Desk, zoom: int) -> None:
    idle.window.resize(LEAST_SIZE)
    idle.window.toast.say(WORDS, "Undo", lambda: None)
    idle.controller.tuning.change("appearance", "zoom", zoom)
    toast = idle.window.toast
    idle.wait(lambda: toast.height() >= toast.heightForWidth(toast.width()))
    assert idle.window.whole.rect().contains(toast.geometry())
