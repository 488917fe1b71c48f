"""Lets a model that nobody uses make room; the next question loads it again."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from PySide6.QtCore import QElapsedTimer, QObject, QTimer

if TYPE_CHECKING:
    from collections.abc import Callable

    from app.ui.models import Models
    from app.ui.tuning import Tuning

MINUTE_MS: Final = 60_000
LOOK_MS: Final = 20_000


class IdleUnload(QObject):
    """Unloads the model some minutes after the last use.

    Args:
        models: what is loaded.
        tuning: says after how many minutes; 0 for never.
        is_busy: whether answers run or wait.
    """

    def __init__(self, models: Models, tuning: Tuning, is_busy: Callable[[], bool]) -> None:
        super().__init__()
        self._models, self._tuning, self._is_busy = models, tuning, is_busy
        self._since = QElapsedTimer()
        self._since.start()
        self._timer = QTimer(self, interval=LOOK_MS)
        self._timer.timeout.connect(self.look)
        self._timer.start()

    def used(self) -> None:
        """Note that the model is used now, or may be soon."""
        self._since.restart()

    def look(self) -> None:
        """Unload the model if it was not used for long enough."""
        minutes = self._tuning.settings.model.unload_after_minutes
        if not minutes or self._models.state.phase != "ready":
            return
        if self._is_busy():
            self.used()
        elif self._since.elapsed() >= minutes * MINUTE_MS:
            self._models.unload()

    def stop(self) -> None:
        """Look no more."""
        self._timer.stop()
