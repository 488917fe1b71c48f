"""Names on every control, keyboard, palette, narrow windows, drops."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import (
    QAbstractButton,
    QAbstractItemView,
    QAbstractSlider,
    QComboBox,
    QLineEdit,
    QPlainTextEdit,
    QScrollBar,
    QTextEdit,
    QWidget,
)

from tests.ui.window.conftest import Desk

CONTROLS = QAbstractButton | QComboBox | QLineEdit | QPlainTextEdit | QTextEdit | QAbstractItemView | QAbstractSlider


@pytest.fixture
def idle(open_desk: Callable[..., Desk]) -> Desk:
    """A window without a model: nothing is loaded before a question."""
    return open_desk(model__load_at_start=False)


def is_ours(widget: QWidget) -> bool:
    """Leave out Qt's inner parts, lists of choices while they are closed, and text to read, which is its own name."""
    return not (
        isinstance(widget, QScrollBar)
        or widget.window().windowType() == Qt.WindowType.Popup
        or (isinstance(widget, QPlainTextEdit | QTextEdit) and widget.isReadOnly())
        or widget.objectName().startswith("qt_")
        or isinstance(widget.parentWidget(), QComboBox | QLineEdit)
    )


def test_every_control_has_a_name(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png")
    desk.ask("What is in the picture?")
    desk.drop(pictures / "other.png")
    desk.keys("Ctrl+,")
    roots = [desk.window, desk.controller.tuning.dialog]
    controls = [w for root in roots for w in root.findChildren(QWidget) if isinstance(w, CONTROLS) and is_ours(w)]
    assert len(controls) > 60
    nameless = [w for w in controls if not (w.accessibleName() or (isinstance(w, QAbstractButton) and w.text()))]
    found = [f"{type(w).__name__} in {type(w.parentWidget()).__name__}" for w in nameless]
    assert not found, ", ".join(found)


def test_tab_reaches_every_control_of_the_toolbar_and_the_composer(idle: Desk) -> None:
    idle.activate()
    window = idle.window
    window.composer.focus_input()
    seen: list[QWidget] = []
    for _ in range(80):
        idle.qtbot.keyClick(window.focusWidget(), Qt.Key.Key_Backtab, Qt.KeyboardModifier.ShiftModifier)
        seen.append(window.focusWidget())
    wanted = [window.sidebar.search, window.sidebar.list, window.composer.add_button, window.toolbar.title]
    assert [w.accessibleName() for w in wanted if w not in seen] == []


def test_no_two_actions_share_a_shortcut(idle: Desk) -> None:
    keys = [key.toString() for action in idle.window.actions_ for key in action.shortcuts()]
    assert sorted(keys) == sorted(set(keys))
    assert {"Ctrl+N", "Ctrl+,", "Ctrl+Shift+C", "Esc", "Ctrl+K"} <= set(keys)


def test_the_palette_finds_and_runs_an_action(idle: Desk) -> None:
    idle.keys("Ctrl+K")
    palette = idle.window.palette_
    assert palette.isVisible()
    assert palette.list.count() == sum(action.isEnabled() for action in idle.window.actions_)
    idle.qtbot.keyClicks(palette.field, "panel cache")
    assert palette.list.count() == 1
    shown = idle.window.actions_.panel.isChecked()
    idle.qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    assert not palette.isVisible()
    assert idle.window.actions_.panel.isChecked() is not shown
    idle.keys("Ctrl+K")
    idle.qtbot.keyClick(palette.field, Qt.Key.Key_Escape)
    assert not palette.isVisible()


def test_below_900_pixels_the_panel_lies_over_the_content(idle: Desk) -> None:
    window = idle.window
    window.resize(1200, 700)
    assert window.panel.isVisible()
    wide = window.content.width()
    window.resize(720, 520)
    assert not window.panel.isVisible()
    assert not window.actions_.panel.isChecked()
    narrow = window.content.width()
    assert narrow < wide
    window.actions_.panel.trigger()
    assert window.panel.isVisible()
    assert window.content.width() == narrow
    window.actions_.panel.trigger()
    assert not window.panel.isVisible()
    window.resize(1200, 700)
    assert window.panel.isVisible()
    assert window.actions_.panel.isChecked()
    assert window.content.width() == wide


def test_a_panel_that_was_hidden_stays_hidden(idle: Desk) -> None:
    idle.window.resize(1200, 700)
    idle.keys(QKeySequence("Ctrl+Shift+C"))
    idle.window.resize(720, 520)
    idle.window.resize(1200, 700)
    assert not idle.window.panel.isVisible()


def test_foreign_content_is_answered_with_the_reason(idle: Desk) -> None:
    mime = QMimeData()
    mime.setText("only words")
    idle.drop_mime(mime)
    assert idle.window.composer.strip.items() == []
    assert idle.window.drop_overlay.reason


def test_a_broken_picture_is_refused_with_its_name_and_nothing_is_sent_of_it(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "broken.png", pictures / "first.png")
    assert "broken.png" in desk.window.composer.reasons.text()
    answer = desk.ask("What is in the picture?")
    assert len(answer.stats["images"]) == 1


def test_the_toast_calls_its_action_once(idle: Desk) -> None:
    called: list[int] = []
    idle.window.toast.say("Done", "Undo", lambda: called.append(1))
    idle.click(idle.window.toast.button)
    assert called == [1]
    assert not idle.window.toast.isVisible()
    idle.window.toast.say("A sentence that is long enough " * 8)
    assert not idle.window.toast.button.isVisible()
    assert idle.window.toast.width() <= idle.window.stack.width()


def test_about_opens_from_the_palette_and_shows_the_licences(idle: Desk) -> None:
    idle.activate()
    idle.keys("Ctrl+K")
    idle.qtbot.keyClicks(idle.window.palette_.field, "about")
    idle.qtbot.keyClick(idle.window.palette_.field, Qt.Key.Key_Return)
    about = idle.controller.about
    assert about.isVisible()
    assert "mlx" in about.text.view.toPlainText()
    about.reject()
    idle.keys("Ctrl+K")
    idle.qtbot.keyClicks(idle.window.palette_.field, "about")
    idle.qtbot.keyClick(idle.window.palette_.field, Qt.Key.Key_Return)
    assert idle.controller.about is about
    assert about.isVisible()
