"""Work off the GUI thread, one piece after the other, with the result brought back by signal."""

from __future__ import annotations

import itertools
import queue
import threading
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

Result = TypeVar("Result")


@dataclass(frozen=True, slots=True)
class _Outcome:
    ticket: int
    result: Any = None
    error: Exception | None = None


@dataclass(frozen=True, slots=True)
class _Waiting:
    """Who waits for a result. Stays on the GUI thread: the last reference to a widget must not be dropped elsewhere."""

    owner: QObject
    on_result: Callable[[Any], None]
    on_error: Callable[[Exception], None]


class _Mailbox(QObject):
    """Carries outcomes to the GUI thread. There is one, and it lives as long as the process: no thread can miss it."""

    _arrived = Signal(object)

    def __init__(self) -> None:
        super().__init__()
        self._tickets = itertools.count()
        self._waiting: dict[int, _Waiting] = {}
        self._arrived.connect(self._deliver, Qt.ConnectionType.QueuedConnection)

    def expect(self, waiting: _Waiting) -> int:
        ticket = next(self._tickets)
        self._waiting[ticket] = waiting
        return ticket

    def post(self, outcome: _Outcome) -> None:
        self._arrived.emit(outcome)

    @Slot(object)
    def _deliver(self, outcome: _Outcome) -> None:
        waiting = self._waiting.pop(outcome.ticket)
        if not shiboken6.isValid(waiting.owner):
            return
        if outcome.error is not None:
            waiting.on_error(outcome.error)
        else:
            waiting.on_result(outcome.result)


_mailbox: _Mailbox | None = None


def _the_mailbox() -> _Mailbox:
    global _mailbox  # noqa: PLW0603 - made on first use, on the GUI thread
    if _mailbox is None:
        _mailbox = _Mailbox()
    return _mailbox


class Background:
    """Runs callables one at a time in a plain thread that ends when there is nothing to do.

    Made and used on the GUI thread. ``work`` should hold no widget.
    """

    def __init__(self) -> None:
        self._mailbox = _the_mailbox()
        self._jobs: queue.SimpleQueue[tuple[int, Callable[[], Any]]] = queue.SimpleQueue()
        self._lock = threading.Lock()
        self._running = False

    def run(
        self,
        owner: QObject,
        work: Callable[[], Result],
        on_result: Callable[[Result], None],
        on_error: Callable[[Exception], None],
    ) -> None:
        """Do ``work`` off this thread, then call ``on_result`` or ``on_error`` here, if ``owner`` still exists."""
        ticket = self._mailbox.expect(_Waiting(owner, on_result, on_error))
        with self._lock:
            self._jobs.put((ticket, work))
            if not self._running:
                self._running = True
                threading.Thread(target=self._work, name="pictures").start()

    def _work(self) -> None:
        while True:
            with self._lock:
                if self._jobs.empty():
                    self._running = False
                    return
            ticket, work = self._jobs.get()
            self._mailbox.post(_done(ticket, work))


def _done(ticket: int, work: Callable[[], Any]) -> _Outcome:
    try:
        return _Outcome(ticket, work())
    except Exception as error:  # noqa: BLE001 - whatever it was belongs to whoever asked for the work
        return _Outcome(ticket, error=error)
