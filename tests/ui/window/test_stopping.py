"""Stopping and closing at every stage: load, encode, prefill, decode. The engine is the real one, held at a stage."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt

from app.inference.events import Event, ModelInfo, Progress, TextDelta
from app.inference.types import CancelToken, ChatRequest
from app.worker.backend import REAL, Backend, EngineOptions
from app.worker.jobs import EngineLike
from tests.ui.window.conftest import LONG, Desk

STAGES = ("load", "encode", "prefill", "decode")


class Held:
    """The real engine, which waits at one stage until the stop sign is set, so that a test can act at that stage."""

    def __init__(self, engine: EngineLike, stage: str) -> None:
        self._engine = engine
        self._stage = stage
        self.reached = threading.Event()

    def __getattr__(self, name: str) -> Any:
        return getattr(self._engine, name)

    def load(self, ref: str, on_progress: Callable[[Progress], None], cancel: CancelToken) -> ModelInfo:
        if self._stage == "load":
            self._hold(cancel)
        return self._engine.load(ref, on_progress, cancel)

    def generate(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Event]:
        for event in self._engine.generate(request, cancel):
            yield event
            at = event.stage if isinstance(event, Progress) else "decode"
            if at == self._stage and (isinstance(event, Progress | TextDelta)):
                self._hold(cancel)

    def _hold(self, cancel: CancelToken) -> None:
        self.reached.set()
        assert cancel._event.wait(LONG / 1000)


def held(stage: str) -> tuple[Backend, list[Held]]:
    made: list[Held] = []

    def make(options: EngineOptions) -> EngineLike:
        made.append(Held(REAL.make(options), stage))
        return made[-1]

    return Backend(make, REAL.config), made


@pytest.mark.parametrize("stage", STAGES)
def test_stop_at_every_stage_and_ask_again(open_desk: Callable[..., Desk], pictures: Path, stage: str) -> None:
    backend, engines = held(stage)
    desk = open_desk(backend)
    desk.wait(lambda: engines and engines[0].reached.is_set()) if stage == "load" else desk.wait_ready()
    desk.drop(pictures / "first.png")
    desk.type("What is in the picture?")
    desk.press_enter()
    desk.wait(lambda: engines and engines[0].reached.is_set())
    desk.wait(lambda: desk.messages()[-1].state == "streaming")
    answer = desk.sends(lambda: desk.click(desk.window.composer.send_button))
    assert answer.state == "stopped"
    engines[0]._stage = ""
    again = desk.ask("Which colour is it?")
    assert again.state == "complete"
    assert again.text


@pytest.mark.parametrize("stage", STAGES)
def test_closing_at_every_stage_is_clean_and_keeps_the_chat(
    open_desk: Callable[..., Desk], pictures: Path, stage: str
) -> None:
    backend, engines = held(stage)
    desk = open_desk(backend)
    desk.wait(lambda: engines and engines[0].reached.is_set()) if stage == "load" else desk.wait_ready()
    desk.drop(pictures / "first.png")
    desk.type("What is in the picture?")
    desk.press_enter()
    desk.wait(lambda: engines and engines[0].reached.is_set())
    closed: list[bool] = []
    desk.controller.closed.connect(closed.append)
    desk.window.close()
    assert closed == [True]
    assert desk.opened.service._thread.isFinished()
    reopened = open_desk()
    desk.wait(lambda: reopened.controller.chats.current is not None)
    question, answer = reopened.messages()
    assert (question.text, len(question.images)) == ("What is in the picture?", 1)
    assert answer.state == "stopped"


def test_escape_stops_too(open_desk: Callable[..., Desk]) -> None:
    backend, engines = held("decode")
    desk = open_desk(backend)
    desk.wait_ready()
    desk.type("Hello")
    desk.press_enter()
    desk.wait(engines[0].reached.is_set)
    desk.activate()
    answer = desk.sends(lambda: desk.qtbot.keyClick(desk.window.composer.edit, Qt.Key.Key_Escape))
    assert answer.state == "stopped"


@pytest.mark.parametrize("stage", ["prefill", "decode"])
def test_an_incognito_chat_can_go_for_good_while_its_answer_is_still_stopping(
    open_desk: Callable[..., Desk], stage: str
) -> None:
    backend, engines = held(stage)
    desk = open_desk(backend)
    other = desk.store.create_conversation("Another")
    desk.wait_ready()
    desk.keys("Ctrl+Shift+N")
    desk.type("How many shapes are there?")
    desk.press_enter()
    desk.wait(engines[0].reached.is_set)
    chat_id = desk.chat_id
    desk.controller.chats.delete([chat_id])
    desk.controller.chats.delete([other.id])  # its notice ends the other's, and with it the way back
    with pytest.raises(KeyError):
        desk.store.conversation(chat_id)
    engines[0]._stage = ""
    desk.controller.chats.new()
    assert desk.ask("Hello").state == "complete"


def test_mlx_lives_on_the_worker_thread_only(open_desk: Callable[..., Desk], monkeypatch) -> None:
    """Calls of the engine come from one thread, which is not the GUI's; Qt signals arrive on the GUI's."""
    seen: set[int] = set()

    class Watched(Held):
        def generate(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Event]:
            seen.add(threading.get_ident())
            return super().generate(request, cancel)

        def load(self, ref, on_progress, cancel) -> ModelInfo:
            seen.add(threading.get_ident())
            return super().load(ref, on_progress, cancel)

    desk = open_desk(Backend(lambda options: Watched(REAL.make(options), ""), REAL.config))
    arrived: set[int] = set()
    desk.controller.dialogue.answers.grew.connect(lambda *_: arrived.add(threading.get_ident()))
    desk.wait_ready()
    desk.ask("Hello")
    assert len(seen) == 1
    assert threading.get_ident() not in seen
    assert arrived == {threading.get_ident()}
    assert "mlx.core" in sys.modules
