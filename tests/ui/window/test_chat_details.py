"""A branch in a chat of its own, a system prompt for one chat, folders."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QDateTime
from PySide6.QtWidgets import QInputDialog, QMessageBox, QPushButton

from app.ui.deleted_chats import DeletedChats
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


def deleted_chats(open_desk: Callable[..., Desk], *titles: str) -> tuple[Desk, DeletedChats, list[str]]:
    """Return a window, its dialog of deleted chats, and the ids of those chats in the order of the list."""
    desk = open_desk(model__load_at_start=False, general__trash_days=7)
    desk.wait(lambda: desk.controller.started)
    ids = [desk.store.create_conversation(title).id for title in titles]
    for conversation_id in ids:
        desk.store.delete(conversation_id)
    desk.window.actions_.restore.trigger()
    return desk, desk.controller.details.deleted, ids[::-1]


def listed(dialog: DeletedChats) -> list[str]:
    return [dialog.list.topLevelItem(row).text(0) for row in range(dialog.list.topLevelItemCount())]


def test_without_deleted_chats_the_dialog_says_so(open_desk: Callable[..., Desk]) -> None:
    _, dialog, _ = deleted_chats(open_desk)
    assert dialog.isVisible()
    assert dialog.empty.isVisible()
    assert not dialog.restore.isEnabled()
    assert not dialog.remove.isEnabled()
    plain = QPushButton(dialog.remove.text(), dialog)
    plain.setEnabled(False)
    plain.resize(dialog.remove.size())
    assert dialog.remove.grab().toImage() == plain.grab().toImage(), "it looks as any other that cannot be pressed"
    assert "for 7 days" in dialog.words.text()
    dialog.show_chats([], 0)
    assert "the next time" in dialog.words.text()


def test_a_deleted_chat_can_be_brought_back_later(open_desk: Callable[..., Desk]) -> None:
    desk, dialog, ids = deleted_chats(open_desk, "Twice", "Twice", "Other")
    assert listed(dialog) == ["Other", "Twice", "Twice"]
    year = str(QDateTime.fromSecsSinceEpoch(int(desk.store.trash()[0].deleted_at)).date().year())[2:]
    assert year in dialog.list.topLevelItem(0).text(1)
    dialog.list.setCurrentItem(dialog.list.topLevelItem(2))
    desk.click(dialog.restore)
    assert desk.chat_id == ids[2], "the one that was deleted first"
    assert [chat.id for chat in desk.store.trash()] == ids[:2]
    assert listed(dialog) == ["Other", "Twice"]


@pytest.mark.parametrize("sure", [False, True])
def test_deleted_chats_go_for_good_once_that_is_confirmed(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch, sure: bool
) -> None:
    desk, dialog, ids = deleted_chats(open_desk, "First", "Second", "Third")
    answer = QMessageBox.StandardButton.Yes if sure else QMessageBox.StandardButton.No
    monkeypatch.setattr(QMessageBox, "question", lambda *_: answer)
    dialog.list.topLevelItem(1).setSelected(True)
    desk.click(dialog.remove)
    left = ids[2:] if sure else ids
    assert [chat.id for chat in desk.store.trash()] == left
    assert len(listed(dialog)) == len(left)


def test_a_chat_that_went_for_good_has_no_undo_left(
    open_desk: Callable[..., Desk], monkeypatch: pytest.MonkeyPatch
) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    desk.controller.chats.delete([desk.store.create_conversation("Gone").id])
    assert desk.window.toast.isVisible()
    desk.window.actions_.restore.trigger()
    monkeypatch.setattr(QMessageBox, "question", lambda *_: QMessageBox.StandardButton.Yes)
    desk.click(desk.controller.details.deleted.remove)
    assert not desk.window.toast.isVisible()
    assert desk.store.trash() == []
