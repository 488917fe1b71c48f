"""The object that lives on the worker thread, owns the engine, and with it everything of MLX."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Slot

from app.errors import UserError
from app.inference.types import Cancelled, CancelToken
from app.worker import jobs
from app.worker.backend import Backend, EngineOptions
from app.worker.reports import (
    CacheEntries,
    CacheNews,
    Measured,
    ModelFailed,
    ModelProgress,
    ModelReady,
    Prepared,
    PrepareProgress,
    Quantized,
    QuantizeProgress,
    Report,
    ServiceFailed,
    TurnEvents,
    TurnFailed,
    TurnStopped,
)

if TYPE_CHECKING:
    from app.cache.events import CacheEvent
    from app.inference.events import ModelInfo, Progress
    from app.inference.types import ChatRequest

log = logging.getLogger(__name__)

NO_MODEL = "No model is loaded. Choose one in the model menu."
LOADING_STOPPED = "Loading was stopped."


class EngineHost(QObject):
    """Runs one job after the other. Whatever a job raises becomes a report; the thread lives on.

    Args:
        backend: makes the engine when the first job needs one.
        options: what the engine is made with.
        post: takes reports, from any thread.
    """

    def __init__(self, backend: Backend, options: EngineOptions, post: Callable[[Report], None]) -> None:
        super().__init__()
        self._backend = backend
        self._options = options
        self._post = post
        self._engine: jobs.EngineLike | None = None
        self._model_failure = ""

    @Slot(object)
    def run(self, job: jobs.Job) -> None:
        """Do one job. The stop sign of a finished one is set, by which the service knows that it is done."""
        self._do(job)
        if isinstance(job, jobs.CancellableJob):
            job.cancel.cancel()
        if self._engine is not None:
            self._post(self._backend.memory())

    def _do(self, job: jobs.Job) -> None:
        match job:
            case jobs.Load():
                self._load(job)
            case jobs.Generate():
                self._generate(job)
            case jobs.Prepare():
                self._prepare(job)
            case jobs.Quantize():
                self._quantize(job)
            case jobs.Measure():
                self._guarded(lambda: self._measure(job))
            case jobs.ListEntries():
                self._guarded(self._list_entries)
            case jobs.Close():
                self._close()
            case _:
                self._guarded(lambda: self._change(job))

    def _load(self, job: jobs.Load) -> None:
        try:
            job.cancel.check()
            engine = self._ready_engine()
            info = engine.load(job.ref, lambda progress: self._post(ModelProgress(progress)), job.cancel)
        except Cancelled:
            self._model_failed(ModelFailed(LOADING_STOPPED, stopped=True))
        except Exception as error:  # noqa: BLE001 - whatever it is, the user must see it and the thread live on
            self._model_failed(ModelFailed(*_in_words(error)))
        else:
            self._post(ModelReady(info))
            self._post(CacheNews((), engine.caches.overview()))

    def _model_failed(self, failure: ModelFailed) -> None:
        self._model_failure = failure.sentence
        self._post(failure)
        if still := self._model():
            self._post(ModelReady(still))

    def _model(self) -> ModelInfo | None:
        return self._engine.model if self._engine is not None else None

    def _generate(self, job: jobs.Generate) -> None:
        if job.cancel.cancelled:
            self._post(TurnStopped(job.turn_id))
            return
        if self._model() is None:
            self._post(TurnFailed(job.turn_id, self._model_failure or NO_MODEL))
            return
        try:
            for event in self._ready_engine().generate(job.request, job.cancel):
                self._post(TurnEvents(job.turn_id, (event,)))
        except Cancelled:
            self._post(TurnStopped(job.turn_id))
        except Exception as error:  # noqa: BLE001 - as above
            self._post(TurnFailed(job.turn_id, *_in_words(error)))

    def _prepare(self, job: jobs.Prepare) -> None:
        complete = failed = False
        if self._model() is not None and not job.cancel.cancelled:
            complete = self._guarded(lambda: self._work_ahead(job.request, job.cancel))
            failed = not complete and not job.cancel.cancelled
        self._post(Prepared(_digests(job.request), complete, failed))

    def _work_ahead(self, request: ChatRequest, cancel: CancelToken) -> None:
        for progress in self._ready_engine().prepare(request, cancel):
            self._post(PrepareProgress(progress))
        cancel.check()

    def _measure(self, job: jobs.Measure) -> None:
        view, refusal = None, ""
        if (engine := self._engine) is not None and engine.model is not None:
            try:
                engine.check_image(job.image)
                view = engine.preview(job.image)
            except UserError as error:  # no fault of the service: it is what there is to say of this picture
                refusal = str(error)
        self._post(Measured(job.image.digest, view, refusal))

    def _list_entries(self) -> None:
        self._post(CacheEntries(tuple(self._engine.holdings()) if self._engine is not None else ()))

    def _quantize(self, job: jobs.Quantize) -> None:
        target = str(job.target)
        try:
            job.cancel.check()
            self._backend.quantize(job.ref, job.target, job.bits, partial(self._tell_quantizing, job.ref), job.cancel)
        except Cancelled:
            self._post(Quantized(job.ref, target, stopped=True))
        except Exception as error:  # noqa: BLE001 - as above
            self._post(Quantized(job.ref, target, *_in_words(error)))
        else:
            self._post(Quantized(job.ref, target))

    def _tell_quantizing(self, ref: str, progress: Progress) -> None:
        self._post(QuantizeProgress(ref, progress))

    def _change(self, job: jobs.Job) -> None:
        match job:
            case jobs.Configure(options=options):
                self._options = options
                self._ready_engine().configure(self._backend.config(options))
            case jobs.Clear(tier=tier):
                self._ready_engine().caches.clear(tier)
            case jobs.Unload():
                self._model_failure = ""
                self._ready_engine().unload()
        self._post(CacheNews((), self._ready_engine().caches.overview()))

    def _close(self) -> None:
        try:
            if self._engine is not None:
                self._guarded(self._engine.close)
        finally:
            self._engine = None
            self.thread().quit()

    def _guarded(self, work: Callable[[], None]) -> bool:
        """Do ``work`` and say whether it went through."""
        try:
            work()
        except Cancelled:
            return False
        except Exception as error:  # noqa: BLE001 - as above
            self._post(ServiceFailed(*_in_words(error)))
            return False
        return True

    def _ready_engine(self) -> jobs.EngineLike:
        if self._engine is None:
            self._engine = self._backend.make(self._options)
            self._engine.bus.subscribe(self._on_cache_event)
        return self._engine

    def _on_cache_event(self, event: CacheEvent) -> None:
        """Called on the thread that caused the event, which may be the disk tier's writer."""
        engine = self._engine
        self._post(CacheNews((event,), engine.caches.overview() if engine is not None else None))


def _in_words(error: Exception) -> tuple[str, str]:
    """Return the sentence for the user and, where the fault is ours, the traceback."""
    if isinstance(error, UserError):
        return str(error), ""
    log.error("A request to the worker failed", exc_info=error)
    details = "".join(traceback.format_exception(error))
    return f"Something went wrong inside Second Glance ({type(error).__name__}: {error}).", details


def _digests(request: ChatRequest) -> tuple[str, ...]:
    return tuple(dict.fromkeys(image.digest for message in request.messages for image in message.images))
