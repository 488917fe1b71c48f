"""What is behind the page: looking for models, fetching one from the fake hub, folders, uses, idle models."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from app.inference.hub.downloads import Downloads
from app.inference.hub.transfer import Line
from app.inference.library.uses import Uses
from app.paths import demo_model_dir
from app.settings.fields import changed
from app.ui.library import idle as idle_module
from app.ui.library.idle import IdleUnload
from app.ui.library.library import Library
from app.ui.model_state import ModelState
from app.ui.tuning import Tuning
from app.worker.service import InferenceService
from tests.hub.fake import FakeHub
from tests.ui.library.conftest import REPOSITORY, PlainModels

LONG = 30_000


@pytest.fixture
def library(
    qtbot: QtBot,
    cache: Path,
    line: Line,
    models: PlainModels,
    tuning: Tuning,
    service: InferenceService,
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Library]:
    monkeypatch.setattr("huggingface_hub.utils._cache_manager.HF_HUB_CACHE", str(cache))
    made = Library(None, tuning, models, Uses(), service, lambda told: Downloads(told, line))
    yield made
    made.close()
    if made.page is not None:
        made.page.deleteLater()


def opened(library: Library, qtbot: QtBot) -> None:
    library.open()
    assert library.page is not None
    qtbot.waitUntil(lambda: "demo" in library.page.models, timeout=LONG)


def test_models_are_looked_for_off_the_gui_thread_and_shown(library: Library, qtbot: QtBot) -> None:
    opened(library, qtbot)
    assert library.page.models["demo"].badge.words.text().startswith("Fits")
    assert "memory can be used" in library.page.room.text()


def test_a_chosen_folder_is_remembered_and_searched(
    library: Library, qtbot: QtBot, tuning: Tuning, tmp_path: Path
) -> None:
    folder = Path(shutil.copytree(demo_model_dir(), tmp_path / "mine" / "model"))
    opened(library, qtbot)
    library.page.folder_chosen.emit(str(tmp_path / "mine"))
    qtbot.waitUntil(lambda: str(folder) in library.page.models, timeout=LONG)
    assert tuning.settings.model.folders == (str(tmp_path / "mine"),)


def test_a_model_is_fetched_and_then_listed(library: Library, qtbot: QtBot, hub: FakeHub) -> None:
    hub.files[REPOSITORY]["model.safetensors"] = (demo_model_dir() / "model.safetensors").read_bytes()
    opened(library, qtbot)
    library.page.get_requested.emit(REPOSITORY)
    qtbot.waitUntil(lambda: REPOSITORY in library.page.models, timeout=LONG)
    assert library.page.models[REPOSITORY].badge.words.text().startswith("Fits")
    assert not library.page.downloads[REPOSITORY].isVisible()


def test_a_download_is_paused_by_closing_and_found_again(
    library: Library,
    qtbot: QtBot,
    hub: FakeHub,
    line: Line,
    models: PlainModels,
    tuning: Tuning,
    service: InferenceService,
) -> None:
    opened(library, qtbot)
    hub.gate.clear()
    library.page.get_requested.emit(REPOSITORY)
    qtbot.waitUntil(lambda: bool(hub.asked_for("model.safetensors")), timeout=LONG)
    library.close()
    hub.gate.set()
    again = Library(None, tuning, models, Uses(), service, lambda told: Downloads(told, line))
    opened(again, qtbot)
    row = again.page.downloads[REPOSITORY]
    assert row.main.text() == "Continue"
    again.page.cancel_requested.emit(REPOSITORY)
    qtbot.waitUntil(lambda: REPOSITORY not in again.page.downloads, timeout=LONG)
    again.close()
    again.page.deleteLater()


def test_a_refusal_is_shown_in_its_row(library: Library, qtbot: QtBot) -> None:
    opened(library, qtbot)
    library.page.get_requested.emit("nobody/nothing")
    qtbot.waitUntil(lambda: "nobody/nothing" in library.page.downloads, timeout=LONG)
    row = library.page.downloads["nobody/nothing"]
    qtbot.waitUntil(lambda: "There is no public model" in row.failure.text(), timeout=LONG)


def test_the_buttons_of_a_model_reach_the_models(library: Library, qtbot: QtBot, models: PlainModels) -> None:
    opened(library, qtbot)
    row = library.page.models["demo"]
    row.button.click()
    models.show(ModelState("demo", "loading"))
    row.button.click()
    assert models.asked == ["choose demo", "stop"]


@pytest.fixture
def idle(models: PlainModels, tuning: Tuning, monkeypatch: pytest.MonkeyPatch) -> Callable[..., IdleUnload]:
    def make(minutes: int, *, busy: bool = False, minute_ms: int = 0) -> IdleUnload:
        monkeypatch.setattr(idle_module, "MINUTE_MS", minute_ms)
        tuning.adopt(changed(tuning.settings, "model", "unload_after_minutes", minutes))
        models.show(ModelState("demo", "ready"))
        return IdleUnload(models, tuning, lambda: busy)

    return make


@pytest.mark.parametrize(
    ("minutes", "busy", "minute_ms", "unloaded"),
    [(5, False, 0, True), (0, False, 0, False), (5, True, 0, False), (5, False, 10**6, False)],
)
def test_a_model_that_nobody_uses_makes_room(
    idle: Callable[..., IdleUnload], models: PlainModels, minutes: int, busy: bool, minute_ms: int, unloaded: bool
) -> None:
    looking = idle(minutes, busy=busy, minute_ms=minute_ms)
    looking.look()
    assert models.asked == (["unload"] if unloaded else [])
    looking.stop()


def test_what_is_not_loaded_is_not_unloaded(idle: Callable[..., IdleUnload], models: PlainModels) -> None:
    looking = idle(5)
    models.show(ModelState("demo"))
    looking.look()
    assert models.asked == []
    looking.stop()
