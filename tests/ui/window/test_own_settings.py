"""Settings of a single model, made in the page of models, in the real window on the real engine."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit

from app import paths
from app.inference.checkpoint import WITH
from app.settings.file import load
from app.ui.library.own_settings import OwnSettingsDialog
from tests.models.lora import write_adapter
from tests.ui.window.conftest import Desk
from tests.ui.window.test_models import page_of


def settings_of_demo(desk: Desk) -> OwnSettingsDialog:
    page = page_of(desk)
    page.models["demo"].settings.trigger()
    dialog = desk.controller.library.library.dialogs.settings
    assert dialog.isVisible()
    return dialog


def enter(desk: Desk, dialog: OwnSettingsDialog, name: str, text: str) -> None:
    line: QLineEdit = dialog.rows[name].editor.line
    line.setFocus()
    line.selectAll()
    desk.qtbot.keyClicks(line, text)
    desk.qtbot.keyClick(line, Qt.Key.Key_Return)


def in_file() -> dict:
    return load(paths.settings_file()).models


def test_a_shorter_answer_holds_for_the_next_question_of_this_model_only_and_is_kept(
    desk: Desk, open_desk: Callable[..., Desk]
) -> None:
    dialog = settings_of_demo(desk)
    assert dialog.rows["generation.max_tokens"].editor.line.text() == "12", "what holds for all models"
    enter(desk, dialog, "generation.max_tokens", "2")
    assert in_file() == {"demo": {"generation.max_tokens": 2}}
    assert desk.ask("What is in the picture?").stats["generated_tokens"] <= 2
    page = desk.controller.library.library.page
    assert page.models["demo"].own.text() == "Of its own: Longest answer."
    assert desk.controller.tuning.for_model("owner/other").generation.max_tokens == 12
    desk.window.close()
    again = open_desk()
    again.wait_ready()
    assert again.ask("What is in the picture?").stats["generated_tokens"] <= 2


def test_the_way_back_leads_to_what_holds_for_all_models(desk: Desk) -> None:
    dialog = settings_of_demo(desk)
    row = dialog.rows["generation.max_tokens"]
    assert not row.reset.isVisibleTo(row)
    enter(desk, dialog, "generation.max_tokens", "2")
    assert row.reset.toolTip() == "Back to what holds for all models: 12 tokens"
    desk.click(row.reset)
    assert row.editor.line.text() == "12"
    assert not row.reset.isVisibleTo(row)
    assert in_file() == {}
    assert not desk.controller.library.library.page.models["demo"].own.isVisibleTo(dialog)


@pytest.mark.parametrize("text", ["0", "lots"])
def test_what_does_not_fit_is_said_in_its_row_and_not_kept(desk: Desk, text: str) -> None:
    dialog = settings_of_demo(desk)
    enter(desk, dialog, "generation.max_tokens", text)
    assert "Longest answer must be 1 to 131072 tokens" in dialog.rows["generation.max_tokens"].error.text()
    assert in_file() == {}


def test_pictures_are_made_smaller_from_the_next_question_on(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png")
    whole = desk.ask("What is in the picture?").stats["images"][0]
    enter(desk, settings_of_demo(desk), "model.image_side", "100")
    desk.controller.chats.new()
    desk.drop(pictures / "first.png")
    desk.wait(lambda: desk.engine.config.image_side == 100)
    smaller = desk.ask("What is in the picture?").stats["images"][0]
    assert smaller["tokens"] < whole["tokens"]
    assert smaller["digest"] == whole["digest"], "it is still the same picture to the user"


def test_a_conversation_that_is_longer_than_the_model_may_take_is_refused_with_the_limit(desk: Desk) -> None:
    enter(desk, settings_of_demo(desk), "model.context_limit", "16")
    answer = desk.ask("Tell me everything about squares, circles and all that you know")
    assert answer.state == "failed"
    assert "the model takes 16" in answer.error
    assert desk.window.panel.context_length == 16


def test_compressed_prompts_for_this_model(desk: Desk) -> None:
    box = settings_of_demo(desk).rows["caches.kv_quantize"].editor.box
    desk.qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(8, box.height() // 2))
    desk.wait(lambda: desk.engine.config.cache.kv_quantize)
    assert not desk.controller.tuning.settings.caches.kv_quantize


def test_a_chat_s_own_system_prompt_goes_before_the_model_s_and_that_before_the_general_one(desk: Desk) -> None:
    plain = desk.ask("Hello").stats["prompt_tokens"]
    dialog = settings_of_demo(desk)
    text: QPlainTextEdit = dialog.rows["generation.system_prompt"].editor.text
    dialog.activateWindow()
    desk.wait(dialog.isActiveWindow)
    text.setFocus()
    desk.qtbot.keyClicks(text, "Answer in one word, always and whatever is asked")
    dialog.rows["generation.seed"].editor.line.setFocus()
    assert in_file()["demo"] == {"generation.system_prompt": "Answer in one word, always and whatever is asked"}
    desk.controller.chats.new()
    told = desk.ask("Hello").stats["prompt_tokens"]
    assert told > plain
    desk.controller.chats.new()
    desk.store.set_system_prompt(desk.controller.chats.kept().id, "No")
    desk.controller.chats.refresh()
    assert plain < desk.ask("Hello").stats["prompt_tokens"] < told


def test_an_adapter_of_its_own_is_on_top_when_the_model_is_loaded_next_and_goes_again(
    desk: Desk, tmp_path: Path
) -> None:
    folder = write_adapter(tmp_path / "poems")
    dialog = settings_of_demo(desk)
    enter(desk, dialog, "model.adapter", str(tmp_path))
    assert "has no adapter_config.json" in dialog.rows["model.adapter"].error.text()
    enter(desk, dialog, "model.adapter", str(folder))
    row = desk.controller.library.library.page.models["demo"]
    desk.click(row.button)
    desk.wait(lambda: desk.controller.models.state.phase == "none")
    assert desk.ask("Hello").state == "complete"
    assert desk.controller.models.state.ref == f"demo{WITH}{folder}"
    assert load(paths.settings_file()).settings.model.ref == "demo"
    desk.click(dialog.rows["model.adapter"].reset)
    desk.controller.models.unload()
    assert desk.ask("Hello").state == "complete"
    assert desk.controller.models.state.ref == "demo"
