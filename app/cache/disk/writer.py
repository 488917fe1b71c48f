"""The writer: one thread, one queue bounded in bytes and jobs, nothing of MLX on it."""

from __future__ import annotations

import logging
import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future
from dataclasses import dataclass
from typing import TypeVar

log = logging.getLogger(__name__)
T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Job:
    """Something to do on the writer's thread.

    ``nbytes`` counts against the queue's limit until it is done; what has none is upkeep, and is always taken.
    """

    run: Callable[[], None]
    nbytes: int = 0


class Writer:
    """Runs jobs in order. ``close`` finishes what is queued within a bounded time and abandons the rest."""

    def __init__(self, max_jobs: int, max_bytes: int, on_error: Callable[[Exception], None]) -> None:
        self._max_jobs = max_jobs
        self._max_bytes = max_bytes
        self._on_error = on_error
        self._queue: deque[Job] = deque()
        self._bytes = 0
        self._busy = False
        self._closing = False
        self._changed = threading.Condition()
        self._thread: threading.Thread | None = None

    @property
    def pending_bytes(self) -> int:
        """Bytes queued or being written."""
        with self._changed:
            return self._bytes

    def start(self) -> None:
        """Start the thread; a second call does nothing."""
        with self._changed:
            if self._thread is None and not self._closing:
                self._thread = threading.Thread(target=self._work, name="second-glance-ssd", daemon=True)
                self._thread.start()

    def put(self, job: Job) -> bool:
        """Queue ``job`` and return at once; ``False`` when the queue is closed, or full and the job has bytes."""
        with self._changed:
            full = len(self._queue) >= self._max_jobs or (self._queue and self._bytes + job.nbytes > self._max_bytes)
            if self._closing or (job.nbytes and full):
                return False
            self._queue.append(job)
            self._bytes += job.nbytes
            self._changed.notify_all()
        return True

    def drain(self, timeout: float) -> bool:
        """Wait until everything queued is done; ``False`` when ``timeout`` seconds were not enough."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._queue and not self._busy, timeout)

    def forget_writes(self) -> None:
        """Drop the jobs with bytes that wait: what they would write is no longer wanted."""
        with self._changed:
            self._bytes -= sum(job.nbytes for job in self._queue)
            self._queue = deque(job for job in self._queue if not job.nbytes)
            self._changed.notify_all()

    def between_jobs(self, work: Callable[[], T], timeout: float | None = None) -> T | None:
        """Do ``work`` after what is queued and return its result; at once where no thread runs that it could disturb.

        ``None`` when ``timeout`` seconds were not enough (it is done later then), or when the writer was closed.
        """
        if self._thread in (None, threading.current_thread()) or self._closing:
            return work()
        outcome: Future[T] = Future()
        self.put(Job(lambda: _fulfil(outcome, work)))
        with self._changed:
            self._changed.wait_for(lambda: outcome.done() or (self._closing and not self._busy), timeout)
        return outcome.result() if outcome.done() else None

    def close(self, timeout: float) -> int:
        """Stop taking jobs, finish within ``timeout`` seconds, drop the rest and return how many were dropped."""
        if self._thread is None:
            self.start()
        self.drain(timeout)
        with self._changed:
            dropped = len(self._queue)
            self._queue.clear()
            self._closing = True
            self._changed.notify_all()
        if self._thread is not None and self._thread is not threading.current_thread():
            self._thread.join(timeout)
        return dropped

    def _work(self) -> None:
        while (job := self._take()) is not None:
            try:
                job.run()
            except Exception as error:  # noqa: BLE001 - reported to the tier, which says so to the user
                self._on_error(error)
            with self._changed:
                self._busy = False
                self._bytes -= job.nbytes
                self._changed.notify_all()

    def _take(self) -> Job | None:
        with self._changed:
            self._changed.wait_for(lambda: self._queue or self._closing)
            if not self._queue:
                return None
            self._busy = True
            return self._queue.popleft()


def _fulfil(outcome: Future[T], work: Callable[[], T]) -> None:
    try:
        outcome.set_result(work())
    except BaseException as error:  # noqa: BLE001 - it is raised where the result is asked for
        outcome.set_exception(error)
