"""The letters of the cache panel keep the size that is set when the panel moves between its two places."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from PySide6.QtWidgets import QLabel

from tests.ui.window.conftest import Desk


def test_letters_stay_as_large_when_the_panel_moves(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(model__load_at_start=False)
    window = desk.window
    window.columns.reduce_motion = True
    labels = window.panel.findChildren(QLabel)
    usual = [label.font().pointSizeF() for label in labels]
    desk.controller.tuning.change("appearance", "zoom", 200)
    for width in (720, 1200, 720):
        window.resize(width, 520)
        window.columns.show_panel(True)
        desk.wait(window.panel.isVisible)
        assert [label.font().pointSizeF() for label in labels] == pytest.approx([2 * points for points in usual])
