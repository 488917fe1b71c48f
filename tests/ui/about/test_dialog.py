"""The About dialog: version, licences of the app and of what it is built on, found by typing."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QAbstractButton, QComboBox, QLineEdit, QPlainTextEdit, QToolButton

from app import __version__, licences, paths
from app.ui.about import AboutDialog
from app.ui.about.dialog import versions


@pytest.fixture
def dialog(qtbot) -> AboutDialog:
    made = AboutDialog()
    qtbot.addWidget(made)
    made.show()
    return made


def test_versions_are_shown_and_can_be_copied(dialog: AboutDialog, qtbot) -> None:
    assert f"Second Glance {__version__} · Python 3." in dialog.versions.text()
    assert " · MLX " in dialog.versions.text()
    button = next(b for b in dialog.findChildren(QToolButton) if b.accessibleName() == "Copy the versions")
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == versions()


def test_the_licences_of_others_come_first_and_our_own_can_be_chosen(dialog: AboutDialog, qtbot) -> None:
    assert dialog.text.view.toPlainText() == licences.third_party()
    assert "mlx-vlm " in dialog.text.view.toPlainText()
    dialog.choice.setFocus()
    qtbot.keyClick(dialog.choice, Qt.Key.Key_Down)
    assert "Apache License" in dialog.text.view.toPlainText()
    assert "Grant of Patent License" in dialog.text.view.toPlainText()
    assert dialog.text.view.isReadOnly()


def test_words_are_found_one_after_the_other_round_the_ends(dialog: AboutDialog, qtbot) -> None:
    dialog.text.show_text("One LICENCE.\n𝓐 licence of two\nand a third licence")
    qtbot.keyClicks(dialog.text.field, "licence")
    selected = dialog.text.view.textCursor
    assert (dialog.text.found.text(), selected().selectedText()) == ("1 of 3", "LICENCE")
    qtbot.keyClick(dialog.text.field, Qt.Key.Key_Return)
    assert (dialog.text.found.text(), selected().selectedText()) == ("2 of 3", "licence")
    assert selected().blockNumber() == 1
    for _ in range(2):
        qtbot.keyClick(dialog.text.field, Qt.Key.Key_Return)
    assert dialog.text.found.text() == "1 of 3"
    qtbot.keyClick(dialog.text.field, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    assert dialog.text.found.text() == "3 of 3"
    qtbot.keyClicks(dialog.text.field, "x (")
    assert dialog.text.found.text() == "Not found"
    assert not selected().hasSelection()
    assert dialog.isVisible(), "Enter finds, and closes nothing"


def test_a_bundle_shows_the_texts_that_came_with_it_quickly_enough_to_type(
    qtbot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    many = "\n".join(f"Library {n}\nPermission is hereby granted, free of charge\n" for n in range(20_000))
    (tmp_path / licences.FILE).write_text(many, encoding="utf-8")
    monkeypatch.setattr(paths, "resources_dir", lambda: tmp_path)
    dialog = AboutDialog()
    qtbot.addWidget(dialog)
    dialog.show()
    qtbot.keyClicks(dialog.text.field, "library 19999")
    assert dialog.text.found.text() == "1 of 1"
    assert dialog.text.view.textCursor().selectedText() == "Library 19999"
    assert dialog.text.view.verticalScrollBar().value() > 0


def test_every_control_has_a_name(dialog: AboutDialog) -> None:
    kinds = QAbstractButton | QComboBox | QLineEdit | QPlainTextEdit
    controls = [w for w in dialog.findChildren(object) if isinstance(w, kinds)]
    assert len(controls) >= 6
    named = {w.accessibleName() or (w.text() if isinstance(w, QAbstractButton) else "") for w in controls}
    assert {"Licences", "Find in: Licences", "Whose licence is shown", "The next place"} <= named
