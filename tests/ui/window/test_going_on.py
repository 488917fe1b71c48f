"""Going on with a cut answer, by button and by key, at once and after a restart: the words are those of a whole one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from app.store.records import StoredMessage
from demo_model import draw
from tests.ui.window.conftest import Desk
from tests.ui.window.test_stopping import Held, held

QUESTION = "How many shapes are there?"


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    """A window as the demo model knows them: its answer is short, and ends by itself."""
    path = tmp_path / "window.png"
    draw(16)[0].save(path)
    return path


def whole_answer(desk: Desk, picture: Path) -> StoredMessage:
    """Return what the model says to the question when nobody stops it, in a chat of its own."""
    desk.controller.chats.new()
    desk.drop(picture)
    return desk.ask(QUESTION)


def cut(desk: Desk, engines: list[Held], picture: Path) -> StoredMessage:
    """Stop the answer right after its first piece."""
    desk.wait_ready()
    desk.drop(picture)
    desk.type(QUESTION)
    desk.press_enter()
    desk.wait(engines[0].reached.is_set)
    answer = desk.sends(lambda: desk.click(desk.window.composer.send_button))
    engines[0]._stage = ""
    assert answer.state == "stopped"
    assert answer.text
    return answer


def test_the_button_under_a_stopped_answer_goes_on_with_it(open_desk: Callable[..., Desk], picture: Path) -> None:
    backend, engines = held("decode")
    desk = open_desk(backend)
    begun = cut(desk, engines, picture)
    note = desk.widget(-1).note
    done = desk.sends(lambda: desk.click(note.button))
    assert (done.id, done.state) == (begun.id, "complete")
    assert done.text.startswith(begun.text)
    assert len(desk.messages()) == 2
    assert done.stats["reused_tokens"] >= done.stats["prompt_tokens"] - 2, "what was read is not run again"
    assert desk.widget(-1).note is None
    assert done.text == whole_answer(desk, picture).text


def test_tomorrow_a_key_goes_on_with_it(open_desk: Callable[..., Desk], picture: Path) -> None:
    backend, engines = held("decode")
    desk = open_desk(backend)
    begun = cut(desk, engines, picture)
    desk.window.close()
    reopened = open_desk()
    reopened.wait_ready()
    assert reopened.window.actions_.go_on.isEnabled()
    done = reopened.sends(lambda: reopened.keys("Ctrl+Shift+G"))
    assert done.id == begun.id
    assert done.text == whole_answer(reopened, picture).text


def test_an_answer_at_the_length_limit_can_be_gone_on_with(open_desk: Callable[..., Desk], picture: Path) -> None:
    desk = open_desk(generation__max_tokens=2)
    desk.wait_ready()
    desk.drop(picture)
    begun = desk.ask(QUESTION)
    assert begun.stats["finish_reason"] == "length"
    assert begun.stats["generated_tokens"] == 2
    desk.controller.tuning.change("generation", "max_tokens", 12)
    done = desk.sends(lambda: desk.click(desk.widget(-1).note.button))
    assert done.text == whole_answer(desk, picture).text
    assert len(done.token_ids) > 2


def test_a_finished_answer_has_nothing_to_go_on_with(desk: Desk) -> None:
    assert not desk.window.actions_.go_on.isEnabled()
    answer = desk.ask("Hello")
    cut_short = answer.stats["finish_reason"] == "length"
    assert desk.window.actions_.go_on.isEnabled() is cut_short
