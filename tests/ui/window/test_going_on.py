"""Going on with a cut answer, by button and by key, at once and after a restart: the words are those of a whole one."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from app.store.records import StoredMessage
from demo_model import draw
from tests.models import SPECS, build
from tests.models.templates import THINKING_ALWAYS
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


# A thought

LONG_QUESTION = "How many shapes are there, and which of them is the largest? " * 3


@pytest.fixture(scope="module")
def thinker(tmp_path_factory: pytest.TempPathFactory) -> str:
    """A model whose answers begin inside a thought."""
    return str(build(replace(SPECS["text_qwen3"], template=THINKING_ALWAYS), tmp_path_factory.mktemp("thinker") / "it"))


@pytest.fixture
def in_thought(open_desk: Callable[..., Desk], thinker: str) -> tuple[Desk, StoredMessage, list[Held]]:
    """A window, and its last answer, which was stopped inside a thought."""
    backend, engines = held("decode")
    desk = open_desk(backend, model__ref=thinker)
    desk.wait_ready()
    desk.type(LONG_QUESTION)
    desk.press_enter()
    desk.wait(engines[0].reached.is_set)
    thought = desk.sends(lambda: desk.click(desk.window.composer.send_button))
    engines[0]._stage = ""
    assert (thought.state, thought.text) == ("stopped", "")
    assert thought.thinking
    return desk, thought, engines


def test_a_thought_that_was_stopped_is_gone_on_with(in_thought: tuple[Desk, StoredMessage, list[Held]]) -> None:
    desk, begun, _ = in_thought
    note = desk.widget(-1).note
    assert note.sentence.text() == "Stopped."
    assert desk.window.actions_.go_on.isEnabled()

    done = desk.sends(lambda: desk.click(note.button))

    assert (done.id, done.state) == (begun.id, "complete")
    assert done.thinking.startswith(begun.thinking)
    assert done.stats["reused_tokens"] >= done.stats["prompt_tokens"] - 1, "what was read and thought is not run again"
    assert desk.widget(-1).thinking.text() == done.thinking
    assert desk.widget(-1).note.button.text() == "Continue", "it met the length limit, still thinking"
    desk.controller.chats.new()
    whole = desk.ask(LONG_QUESTION)
    assert whole.token_ids[: len(done.token_ids)] == done.token_ids[: len(whole.token_ids)]
    assert done.thinking.startswith(whole.thinking)


def test_a_thought_waits_for_a_model_that_thinks(
    in_thought: tuple[Desk, StoredMessage, list[Held]], thinker: str, checkpoints: Callable[[str], Path]
) -> None:
    desk, begun, _ = in_thought

    desk.controller.models.choose(str(checkpoints("text_llama")))
    desk.wait(lambda: not desk.widget(-1).note.button.isEnabled())

    assert "text_llama does not think" in desk.widget(-1).note.sentence.text()
    assert not desk.window.actions_.go_on.isEnabled()
    desk.controller.models.choose(thinker)
    desk.wait_ready()
    desk.wait(lambda: desk.widget(-1).note.sentence.text() == "Stopped.")
    assert desk.widget(-1).note.button.isEnabled()
    done = desk.sends(lambda: desk.keys("Ctrl+Shift+G"))
    assert done.id == begun.id
    assert done.thinking.startswith(begun.thinking)


# What cannot be gone on with now


def chosen(desk: Desk, ref: str) -> None:
    desk.window.actions_.unload.trigger()  # else a model that cannot be loaded leaves this one in place
    desk.controller.models.choose(ref)
    desk.wait(lambda: desk.controller.models.state.ref == ref and desk.controller.models.state.phase != "loading")


def fails_to_go_on(desk: Desk, begun: StoredMessage) -> str:
    """Press “Continue”, which changes nothing of the answer; return what the window says then."""
    left = desk.sends(lambda: desk.click(desk.widget(-1).note.button))
    assert left == replace(begun, error=left.error)
    assert left.stats == begun.stats
    assert left.error
    note = desk.widget(-1).note
    assert note.button.text() == "Continue"
    assert note.button.isEnabled()
    assert desk.window.actions_.go_on.isEnabled()
    assert desk.messages() == desk.store.messages(desk.chat_id)
    (picture,) = desk.messages()[0].images
    assert desk.controller.dialogue.ahead.state_of(picture.digest) == "new", "this model has not seen it"
    return note.sentence.text()


@pytest.mark.parametrize("model", ["blind", "missing"])
def test_an_answer_stays_as_it_was_where_it_cannot_be_gone_on_with(
    open_desk: Callable[..., Desk], picture: Path, checkpoints: Callable[[str], Path], model: str
) -> None:
    backend, engines = held("decode")
    desk = open_desk(backend)
    begun = cut(desk, engines, picture)
    right = desk.controller.models.state.ref

    chosen(desk, str(checkpoints("text_llama") if model == "blind" else picture.parent / "nowhere"))
    said = fails_to_go_on(desk, begun)

    assert said.startswith("Stopped. ")
    assert ("text_llama" if model == "blind" else "nowhere") in said
    chosen(desk, right)
    done = desk.sends(lambda: desk.click(desk.widget(-1).note.button))
    assert (done.id, done.state, done.error) == (begun.id, "complete", "")
    assert len(desk.messages()) == 2
    assert desk.widget(-1).note is None
    assert done.text == whole_answer(desk, picture).text


def test_tomorrow_it_still_says_why_and_is_gone_on_with(
    open_desk: Callable[..., Desk], picture: Path, checkpoints: Callable[[str], Path]
) -> None:
    backend, engines = held("decode")
    desk = open_desk(backend)
    begun = cut(desk, engines, picture)
    chosen(desk, str(checkpoints("text_llama")))
    said = fails_to_go_on(desk, begun)
    desk.window.close()

    reopened = open_desk()
    reopened.wait_ready()

    assert reopened.widget(-1).note.sentence.text() == said
    done = reopened.sends(lambda: reopened.keys("Ctrl+Shift+G"))
    assert (done.id, done.state) == (begun.id, "complete")
    assert done.text == whole_answer(reopened, picture).text


def test_an_answer_at_the_length_limit_stays_one(
    open_desk: Callable[..., Desk], picture: Path, checkpoints: Callable[[str], Path]
) -> None:
    desk = open_desk(generation__max_tokens=2)
    desk.wait_ready()
    desk.drop(picture)
    begun = desk.ask(QUESTION)
    chosen(desk, str(checkpoints("text_llama")))
    assert fails_to_go_on(desk, begun).startswith("Stopped at the length limit of the settings. ")


def test_an_answer_is_not_gone_on_with_twice_at_once(open_desk: Callable[..., Desk], picture: Path) -> None:
    backend, engines = held("")
    desk = open_desk(backend, generation__max_tokens=2)
    desk.wait_ready()
    desk.drop(picture)
    assert desk.ask(QUESTION).stats["finish_reason"] == "length"
    engines[0]._stage = "decode"
    desk.keys("Ctrl+Shift+G")
    desk.wait(engines[0].reached.is_set)
    assert not desk.window.actions_.go_on.isEnabled()


def test_a_thought_that_could_not_be_gone_on_with_says_so_once(
    in_thought: tuple[Desk, StoredMessage, list[Held]], thinker: str, checkpoints: Callable[[str], Path]
) -> None:
    desk, begun, _ = in_thought

    desk.controller.models.choose(str(checkpoints("text_llama")))
    left = desk.sends(lambda: desk.click(desk.widget(-1).note.button))  # while the model still loads

    assert (left.id, left.state, left.thinking) == (begun.id, "stopped", begun.thinking)
    assert desk.widget(-1).note.sentence.text().count("does not think") == 1
    assert not desk.widget(-1).note.button.isEnabled()
    chosen(desk, thinker)
    assert desk.widget(-1).note.button.isEnabled()
    done = desk.sends(lambda: desk.keys("Ctrl+Shift+G"))
    assert (done.id, done.error) == (begun.id, "")
    assert done.thinking.startswith(begun.thinking)
