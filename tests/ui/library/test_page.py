"""The page: every state of a model and of a download, with names for those who cannot see it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractButton, QComboBox, QFileDialog, QLineEdit, QProgressBar, QWidget

from app.inference.events import ModelInfo, Progress
from app.inference.hub.curated import suggestions
from app.inference.hub.download import DownloadState
from app.inference.library.facts import ModelFacts
from app.inference.library.fit import fit
from app.inference.state_size import StateSize
from app.ui.library.page import LibraryDialog
from app.ui.library.text import Listed
from app.ui.model_state import ModelState

GIB = 1024**3
INFO = ModelInfo("demo", "Demo model", "qwen2_vl", True, 8192, "CPU", "x", 1)
FIRST = suggestions()[0].repository


def listed(ref: str, gigabytes: float, problem: str = "", quantization: int = 4) -> Listed:
    nbytes = int(gigabytes * GIB)
    facts = ModelFacts(
        ref, "/x", nbytes, "qwen3_vl", True, quantization, nbytes, StateSize(1000), 0, 32768, problem=problem
    )
    return Listed(facts, None if problem else fit(facts, 10 * GIB, caches=GIB))


@pytest.fixture
def page(qtbot) -> LibraryDialog:
    made = LibraryDialog(suggestions())
    qtbot.addWidget(made)
    made.show_models(
        [listed("demo", 0.1), listed("a/tight", 8.5), listed("a/large", 20), listed("a/broken", 1, "It is damaged.")],
        10 * GIB,
        GIB,
    )
    made.show()
    return made


@pytest.fixture
def asked(page: LibraryDialog) -> list[tuple[str, object]]:
    told: list[tuple[str, object]] = []
    for name in ("use", "get", "pause", "cancel", "unload", "stop", "refresh", "settings", "quantize"):
        signal = getattr(page, f"{name}_requested")
        signal.connect(lambda value="", name=name: told.append((name, value)))
    page.quantize_stopped.connect(lambda ref: told.append(("no copy", ref)))
    page.length_chosen.connect(lambda tokens: told.append(("length", tokens)))
    page.folder_chosen.connect(lambda folder: told.append(("folder", folder)))
    return told


def press(qtbot, button: QAbstractButton) -> None:
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)


def test_verdicts_and_refusals_are_in_their_place(page: LibraryDialog) -> None:
    words = {ref: row.badge.words.text() if row.badge else row.problem.text() for ref, row in page.models.items()}
    assert words["demo"].startswith("Fits: ")
    assert words["a/tight"].startswith("Tight: ")
    assert words["a/large"].startswith("Does not fit: ")
    assert words["a/broken"] == "It is damaged."
    assert not page.models["a/broken"].button.isVisible()
    assert page.models["a/large"].button.text() == "Load anyway"
    assert not page.wait.isVisible()


def test_loading_stopping_and_unloading(page: LibraryDialog, asked: list, qtbot) -> None:
    row = page.models["demo"]
    press(qtbot, row.button)
    page.show_state(ModelState("demo", "loading", progress=Progress("load", 40, 100, note="Reading the weights")))
    assert (row.bar.isVisible(), row.bar.value(), row.note.text()) == (True, 400, "Reading the weights")
    press(qtbot, row.button)
    page.show_state(ModelState("demo", "ready", INFO))
    assert "in use" in row.title.text()
    assert not row.bar.isVisible()
    assert page.models["a/tight"].button.text() == "Load"
    press(qtbot, row.button)
    page.show_state(ModelState("demo", "failed", failure="It is gone."))
    assert row.problem.isVisible()
    assert row.problem.text() == "It is gone."
    page.show_state(ModelState("a/tight", "ready", INFO))
    assert not row.problem.isVisible()
    assert asked == [("use", "demo"), ("stop", ""), ("unload", "")]


def test_a_model_may_be_loaded_with_an_adapter(page: LibraryDialog, asked: list, qtbot, monkeypatch) -> None:
    monkeypatch.setattr(QFileDialog, "getExistingDirectory", lambda *_: "/a/poems")
    page.models["demo"].adapter.trigger()
    assert asked == [("use", "demo + /a/poems")]
    page.show_state(ModelState("demo + /a/poems", "ready", INFO))
    assert page.models["demo"].title.text() == "Demo model + poems · in use"
    assert page.models["demo"].button.text() == "Unload"


def test_the_menu_of_a_model_asks_for_settings_and_a_copy(page: LibraryDialog, asked: list) -> None:
    row = page.models["a/tight"]
    row.settings.trigger()
    assert not row.quantize.isEnabled(), "it has 4 bits already"
    page.show_models([listed("full", 1, quantization=0)], 10 * GIB, GIB)
    page.models["full"].quantize.trigger()
    assert asked == [("settings", "a/tight"), ("quantize", "full")]
    assert not page.models["full"].own.isVisible()
    page.models["full"].show_own({"generation.temperature": 0.2, "caches.kv_bits": 4})
    assert page.models["full"].own.text() == "Of its own: Temperature, Bits per number."


def test_a_copy_that_is_being_made_is_shown_over_a_new_look_and_can_be_stopped(
    page: LibraryDialog, asked: list, qtbot
) -> None:
    full = listed("full", 1, quantization=0)
    page.show_models([full], 10 * GIB, GIB)
    page.show_copying("full", Progress("load", 40, 100, note="Writing the smaller copy"))
    page.show_models([full], 10 * GIB, GIB)
    row = page.models["full"]
    qtbot.waitUntil(row.isVisible)
    assert (row.bar.isVisible(), row.bar.value(), row.note.text()) == (True, 400, "Writing the smaller copy")
    assert not row.quantize.isEnabled()
    press(qtbot, row.cancel)
    page.show_copying("full", None, "The disk is full.")
    assert not row.bar.isVisible()
    assert not row.cancel.isVisible()
    assert row.quantize.isEnabled()
    assert (row.problem.isVisible(), row.problem.text()) == (True, "The disk is full.")
    page.show_copying("full", Progress("load", 0, 100))
    assert not row.problem.isVisible()
    assert asked == [("no copy", "full")]


def test_a_download_through_all_its_states(page: LibraryDialog, asked: list, qtbot) -> None:
    row = page.downloads[FIRST]
    assert not row.cancel.isVisible()
    press(qtbot, row.main)
    page.show_download(DownloadState(FIRST, "asking"))
    assert row.words.text() == "Asking what there is…"
    page.show_download(DownloadState(FIRST, "running", GIB, 4 * GIB, 1e6))
    assert (row.main.text(), row.bar.isVisible(), row.bar.value()) == ("Pause", True, 250)
    press(qtbot, row.main)
    page.show_download(DownloadState(FIRST, "paused", GIB, 4 * GIB))
    assert (row.main.text(), row.bar.isVisible()) == ("Continue", True)
    press(qtbot, row.main)
    page.show_download(DownloadState(FIRST, "failed", GIB, 4 * GIB, sentence="The disk is full."))
    assert (row.main.text(), row.failure.text(), row.failure.isVisible()) == ("Try again", "The disk is full.", True)
    press(qtbot, row.cancel)
    page.show_download(DownloadState(FIRST, "cancelled", GIB, 4 * GIB))
    assert (row.main.text(), row.words.isVisible(), row.bar.isVisible()) == ("Get", False, False)
    page.show_download(DownloadState(FIRST, "done", 4 * GIB, 4 * GIB))
    assert (row.main.isVisible(), row.cancel.isVisible()) == (False, False)
    assert asked == [("get", FIRST), ("pause", FIRST), ("get", FIRST), ("cancel", FIRST)]


def test_any_repository_may_be_typed_and_goes_away_when_cancelled(page: LibraryDialog, asked: list, qtbot) -> None:
    qtbot.keyClicks(page.repository, " someone/model ")
    qtbot.keyClick(page.repository, Qt.Key.Key_Return)
    press(qtbot, page.get)  # the field is empty now
    assert asked == [("get", "someone/model")]
    page.show_download(DownloadState("someone/model", "running", 1, 2))
    assert page.downloads["someone/model"].isVisible()
    page.show_download(DownloadState("someone/model", "cancelled"))
    assert "someone/model" not in page.downloads


def test_what_is_here_need_not_be_fetched(page: LibraryDialog) -> None:
    assert page.downloads[FIRST].isVisible()
    page.show_models([listed(FIRST, 1)], 10 * GIB, GIB)
    assert not page.downloads[FIRST].isVisible()
    page.show_models([listed(FIRST, 1, "It is incomplete.")], 10 * GIB, GIB)
    assert page.downloads[FIRST].isVisible()


def test_length_and_looking_again(page: LibraryDialog, asked: list, qtbot) -> None:
    page.length.setFocus()
    qtbot.keyClick(page.length, Qt.Key.Key_End)
    press(qtbot, page.refresh)
    assert asked == [("length", 131_072), ("refresh", "")]


def test_every_control_has_a_name_that_says_what_it_is_about(page: LibraryDialog) -> None:
    page.show_download(DownloadState(FIRST, "running", GIB, 4 * GIB, 1e6))
    kinds = QAbstractButton | QComboBox | QLineEdit | QProgressBar
    controls = [w for w in page.findChildren(QWidget) if isinstance(w, kinds) and not w.objectName().startswith("qt_")]
    assert len(controls) > 20
    assert [w for w in controls if not w.accessibleName()] == []
    names = [w.accessibleName() for w in controls if isinstance(w, QAbstractButton)]
    assert len(set(names)) == len(names)
