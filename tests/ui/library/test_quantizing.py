"""A smaller copy, asked for in the page of models and made by the real worker."""

from __future__ import annotations

from collections import namedtuple
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog
from pytestqt.qtbot import QtBot

from app import paths
from app.inference import loading
from app.ui.library.library import Library
from app.ui.library.quantize_dialog import QuantizeDialog
from app.ui.messages.words import THIN
from app.ui.tuning import Tuning
from tests.ui.library.test_library import LONG, library, opened

__all__ = ["library"]
Usage = namedtuple("Usage", "total used free")


def asked(library: Library, qtbot: QtBot) -> QuantizeDialog:
    opened(library, qtbot)
    qtbot.waitUntil(library.page.models["demo"].isVisible)
    library.page.models["demo"].quantize.trigger()
    assert library.dialogs.quantize.isVisible()
    return library.dialogs.quantize


def press_make(dialog: QuantizeDialog, qtbot: QtBot) -> None:
    qtbot.mouseClick(dialog.make, Qt.MouseButton.LeftButton)
    assert not dialog.isVisible()


def test_a_copy_appears_in_the_list(library: Library, qtbot: QtBot, tuning: Tuning) -> None:
    dialog = asked(library, qtbot)
    dialog.choices[8].setFocus()
    qtbot.keyClick(dialog.choices[8], Qt.Key.Key_Space)
    assert dialog.target == paths.data_dir() / "models" / "Demo model-8bit"
    press_make(dialog, qtbot)
    row = library.page.models["demo"]
    assert (row.note.text(), row.cancel.isVisible()) == ("Waiting for its turn", True)
    target = str(dialog.target)
    qtbot.waitUntil(lambda: target in library.page.models, timeout=LONG)
    copy = library.page.models[target]
    assert f"8{THIN}bits" in copy.line.text()
    assert not copy.quantize.isEnabled()
    assert tuning.settings.model.folders == (str(paths.data_dir() / "models"),)
    assert not library.page.models["demo"].bar.isVisible()


def test_cancelling_leaves_nothing_and_the_next_try_works(
    library: Library, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(loading, "BATCH_BYTES", 100_000)
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: str(tmp_path))
    dialog = asked(library, qtbot)
    qtbot.mouseClick(dialog.choose, Qt.MouseButton.LeftButton)
    assert dialog.target.parent == tmp_path
    press_make(dialog, qtbot)
    library.page.models["demo"].cancel.click()
    qtbot.waitUntil(lambda: not library.page.models["demo"].cancel.isVisible(), timeout=LONG)
    assert [path for path in tmp_path.iterdir() if "Demo" in path.name] == []
    assert library.page.models["demo"].problem.text() == ""
    press_make(asked(library, qtbot), qtbot)
    qtbot.waitUntil(lambda: any("4bit" in ref for ref in library.page.models), timeout=LONG)


def test_what_cannot_be_made_there_is_said_before(
    library: Library, qtbot: QtBot, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    dialog = asked(library, qtbot)
    assert dialog.make.isEnabled()
    assert "free there" in dialog.room.text()
    (tmp_path / "Demo model-4bit").mkdir()
    for folder, words in ((str(tmp_path), "exists already"), ("models", "Give the whole path")):
        dialog.folder.setText(folder)
        assert words in dialog.problem.text()
        assert not dialog.make.isEnabled()
    dialog.folder.setText(str(tmp_path / "other"))
    assert dialog.make.isEnabled()
    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage(10**12, 0, 1000))
    dialog.choices[8].click()
    assert "are free there. Choose another folder." in dialog.problem.text()


def test_a_failure_is_said_in_the_row_of_the_model(library: Library, qtbot: QtBot, tmp_path: Path) -> None:
    dialog = asked(library, qtbot)
    dialog.folder.setText(str(tmp_path))
    (tmp_path / "Demo model-4bit").mkdir()  # since the dialog looked
    press_make(dialog, qtbot)
    row = library.page.models["demo"]
    qtbot.waitUntil(lambda: "exists already" in row.problem.text(), timeout=LONG)
    assert row.problem.isVisible()
