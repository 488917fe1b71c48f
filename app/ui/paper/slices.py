"""Long work on the GUI thread in slices, with turns of the event loop between them."""

from __future__ import annotations

import math
import time
from collections.abc import Generator
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QObject, QTimer, Signal

from app.errors import UserError

SLICE_SECONDS: Final = 0.008
"""Half of a frame at 60 frames per second, so that the window keeps up."""
_WAIT_MS: Final = 10


@dataclass(frozen=True, slots=True)
class Step:
    """What a piece of the work says at its end.

    Attributes:
        done: how much of the whole is done, 0.0 to 1.0.
        waits: it cannot go on before something is done elsewhere, and is to be tried again a moment later.
        stoppable: what follows can be left undone.
    """

    done: float
    waits: bool = False
    stoppable: bool = True


Steps = Generator[Step, None, None]
"""Closing it undoes what is half done."""


class Slices(QObject):
    """Takes one step after the other until the work is done, fails or is cancelled.

    Args:
        steps: the work.
        seconds: a slice ends with the first step that ends after so long.

    Signals:
        progressed: the share that is done.
        committed: the rest cannot be left undone any more.
        finished: all of it is done.
        failed: it cannot be done; the sentence says why.
        ended: there is nothing left to do, for whatever reason; emitted before ``finished`` and ``failed``.
    """

    progressed = Signal(float)
    committed = Signal()
    finished = Signal()
    failed = Signal(str)
    ended = Signal()

    def __init__(self, steps: Steps, parent: QObject | None = None, seconds: float = SLICE_SECONDS) -> None:
        super().__init__(parent)
        self._steps: Steps | None = steps
        self._seconds = seconds
        self._stoppable = True
        self._timer = QTimer(self, singleShot=True)
        self._timer.timeout.connect(self._slice)

    def start(self) -> None:
        """Begin with the next turn of the event loop."""
        self._timer.start(0)

    def cancel(self) -> None:
        """Leave the rest undone, or do it at once if it cannot be; nothing happens if there is none."""
        if self._steps is None:
            return
        if self._stoppable:
            self._end()
        else:
            self._seconds = math.inf
            self._slice()

    def _slice(self) -> None:
        try:
            step = self._take_steps()
        except UserError as error:
            self._end()
            self.failed.emit(str(error))
        except Exception:
            self._end()
            raise
        else:
            self._go_on(step)

    def _take_steps(self) -> Step | None:
        """Return the last step of this slice, or ``None`` when all are done."""
        until = time.perf_counter() + self._seconds
        for step in self._steps or ():
            if step.waits or time.perf_counter() > until:
                return step
        return None

    def _go_on(self, step: Step | None) -> None:
        if step is None:
            self._end()
            self.finished.emit()
        else:
            self._timer.start(_WAIT_MS if step.waits else 0)
            self._note(step)

    def _note(self, step: Step) -> None:
        if self._stoppable and not step.stoppable:
            self._stoppable = False
            self.committed.emit()
        self.progressed.emit(step.done)

    def _end(self) -> None:
        self._timer.stop()
        steps, self._steps = self._steps, None
        if steps is not None:
            steps.close()
        self.ended.emit()
