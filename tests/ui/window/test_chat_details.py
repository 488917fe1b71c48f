"""A branch in a chat of its own, a system prompt for one chat, folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QInputDialog

from app.ui.sidebar.model import ROW
from app.ui.sidebar.rows import Heading
from tests.ui.window.conftest import Desk


def answers_dialog(monkeypatch: pytest.MonkeyPatch, method: str, text: str, accepted: bool = True) -> None:
    monkeypatch.setattr(QInputDialog, method, lambda *_: (text, accepted))


def test_a_fork_goes_on_in_a_new_chat_and_reuses_what_both_share(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png")
    first = desk.ask("What is in the picture?")
    desk.ask("Which colour is it?")
    source = desk.chat_id
    desk.click(desk.widget(1).fork_button)
    assert desk.chat_id != source
    assert [m.text for m in desk.messages()] == ["What is in the picture?", first.text]
    assert desk.window.toolbar.title.text() == "What is in the picture? (branch)"
    answer = desk.ask("How many shapes are there?")
    assert answer.stats["encoder_calls"] == 0
    assert answer.stats["reused_tokens"] > 0
    assert len(desk.store.messages(source)) == 4


def test_a_chat_can_have_a_system_prompt_of_its_own(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(generation__system_prompt="Be brief.")
    desk.wait_ready()
    asked: list[str] = []
    generate = desk.opened.service.generate
    monkeypatch.setattr(
        desk.opened.service,
        "generate",
        lambda turn, request: asked.append(request.messages[0].text) or generate(turn, request),
    )
    desk.ask("Hello")
    answers_dialog(monkeypatch, "getMultiLineText", "Answer in rhymes. ")
    desk.window.actions_.system_prompt.trigger()
    desk.ask("Hello again")
    answers_dialog(monkeypatch, "getMultiLineText", "Not wanted", accepted=False)
    desk.window.actions_.system_prompt.trigger()
    desk.ask("Once more")
    assert asked == ["Be brief.", "Answer in rhymes.", "Answer in rhymes."]


def test_chats_are_put_into_folders_and_out_again(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    chat = desk.store.create_conversation("Login screens")
    desk.controller.chats.refresh()
    sidebar = desk.window.sidebar

    def move(text: str) -> list[str]:
        answers_dialog(monkeypatch, "getItem", text)
        menu = sidebar.menu_for(desk.store.conversation(chat.id))
        next(action for action in menu.actions() if action.text() == "Move to folder…").trigger()
        rows = [sidebar.model.index(n).data(ROW) for n in range(sidebar.model.rowCount())]
        return [row.text for row in rows if isinstance(row, Heading)]

    assert move("  Work ") == ["Work"]
    assert desk.store.conversation(chat.id).folder == "Work"
    assert move("") == ["Today"]


def test_a_deleted_chat_can_be_brought_back_later(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    desk.window.actions_.restore.trigger()
    assert desk.window.toast.label.text() == "There are no deleted chats."
    chats = [desk.store.create_conversation("Twice") for _ in range(2)]
    for chat in chats:
        desk.store.delete(chat.id)
    offered: list[list[str]] = []

    def choose_last(_parent: object, _title: str, _label: str, items: list[str], *_: object) -> tuple[str, bool]:
        offered.append(items)
        return items[-1], True

    monkeypatch.setattr(QInputDialog, "getItem", choose_last)
    desk.window.actions_.restore.trigger()
    assert len(offered[0]) == 2
    assert desk.chat_id == chats[0].id, "the one that was deleted first"
    assert [chat.id for chat in desk.store.trash()] == [chats[1].id]
