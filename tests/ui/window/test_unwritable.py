"""Conversations that cannot be written any more: what was typed and read stays in sight, and it is said why."""

from __future__ import annotations

import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.ui.crash import CrashReporter
from app.ui.logs import LogTail
from tests.ui.window.conftest import Desk
from tests.ui.window.test_stopping import held

REFUSED = "conversations.sqlite cannot be read or written"

pytestmark = pytest.mark.allows_log(REFUSED)


def let_write(desk: Desk, *, allowed: bool) -> None:
    """Let the file of the conversations take what is written, or refuse it as a full or write-protected disk does."""
    desk.store._disk._connection.execute(f"PRAGMA query_only = {not allowed}")


@pytest.fixture
def told(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The sentences that the app says where nobody else caught a refusal."""
    sentences: list[str] = []
    reporter = CrashReporter(LogTail())
    reporter.refused.connect(sentences.append)
    monkeypatch.setattr(sys, "excepthook", reporter.on_exception)
    return sentences


@pytest.mark.parametrize("old", [False, True])
def test_a_question_that_cannot_be_saved_stays_in_the_composer(
    desk: Desk, pictures: Path, told: list[str], old: bool
) -> None:
    before = 2 if old and desk.ask("Hello") else 0
    desk.drop(pictures / "first.png")
    desk.type("What is in the picture?")
    let_write(desk, allowed=False)

    desk.press_enter()

    draft = desk.window.composer.draft()
    assert (draft.text, [image.name for image in draft.images]) == ("What is in the picture?", ["first.png"])
    assert len(desk.messages()) == before
    assert REFUSED in told[0]
    let_write(desk, allowed=True)
    assert desk.sends(desk.press_enter).state == "complete"
    assert len(desk.messages()) == before + 2


def test_an_answer_whose_end_cannot_be_saved_is_over_and_stays_in_sight(open_desk: Callable[..., Desk]) -> None:
    backend, engines = held("decode")
    desk = open_desk(backend)
    desk.wait_ready()
    desk.type("Tell me.")
    desk.press_enter()
    desk.wait(engines[0].reached.is_set)
    desk.wait(lambda: desk.widget(-1).texts())
    let_write(desk, allowed=False)
    answers = desk.controller.dialogue.answers

    with desk.qtbot.waitSignal(answers.ended) as ended:
        desk.click(desk.window.composer.send_button)

    message, _ = ended.args
    assert message.state == "failed"
    assert message.text
    assert REFUSED in message.error
    assert REFUSED in desk.widget(-1).note.sentence.text()
    assert "".join(text.toPlainText() for text in desk.widget(-1).texts()).strip() == message.text.strip()
    assert len(answers) == 0
    let_write(desk, allowed=True)


def test_what_could_not_be_saved_once_is_saved_later(open_desk: Callable[..., Desk], told: list[str]) -> None:
    backend, engines = held("decode")
    desk = open_desk(backend)
    desk.wait_ready()
    desk.type("Tell me.")
    desk.press_enter()
    desk.wait(engines[0].reached.is_set)
    desk.wait(lambda: desk.widget(-1).texts())
    let_write(desk, allowed=False)
    desk.wait(lambda: told)
    let_write(desk, allowed=True)
    desk.controller.chats.leaving.emit()
    assert desk.store.message(desk.messages()[-1].id).text
    desk.sends(lambda: desk.click(desk.window.composer.send_button))


def test_a_window_whose_draft_cannot_be_saved_closes(desk: Desk) -> None:
    ended: list[bool] = []
    desk.controller.closed.connect(ended.append)
    desk.type("A draft")
    let_write(desk, allowed=False)
    desk.window.close()
    assert ended == [True]


def test_an_edit_that_cannot_be_saved_keeps_its_words_in_the_editor(desk: Desk, told: list[str]) -> None:
    desk.ask("Hello")
    card = desk.widget(0)
    card.start_editing()
    card.field.setPlainText("Good morning")
    let_write(desk, allowed=False)

    desk.keys_in(card.field)

    assert REFUSED in told[0]
    assert card.in_use
    assert card.field.toPlainText() == "Good morning"
    let_write(desk, allowed=True)
    assert desk.sends(lambda: desk.keys_in(card.field)).state == "complete"
    assert desk.messages()[0].text == "Good morning"
    assert not desk.widget(0).in_use
    desk.window.messages.sibling_requested.emit(desk.messages()[0].id, 0)
    assert desk.messages()[0].text == "Hello"
    assert desk.messages()[0].siblings == 2
