"""Work off the GUI thread, one piece after the other, with the result brought back by signal."""

from __future__ import annotations

import logging
import queue
import threading
from collections.abc import Callable
from typing import TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal

log = logging.getLogger(__name__)

Result = TypeVar("Result")


class Background(QObject):
    """Runs callables one at a time in a plain thread that ends when there is nothing to do.

    Results and errors arrive on the thread this object lives in, and only while their owner is alive.
    """

    _finished = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._jobs: queue.SimpleQueue[Callable[[], Callable[[], None]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running = False
        self._finished.connect(_call, Qt.ConnectionType.QueuedConnection)

    def run(
        self,
        owner: QObject,
        work: Callable[[], Result],
        on_result: Callable[[Result], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        """Do ``work`` off this thread, then call ``on_result`` or ``on_error`` here, if ``owner`` still exists."""

        def job() -> Callable[[], None]:
            try:
                result = work()
            except Exception as error:  # noqa: BLE001 - whatever it was belongs to whoever asked for the work
                failure = error
                return lambda: on_error(failure) if shiboken6.isValid(owner) else None
            return lambda: on_result(result) if shiboken6.isValid(owner) else None

        with self._lock:
            self._jobs.put(job)
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, name="pictures").start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if self._jobs.empty():
                    self._running = False
                    return
            outcome = self._jobs.get()()
            if not shiboken6.isValid(self):
                return
            self._finished.emit(outcome)


def _call(outcome: Callable[[], None]) -> None:
    outcome()
