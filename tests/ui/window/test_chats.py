"""Chats in the real window: naming, branches, switching while an answer runs, deleting with a way back, search."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.ui.requests import UNTITLED
from tests.ui.window.conftest import Desk


def titles(desk: Desk) -> list[str]:
    model = desk.window.sidebar.model
    rows = (model.index(n) for n in range(model.rowCount()))
    return [index.data() for index in rows if model.conversation(index) is not None]


def test_a_chat_is_named_after_its_first_question_and_again_by_hand(desk: Desk) -> None:
    assert titles(desk) == []
    assert desk.window.toolbar.title.text() == UNTITLED
    desk.ask("Hello there")
    assert titles(desk) == ["Hello there"]
    field = desk.window.toolbar.title
    field.selectAll()
    desk.qtbot.keyClicks(field, "Greetings")
    desk.keys_in(field)
    assert titles(desk) == ["Greetings"]
    assert desk.store.conversation(desk.chat_id).title == "Greetings"


def test_an_edit_keeps_the_images_and_both_versions_can_be_seen(desk: Desk, pictures: Path) -> None:
    desk.drop(pictures / "first.png")
    first = desk.ask("What is in the picture?")
    question = desk.widget(0)
    desk.click(question.edit_button)
    question.field.selectAll()
    desk.qtbot.keyClicks(question.field, "Which colour is it?")
    second = desk.sends(lambda: desk.keys_in(question.field))
    shown = desk.messages()
    assert [m.text for m in shown] == ["Which colour is it?", second.text]
    assert [image.name for image in shown[0].images] == ["first.png"]
    assert (shown[0].sibling, shown[0].siblings) == (1, 2)
    desk.window.messages.sibling_requested.emit(shown[0].id, 0)
    assert [m.id for m in desk.messages()][1] == first.id
    assert desk.messages()[0].text == "What is in the picture?"


def test_an_answer_goes_on_while_another_chat_is_shown(desk: Desk) -> None:
    ended = []
    desk.controller.dialogue.answers.ended.connect(lambda message, _: ended.append(message))
    desk.type("Count to ten, please")
    desk.press_enter()
    chat = desk.chat_id
    desk.keys("Ctrl+N")
    assert desk.messages() == []
    assert desk.window.composer.send_button.accessibleName() == "Send"
    desk.wait(lambda: ended)
    assert desk.messages() == []
    desk.choose_chat(chat)
    assert desk.messages()[-1] == ended[0]
    assert ended[0].state == "complete"


def test_deleting_can_be_undone(desk: Desk) -> None:
    desk.ask("Hello")
    chat = desk.chat_id
    desk.window.actions_.delete.trigger()
    assert titles(desk) == []
    assert desk.messages() == []
    assert desk.window.toast.isVisible()
    desk.click(desk.window.toast.button)
    assert titles(desk) == ["Hello"]
    assert desk.chat_id == chat
    assert len(desk.messages()) == 2


def test_drafts_stay_with_their_chats(desk: Desk) -> None:
    desk.ask("Hello")
    chat = desk.chat_id
    desk.type("not sent")
    desk.keys("Ctrl+N")
    assert desk.window.composer.draft().text == ""
    desk.choose_chat(chat)
    assert desk.window.composer.draft().text == "not sent"


def test_search_finds_words_in_messages_and_opens_there(desk: Desk) -> None:
    desk.ask("Where is the zebra")
    desk.keys("Ctrl+N")
    desk.ask("Nothing of interest")
    desk.keys("Ctrl+Shift+F")
    desk.qtbot.keyClicks(desk.window.sidebar.search, "zebra")
    desk.wait(lambda: titles(desk) == ["Where is the zebra"])
    first = desk.store.conversations("zebra")[0].id
    desk.choose_chat(first)
    assert desk.chat_id == first
    desk.window.sidebar.search.clear()
    desk.wait(lambda: len(titles(desk)) == 2)


def test_an_incognito_chat_leaves_nothing_on_disk(desk: Desk, pictures: Path) -> None:
    desk.window.actions_.new_incognito.trigger()
    desk.drop(pictures / "first.png")
    desk.ask("What is secret here?")
    assert desk.controller.chats.current.incognito
    data = desk.store.data_dir
    desk.window.close()
    assert list((data / "images").rglob("*.png")) == []
    assert b"secret" not in b"".join(p.read_bytes() for p in data.glob("conversations*"))


def test_pictures_of_a_deleted_incognito_chat_are_forgotten_once_it_cannot_come_back(
    open_desk: Callable[..., Desk], pictures: Path
) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    chats, images, toast = desk.controller.chats, desk.controller.images, desk.window.toast
    digests = []
    for name in ("first.png", "second.png", "other.png"):
        desk.window.actions_.new_incognito.trigger()
        desk.drop(pictures / name)
        digests.append(desk.window.composer.draft().images[0].digest)
        chats.save_draft()
    first, second = (chat.id for chat in sorted(desk.store.conversations(), key=lambda c: c.created_at)[:2])
    chats.delete([first])
    desk.click(toast.button)
    chats.delete([first])
    chats.delete([second])
    assert [digest in images for digest in digests] == [False, True, True], "the second can still come back"
    toast.say("Something else")
    assert [digest in images for digest in digests] == [False, False, True]
    for thumbnails in (desk.window.composer.thumbnails, desk.window.messages.thumbnails):
        assert {digest for digest, _ in thumbnails._pixmaps} <= {digests[2]}
    desk.window.close()
    assert digests[2] not in images


def test_words_of_a_deleted_incognito_chat_are_gone_once_it_cannot_come_back(
    open_desk: Callable[..., Desk],
) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    chats = desk.controller.chats

    def in_memory() -> bytes:
        return desk.store._memory._connection.serialize()

    for words in ("first zebrasecret", "second"):
        desk.window.actions_.new_incognito.trigger()
        desk.store.add_message(chats.kept().id, "user", words)
    first = next(chat.id for chat in desk.store.conversations("zebrasecret"))
    chats.delete([first])
    assert b"zebrasecret" in in_memory(), "it can still come back"
    desk.click(desk.window.toast.button)
    assert desk.store.messages(first)[0].text == "first zebrasecret"
    chats.delete([first])
    desk.window.toast.say("Something else")
    assert b"zebrasecret" not in in_memory()
    assert b"second" in in_memory()
    assert [chat.id for chat in desk.store.conversations()] != [first]


def test_an_ordinary_chat_stays_in_the_trash_when_the_offer_lapses(open_desk: Callable[..., Desk]) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    chat = desk.controller.chats.kept()
    desk.controller.chats.delete([chat.id])
    desk.window.toast.say("Something else")
    assert [kept.id for kept in desk.store.trash()] == [chat.id]


def test_a_new_chat_without_a_word_is_not_kept(desk: Desk) -> None:
    desk.keys("Ctrl+N", "Ctrl+N")
    assert desk.store.conversations() == []
