"""The service over a scripted engine: order, stopping, failures, closing, and who runs where."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Never

import pytest

from app.errors import UserError
from app.inference.events import Finished, ImageView, Progress, TextDelta
from app.inference.types import CancelToken, ImageRef
from app.worker.backend import Backend, EngineOptions
from app.worker.mailbox import Mailbox
from app.worker.reports import ModelProgress
from app.worker.service import InferenceService
from tests.worker.scripted import INFO, STATS, ScriptedEngine, question

FIRST, SECOND = EngineOptions(), EngineOptions(prefill_chunk=64)


def _as_it_is(options: EngineOptions) -> EngineOptions:
    return options


class Bench:
    """A service with a scripted engine, and what it has announced."""

    def __init__(self) -> None:
        self.engines: list[ScriptedEngine] = []
        self.service = InferenceService(FIRST, Backend(self._make, _as_it_is))
        self.turns: dict[str, list] = {}
        self.ended: dict[str, str] = {}
        self.threads: set[int] = set()
        self.service.turn_events.connect(self._on_events)
        self.service.turn_failed.connect(lambda turn, sentence, _: self.ended.update({turn: sentence}))
        self.service.turn_stopped.connect(lambda turn: self.ended.update({turn: "stopped"}))

    @property
    def engine(self) -> ScriptedEngine:
        return self.engines[0]

    def text(self, turn: str) -> str:
        return "".join(e.text for e in self.turns.get(turn, []) if isinstance(e, TextDelta))

    def _make(self, config: object) -> ScriptedEngine:
        self.engines.append(ScriptedEngine(config))
        return self.engines[-1]

    def _on_events(self, turn: str, events: list) -> None:
        self.threads.add(threading.get_ident())
        self.turns.setdefault(turn, []).extend(events)
        if isinstance(events[-1], Finished):
            self.ended[turn] = events[-1].finish_reason


@pytest.fixture
def bench(qtbot):
    made = Bench()
    yield made
    assert made.service.close(5.0)


def test_a_loaded_model_answers_in_order(qtbot, bench: Bench) -> None:
    with qtbot.waitSignal(bench.service.model_ready) as ready:
        bench.service.load("demo")
    assert ready.args == [INFO]
    bench.service.generate("a", question("one two"))
    bench.service.generate("b", question("three"))
    qtbot.waitUntil(lambda: {"a", "b"} <= bench.ended.keys())
    assert bench.turns["a"][-1] == Finished("onetwo", (0, 1), "stop", STATS)
    assert bench.text("b") == "three"


def test_everything_of_the_engine_happens_on_one_thread_and_every_signal_on_the_other(qtbot, bench: Bench) -> None:
    bench.service.load("demo")
    bench.service.generate("a", question())
    bench.service.configure(SECOND)
    bench.service.prepare(question())
    with qtbot.waitSignal(bench.service.prepared):
        pass
    engine = bench.engine
    assert bench.service.close(5.0)
    assert bench.threads == {threading.get_ident()}
    assert len(engine.threads) == 1
    assert threading.get_ident() not in engine.threads
    assert engine.closed_on in engine.threads
    assert engine.config == SECOND


def test_5000_pieces_arrive_in_few_signals_and_whole(qtbot, bench: Bench) -> None:
    signals = []
    bench.service.turn_events.connect(lambda turn, events: signals.append(len(events)))
    bench.service.load("demo")
    bench.service.generate("a", question("many"))
    qtbot.waitUntil(lambda: "a" in bench.ended)
    assert bench.text("a") == "x" * 5000
    assert len(signals) < 100


def test_a_failure_inside_becomes_a_sentence_and_the_next_question_is_answered(qtbot, bench: Bench, caplog) -> None:
    bench.service.load("demo")
    with qtbot.waitSignal(bench.service.turn_failed) as failed:
        bench.service.generate("a", question("boom"))
    turn, sentence, details = failed.args
    assert (turn, "ZeroDivisionError" in sentence, "in the model" in details) == ("a", True, True)
    assert "in the model" in caplog.text
    bench.service.generate("b", question("fine"))
    qtbot.waitUntil(lambda: bench.ended.get("b") == "stop")


def test_a_refused_model_is_said_and_so_are_questions_to_it(qtbot, bench: Bench) -> None:
    with qtbot.waitSignal(bench.service.model_failed) as failed:
        bench.service.load("missing")
    assert failed.args == ["There is no model called missing.", ""]
    bench.service.generate("a", question())
    qtbot.waitUntil(lambda: bench.ended.get("a") == "There is no model called missing.")


def test_a_refused_model_leaves_the_present_one_in_use(qtbot, bench: Bench) -> None:
    with qtbot.waitSignal(bench.service.model_ready):
        bench.service.load("demo")
    with qtbot.waitSignals([bench.service.model_failed, bench.service.model_ready], order="strict"):
        bench.service.load("missing")
    bench.service.generate("a", question())
    qtbot.waitUntil(lambda: bench.ended.get("a") == "stop")


def test_an_unloaded_model_answers_nothing(qtbot, bench: Bench) -> None:
    bench.service.load("demo")
    bench.service.unload()
    bench.service.generate("a", question())
    qtbot.waitUntil(lambda: "No model is loaded" in bench.ended.get("a", ""))


@pytest.mark.allows_log("A request to the worker failed")
def test_a_factory_that_fails_is_a_failed_load_and_is_tried_again(qtbot) -> None:
    attempts = []

    def factory(config: object) -> ScriptedEngine:
        attempts.append(config)
        if len(attempts) == 1:
            raise ImportError("no mlx here")
        return ScriptedEngine(config)

    service = InferenceService(FIRST, Backend(factory, _as_it_is))
    with qtbot.waitSignal(service.model_failed) as failed:
        service.load("demo")
    assert "no mlx here" in failed.args[0]
    with qtbot.waitSignal(service.model_ready):
        service.load("demo")
    assert service.close(5.0)


@pytest.mark.parametrize("ref", ["demo", "slow"])
def test_stop_ends_a_turn_whether_it_runs_or_waits_behind_a_load(qtbot, bench: Bench, ref: str) -> None:
    bench.service.load(ref)
    bench.service.generate("a", question("wait"))
    qtbot.waitUntil(lambda: bool(bench.engines) and bench.engine.waiting.is_set())
    bench.service.stop()
    qtbot.waitUntil(lambda: bench.ended.get("a") == "stopped")


def test_work_ahead_gives_way_to_a_question(qtbot, bench: Bench) -> None:
    bench.service.load("demo")
    bench.service.prepare(question("wait"))
    qtbot.waitUntil(lambda: bool(bench.engines) and bench.engine.waiting.is_set())
    with qtbot.waitSignal(bench.service.prepared) as prepared:
        bench.service.generate("a", question("now"))
    assert prepared.args == [(), False, False]
    qtbot.waitUntil(lambda: bench.ended.get("a") == "stop")


def test_cache_news_comes_with_the_overview_of_that_moment(qtbot, bench: Bench) -> None:
    overviews, events = [], []
    bench.service.overview_changed.connect(overviews.append)
    bench.service.cache_events.connect(events.extend)
    bench.service.load("demo")
    bench.service.generate("a", question())
    qtbot.waitUntil(lambda: bool(events))
    assert events[0].kind == "stored"
    assert overviews[-1].total_bytes == 10
    bench.service.clear()
    qtbot.waitUntil(lambda: overviews[-1].total_bytes == 0)


@pytest.mark.allows_log("A request to the worker failed")
def test_a_failed_clear_is_said(qtbot, bench: Bench) -> None:
    with qtbot.waitSignal(bench.service.failed) as failed:
        bench.service.clear("ssd")
    assert "disk gone" in failed.args[0]


@pytest.mark.parametrize("text", ["wait", "many"])
def test_closing_during_an_answer_is_bounded_and_delivers_its_end(qtbot, text: str) -> None:
    bench = Bench()
    bench.service.load("demo")
    bench.service.generate("a", question(text))
    qtbot.waitUntil(lambda: bool(bench.turns.get("a")))
    assert bench.service.close(5.0)
    assert bench.ended["a"] in ("stopped", "stop")
    assert bench.engine.closed_on is not None
    assert bench.service.close(5.0)


def test_closing_before_anything_was_asked_makes_no_engine(qtbot) -> None:
    bench = Bench()
    assert bench.service.close(5.0)
    assert bench.engines == []


def test_the_mailbox_delivers_a_lone_report_without_a_successor(qtbot) -> None:
    mailbox = Mailbox()
    poster = threading.Thread(target=mailbox.post, args=[ModelProgress(Progress("load", 1, 1))])
    with qtbot.waitSignal(mailbox.delivered) as delivered:
        poster.start()
    poster.join()
    assert delivered.args == [[ModelProgress(Progress("load", 1, 1))]]


def unseen(digest: str, width: int) -> ImageRef:
    """Return a picture that nobody may look at."""

    def refuse() -> Never:
        raise AssertionError("it was decoded")

    return ImageRef(digest, width, 10, refuse)


@pytest.mark.allows_log("A request to the worker failed")
def test_images_are_measured_by_the_model_that_is_loaded_then(qtbot, bench: Bench) -> None:
    found: list[tuple[str, ImageView | None]] = []
    bench.service.measured.connect(lambda digest, view, _: found.append((digest, view)))
    bench.service.measure(unseen("before", 20))
    bench.service.load("demo")
    bench.service.measure(unseen("after", 20))
    with qtbot.waitSignal(bench.service.failed):
        bench.service.measure(unseen("odd", 13))
    bench.service.unload()
    with qtbot.waitSignal(bench.service.measured, check_params_cb=lambda digest, *_: digest == "gone"):
        bench.service.measure(unseen("gone", 20))
    assert found == [("before", None), ("after", ImageView(10, 5, 200, tiles=5, tiles_known=4)), ("gone", None)]


def test_a_picture_that_the_model_refuses_is_measured_with_the_reason(qtbot, bench: Bench) -> None:
    found: list[tuple[ImageView | None, str]] = []
    bench.service.measured.connect(lambda _, view, refusal: found.append((view, refusal)))
    tall = replace(unseen("tall", 3), height=900, name="tall.png")
    bench.service.measure(tall)
    bench.service.load("demo")
    told = qtbot.waitSignal(bench.service.measured, check_params_cb=lambda _digest, _view, refusal: bool(refusal))
    with qtbot.assertNotEmitted(bench.service.failed), told:
        bench.service.measure(tall)
    assert found == [(None, ""), (None, "tall.png is too tall.")]


def copying(told: list) -> Callable[..., None]:
    """Return a stand-in for the conversion: ``boom`` fails, ``wait`` goes on until it is stopped."""

    def quantize(ref: str, target: Path, bits: int, on_progress: Callable, cancel: CancelToken) -> None:
        told.append((ref, target, bits, threading.get_ident()))
        on_progress(Progress("load", 1, 100))
        if ref == "refused":
            raise UserError("It is quantized already.")
        if ref == "boom":
            raise ZeroDivisionError("in the library")
        while ref == "wait" and not cancel.cancelled:
            time.sleep(0.001)
        cancel.check()

    return quantize


@pytest.fixture
def copier(qtbot):
    """A service whose conversions are stand-ins, and what these were asked."""
    asked: list = []
    service = InferenceService(FIRST, Backend(ScriptedEngine, _as_it_is, quantize=copying(asked)))
    yield service, asked
    assert service.close(5.0)


@pytest.mark.parametrize(
    ("ref", "sentence", "ours"),
    [("good", "", False), ("refused", "It is quantized already.", False), ("boom", "Something went wrong", True)],
)
@pytest.mark.allows_log("A request to the worker failed")
def test_a_copy_is_made_on_the_worker_s_thread_and_its_end_is_told(
    qtbot, copier, tmp_path: Path, ref: str, sentence: str, ours: bool
) -> None:
    service, asked = copier
    steps: list = []
    service.quantize_progress.connect(lambda *told: steps.append(told))
    with qtbot.waitSignal(service.quantized) as ended:
        service.quantize(ref, tmp_path / "copy", 4)
    assert asked[0][:3] == (ref, tmp_path / "copy", 4)
    assert asked[0][3] != threading.get_ident()
    assert steps == [(ref, Progress("load", 1, 100))]
    (report,) = ended.args
    assert (report.ref, report.target, report.stopped) == (ref, str(tmp_path / "copy"), False)
    assert report.sentence.startswith(sentence)
    assert bool(report.details) is ours


def test_a_copy_can_be_stopped_while_it_runs_and_while_it_waits(qtbot, copier, tmp_path: Path) -> None:
    service, asked = copier
    ends: list = []
    service.quantized.connect(ends.append)
    service.quantize("wait", tmp_path / "one", 4)
    service.quantize("good", tmp_path / "two", 8)
    qtbot.waitUntil(lambda: bool(asked))
    service.stop_quantizing("good")
    service.stop_quantizing("wait")
    qtbot.waitUntil(lambda: len(ends) == 2)
    assert [(end.ref, end.stopped) for end in ends] == [("wait", True), ("good", True)]
    assert len(asked) == 1
