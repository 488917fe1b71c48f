"""The page of models in the real window: opening it, idle unloading, loading again on send, a chat's own model."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from app.inference.library.uses import Uses
from app.paths import demo_model_dir
from app.ui.library import idle
from app.ui.library.page import LibraryDialog
from tests.ui.window.conftest import Desk


def page_of(desk: Desk) -> LibraryDialog:
    desk.window.actions_.models.trigger()
    page = desk.controller.library.library.page
    desk.wait(lambda: "demo" in page.models)
    return page


def test_the_page_opens_shows_the_model_in_use_and_unloads_it(desk: Desk) -> None:
    page = page_of(desk)
    assert page.isVisible()
    assert "in use" in page.models["demo"].title.text()
    desk.click(page.models["demo"].button)
    desk.wait(lambda: desk.controller.models.state.phase == "none")
    assert page.models["demo"].button.text() == "Load"
    assert Uses().all()["demo"].weight_bytes > 0


def test_a_model_that_cannot_be_loaded_leads_to_the_page(open_desk: Callable[..., Desk], tmp_path: Path) -> None:
    desk = open_desk(model__ref=str(tmp_path / "gone"))
    desk.wait(desk.window.empty.model_button.isVisible)
    desk.click(desk.window.empty.model_button)
    page = desk.controller.library.library.page
    desk.wait(lambda: "demo" in page.models)
    desk.click(page.models["demo"].button)
    desk.wait_ready()
    assert not desk.window.empty.model_button.isVisible()


def test_an_idle_model_is_unloaded_and_the_next_question_loads_it_again(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(model__unload_after_minutes=1)
    desk.wait_ready()
    desk.controller.library.idle.look()
    assert desk.controller.models.state.phase == "ready"
    monkeypatch.setattr(idle, "MINUTE_MS", 0)
    desk.controller.library.idle.look()
    assert desk.controller.models.state.phase == "none"
    monkeypatch.undo()
    answer = desk.ask("What is in the picture?")
    assert answer.state == "complete"
    assert desk.controller.models.state.phase == "ready"


def test_a_chat_offers_the_model_it_had(desk: Desk, tmp_path: Path) -> None:
    desk.ask("What is in the picture?")
    first = desk.chat_id
    other = Path(shutil.copytree(demo_model_dir(), tmp_path / "other-model"))
    desk.controller.models.choose(str(other))
    desk.wait_ready()
    desk.controller.chats.new()
    desk.ask("And here?")
    assert desk.store.conversation(desk.chat_id).model_ref == str(other)
    desk.choose_chat(first)
    assert "Demo model" in desk.window.toast.label.text()
    assert desk.store.conversation(first).model_ref == "demo"
    desk.click(desk.window.toast.button)
    desk.wait(lambda: desk.controller.models.state.ref == "demo")
    desk.wait_ready()
    assert [message.role for message in desk.messages()] == ["user", "assistant"]
