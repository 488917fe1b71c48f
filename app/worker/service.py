"""The GUI thread's handle on the engine: requests go in, signals come out, nothing blocks."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QDeadlineTimer, QObject, QThread, Signal

from app.inference.types import CancelToken
from app.worker import jobs
from app.worker.backend import REAL, Backend, EngineOptions
from app.worker.host import EngineHost
from app.worker.mailbox import Mailbox
from app.worker.reports import (
    CacheEntries,
    CacheNews,
    Measured,
    MemoryUse,
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
    from pathlib import Path

    from app.cache.events import Tier
    from app.inference.library.quantized import Bits
    from app.inference.types import ChatRequest, ImageRef

CLOSE_SECONDS: Final = 20.0
STACK_BYTES: Final = 16 * 1024 * 1024
"""macOS gives threads half a megabyte, too little for tokenizers and graph evaluation."""


class InferenceService(QObject):
    """Owns the one long-lived worker thread. To be used from the GUI thread only.

    Signals:
        model_progress(Progress), model_ready(ModelInfo), model_failed(sentence, details): of :meth:`load`; a failure is
            followed by ``model_ready`` where the model before it is still there.
        quantize_progress(ref, Progress), quantized(Quantized): of :meth:`quantize`.
        turn_events(turn_id, list[Event]): at most 30 times a second; the last list of a turn ends with ``Finished``.
        turn_failed(turn_id, sentence, details), turn_stopped(turn_id): the other two ends of a turn.
        prepare_progress(Progress), prepared(digests, complete, failed): of :meth:`prepare`.
        measured(digest, ImageView | None, refusal): of :meth:`measure`; ``None`` where the model does not see images or
            cannot take this one, for the reason ``refusal``, a sentence.
        overview_changed(CacheOverview), cache_events(list[CacheEvent]): what the caches do.
        entries_listed(tuple[CacheEntry, ...]): of :meth:`list_entries`.
        memory_changed(MemoryUse): what MLX has in use, after each request.
        failed(sentence, details): a clear or a change of configuration did not work.
    """

    model_progress = Signal(object)
    model_ready = Signal(object)
    model_failed = Signal(str, str)
    quantize_progress = Signal(str, object)
    quantized = Signal(object)
    turn_events = Signal(str, list)
    turn_failed = Signal(str, str, str)
    turn_stopped = Signal(str)
    prepare_progress = Signal(object)
    prepared = Signal(tuple, bool, bool)
    measured = Signal(str, object, str)
    overview_changed = Signal(object)
    cache_events = Signal(list)
    entries_listed = Signal(tuple)
    memory_changed = Signal(object)
    failed = Signal(str, str)
    _requested = Signal(object)

    def __init__(self, options: EngineOptions, backend: Backend = REAL, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._cancellable: list[jobs.CancellableJob] = []
        self._mailbox = Mailbox(self)
        self._mailbox.delivered.connect(self._deliver)
        self._host = EngineHost(backend, options, self._mailbox.post)
        self._thread = QThread()
        self._thread.setObjectName("inference")
        self._thread.setStackSize(STACK_BYTES)
        self._host.moveToThread(self._thread)
        self._requested.connect(self._host.run)
        self._thread.start()

    def load(self, ref: str) -> None:
        """Load a model in place of the present one; a load that still runs is stopped."""
        self._cancel(lambda job: isinstance(job, jobs.Load | jobs.Prepare))
        self._request(jobs.Load(ref, CancelToken()))

    def unload(self) -> None:
        """Let the model go; what its caches hold stays for its return."""
        self._requested.emit(jobs.Unload())

    def generate(self, turn_id: str, request: ChatRequest) -> None:
        """Answer ``request``; work ahead gives way to it."""
        self.stop_preparing()
        self._request(jobs.Generate(turn_id, request, CancelToken()))

    def prepare(self, request: ChatRequest) -> None:
        """Do ahead what ``request`` will need; replaces earlier work ahead."""
        self.stop_preparing()
        self._request(jobs.Prepare(request, CancelToken()))

    def stop_preparing(self) -> None:
        """Stop work ahead."""
        self._cancel(lambda job: isinstance(job, jobs.Prepare))

    def stop_loading(self) -> None:
        """Stop loading a model."""
        self._cancel(lambda job: isinstance(job, jobs.Load))

    def quantize(self, ref: str, target: Path, bits: Bits) -> None:
        """Make a copy of ``ref`` with weights of ``bits`` bits at ``target``; questions wait meanwhile."""
        self._request(jobs.Quantize(ref, target, bits, CancelToken()))

    def stop_quantizing(self, ref: str) -> None:
        """Stop making a copy of ``ref``; nothing is left of it."""
        self._cancel(lambda job: isinstance(job, jobs.Quantize) and job.ref == ref)

    def stop_turn(self, turn_id: str) -> None:
        """Stop one answer, whether it runs or waits. Takes effect at the engine's next step."""
        self._cancel(lambda job: isinstance(job, jobs.Generate) and job.turn_id == turn_id)

    def stop(self) -> None:
        """Stop all that runs or waits: loading, answering, work ahead. Takes effect at the engine's next step."""
        self._cancel(lambda job: True)

    def measure(self, image: ImageRef) -> None:
        """Ask how the model sees an image and how many of its tiles are encoded already, after what runs now."""
        self._requested.emit(jobs.Measure(image))

    def list_entries(self) -> None:
        """Ask what lies in the caches, entry by entry, after what runs now."""
        self._requested.emit(jobs.ListEntries())

    def configure(self, options: EngineOptions) -> None:
        """Put other budgets and choices into force, after what runs now."""
        self._requested.emit(jobs.Configure(options))

    def clear(self, tier: Tier | None = None) -> None:
        """Empty one cache tier, or all."""
        self._requested.emit(jobs.Clear(tier))

    def close(self, seconds: float = CLOSE_SECONDS) -> bool:
        """Stop everything, let the engine go and end the thread; deliver what was still under way.

        Returns:
            Whether the thread ended within ``seconds``. If not, leave the process without destroying this object.
        """
        if self._thread.isFinished():
            return True
        self.stop()
        self._requested.emit(jobs.Close())
        ended = self._thread.wait(QDeadlineTimer(int(seconds * 1000)))
        self._mailbox.flush()
        return ended

    def _request(self, job: jobs.CancellableJob) -> None:
        self._cancellable = [other for other in self._cancellable if not other.cancel.cancelled]
        self._cancellable.append(job)
        self._requested.emit(job)

    def _cancel(self, concerned: Callable[[jobs.CancellableJob], bool]) -> None:
        for job in self._cancellable:
            if concerned(job):
                job.cancel.cancel()

    def _deliver(self, reports: list[Report]) -> None:
        for report in reports:
            self._announce(report)

    def _announce(self, report: Report) -> None:
        match report:
            case ModelProgress(progress=progress):
                self.model_progress.emit(progress)
            case ModelReady(info=info):
                self.model_ready.emit(info)
            case ModelFailed():
                self.model_failed.emit(report.sentence, report.details)
            case QuantizeProgress() | Quantized():
                self._announce_copy(report)
            case TurnEvents():
                self.turn_events.emit(report.turn_id, list(report.events))
            case TurnFailed():
                self.turn_failed.emit(report.turn_id, report.sentence, report.details)
            case TurnStopped():
                self.turn_stopped.emit(report.turn_id)
            case PrepareProgress(progress=progress):
                self.prepare_progress.emit(progress)
            case Prepared():
                self.prepared.emit(report.digests, report.complete, report.failed)
            case Measured():
                self.measured.emit(report.digest, report.view, report.refusal)
            case CacheNews() | CacheEntries() | MemoryUse():
                self._announce_caches(report)
            case ServiceFailed():
                self.failed.emit(report.sentence, report.details)

    def _announce_copy(self, report: QuantizeProgress | Quantized) -> None:
        if isinstance(report, Quantized):
            self.quantized.emit(report)
        else:
            self.quantize_progress.emit(report.ref, report.progress)

    def _announce_caches(self, report: CacheNews | CacheEntries | MemoryUse) -> None:
        match report:
            case CacheEntries(entries=entries):
                self.entries_listed.emit(entries)
            case MemoryUse():
                self.memory_changed.emit(report)
            case CacheNews(events=events, overview=overview):
                if overview is not None:
                    self.overview_changed.emit(overview)
                if events:
                    self.cache_events.emit(list(events))
