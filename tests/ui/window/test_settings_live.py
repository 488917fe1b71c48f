"""Settings changed in the real dialog take hold in the running engine at once."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QPropertyAnimation, Qt
from PySide6.QtWidgets import QApplication, QLabel

from app import paths
from app.blas import THREADS_VARIABLE
from app.settings.file import load
from app.store.images import ImageStore
from app.store.store import Store
from app.ui import application
from app.ui.labels import ScrollColumn
from app.ui.theme import colours
from app.ui.theme.tokens import PANEL_WIDTH
from tests.ui.window.conftest import LONG, Desk


def enter(desk: Desk, name: str, text: str) -> None:
    line = desk.controller.tuning.dialog.rows[name].editor.line
    line.setFocus()
    line.selectAll()
    desk.qtbot.keyClicks(line, text)
    desk.qtbot.keyClick(line, Qt.Key.Key_Return)


def test_a_lower_budget_evicts_at_once_and_is_kept(desk: Desk) -> None:
    desk.ask("Hello there, how are you")
    desk.wait(lambda: desk.window.panel.overview.row("prefix").nbytes > 0)
    desk.keys("Ctrl+,")
    dialog = desk.controller.tuning.dialog
    dialog.open_page("caches")
    enter(desk, "caches.prefix_mb", "0")
    desk.wait(lambda: desk.window.panel.overview.row("prefix").limit == 0)
    row = desk.engine.caches.overview().row("prefix")
    assert (row.nbytes, row.limit) == (0, 0)
    assert desk.window.panel.tiers["prefix"].size_label.text() == "off"
    assert load(paths.settings_file()).settings.caches.prefix_mb == 0


def test_the_disk_tier_comes_and_moves_while_the_app_runs(desk: Desk, tmp_path: Path) -> None:
    assert not desk.window.panel.tiers["ssd"].isVisible()
    desk.click(desk.window.panel.budgets_button)
    dialog = desk.controller.tuning.dialog
    dialog.open_page("ssd")
    enter(desk, "ssd.directory", str(tmp_path / "cache"))
    box = dialog.rows["ssd.enabled"].editor.box
    desk.qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    desk.wait(lambda: any(row.name == "ssd" for row in desk.window.panel.overview.rows))
    assert desk.controller.tuning.settings.ssd.directory == str(tmp_path / "cache")
    desk.wait((tmp_path / "cache").is_dir)
    assert desk.window.panel.tiers["ssd"].isVisibleTo(desk.window.panel)
    enter(desk, "ssd.directory", str(tmp_path / "elsewhere"))
    desk.wait((tmp_path / "elsewhere").is_dir)


def test_theme_and_zoom_change_at_once(desk: Desk, qapp) -> None:
    size = qapp.font().pointSizeF()
    texts = [desk.window.composer.edit, *desk.window.findChildren(QLabel)]
    before = [text.font().pointSizeF() for text in texts]
    assert len(set(before)) > 2, "there are several sizes"
    desk.keys("Ctrl+=")
    assert qapp.font().pointSizeF() == size * 1.1
    desk.controller.tuning.change("appearance", "theme", "dark")
    assert [text.font().pointSizeF() for text in texts] == pytest.approx([1.1 * points for points in before])
    desk.controller.tuning.change("appearance", "theme", "light")
    desk.keys("Ctrl+0")
    assert qapp.font().pointSizeF() == size
    assert [text.font().pointSizeF() for text in texts] == pytest.approx(before)
    desk.controller.tuning.change("appearance", "theme", "dark")
    assert colours().dark
    desk.controller.tuning.change("appearance", "theme", "light")
    assert not colours().dark


def test_a_model_that_is_not_there_is_said_at_the_question_and_the_way_back_works(
    open_desk: Callable[..., Desk], tmp_path: Path
) -> None:
    desk = open_desk(model__ref=str(tmp_path / "none"))
    desk.wait(lambda: desk.controller.models.state.phase == "failed")
    assert "none" in desk.window.empty.problem.text()
    failed = desk.ask("Hello")
    assert failed.state == "failed"
    assert "none" in failed.error
    desk.window.actions_.model_demo.trigger()
    desk.wait_ready()
    answer = desk.sends(lambda: desk.window.messages.retry_requested.emit(failed.id))
    assert (answer.id, answer.state) == (failed.id, "complete")
    assert answer.text
    assert answer.error == ""


def test_choosing_a_model_that_is_not_there_leaves_the_present_one(desk: Desk, tmp_path: Path) -> None:
    with desk.qtbot.waitSignals([desk.opened.service.model_failed, desk.opened.service.model_ready], timeout=LONG):
        desk.controller.models.choose(str(tmp_path / "none"))
    assert "none" in desk.window.toast.label.text()
    assert desk.controller.models.state.ref == "demo"
    assert load(paths.settings_file()).settings.model.ref == "demo"
    assert desk.ask("Hello").state == "complete"


def test_clearing_from_the_panel_empties_the_engines_caches(desk: Desk) -> None:
    desk.ask("Hello")
    desk.wait(lambda: desk.window.panel.overview.total_bytes > 0)
    desk.click(desk.window.panel.tiers["prefix"].clear_button)
    desk.wait(lambda: desk.window.panel.overview.row("prefix").nbytes == 0)
    assert desk.engine.caches.overview().row("prefix").evictions["cleared"] > 0


def test_bad_lines_in_the_settings_file_are_said_and_survived(open_desk: Callable[..., Desk], monkeypatch) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.window.close()
    file = paths.settings_file()
    file.write_text(file.read_text(encoding="utf-8") + "\n[nonsense]\nx = 1\n", encoding="utf-8")
    from PySide6.QtWidgets import QApplication

    from app.ui.tuning import Tuning

    tuning = Tuning(file, QApplication.instance())
    assert "nonsense" in tuning.notices[0]
    assert tuning.settings.model.load_at_start is False


def test_what_libraries_read_once_is_in_the_environment_before_the_worker_starts(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, "unset")
    monkeypatch.delenv(THREADS_VARIABLE)
    found: list[str | None] = []

    class Watched(application.InferenceService):
        def __init__(self, *given: object) -> None:
            found.append(os.environ.get(THREADS_VARIABLE))
            super().__init__(*given)

    monkeypatch.setattr(application, "InferenceService", Watched)
    open_desk(advanced__blas_threads=2, model__load_at_start=False)
    assert found == ["2"]


def test_the_panel_slides_unless_motion_is_to_be_reduced(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(model__load_at_start=False)
    columns = desk.window.columns
    desk.window.resize(720, 520)
    columns.show_panel(True)
    slide = columns.findChild(QPropertyAnimation)
    assert slide.state() == QPropertyAnimation.State.Running
    columns.show_panel(False)
    desk.controller.tuning.change("appearance", "reduce_motion", True)
    columns.show_panel(True)
    assert slide.state() == QPropertyAnimation.State.Stopped


@pytest.mark.parametrize("wanted", [True, False])
def test_the_window_asks_for_attention_only_where_that_is_wanted(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch, wanted: bool
) -> None:
    asked: list[object] = []
    monkeypatch.setattr(QApplication, "alert", lambda *given: asked.append(given))
    desk = open_desk(general__notifications=wanted)
    monkeypatch.setattr(desk.window, "isActiveWindow", lambda: False)
    desk.wait_ready()
    desk.ask("Hello")
    assert bool(asked) is wanted


def test_the_trash_is_emptied_at_the_start_with_the_pictures_that_were_in_it(
    open_desk: Callable[..., Desk], pictures: Path
) -> None:
    store = Store(paths.data_dir())
    images = ImageStore(store.data_dir / "images")
    image = images.add(pictures / "first.png")
    os.utime(images.path(image.digest), (0, 0))
    chat = store.create_conversation("Old")
    store.add_message(chat.id, "user", "What is this?", images=[image])
    store.delete(chat.id)
    store.close()
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    assert [kept.id for kept in desk.store.trash()] == [chat.id]
    assert images.path(image.digest).exists()
    desk.window.close()
    desk = open_desk(model__load_at_start=False, general__trash_days=0)
    desk.wait(lambda: desk.controller.started)
    assert desk.store.trash() == []
    assert not images.path(image.digest).exists()


def test_the_panel_is_wide_enough_for_larger_text(desk: Desk) -> None:
    desk.window.resize(1000, 700)
    for _ in range(10):
        desk.window.actions_.zoom_in.trigger()
    area = desk.window.panel.findChild(ScrollColumn)
    body = area.widget()
    desk.wait(lambda: desk.window.panel.width() > PANEL_WIDTH)
    desk.wait(lambda: body.minimumSizeHint().width() <= body.width() <= area.viewport().width())
    assert desk.window.width() == 1000
