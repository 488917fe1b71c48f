"""Work ahead: what an unsent question will need is done while the user types."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final, Literal

import psutil  # type: ignore[import-untyped]
from PySide6.QtCore import QObject, QTimer, Signal

from app.cache.events import CacheEvent
from app.settings.declarations import Settings

if TYPE_CHECKING:
    from app.inference.types import ChatRequest
    from app.worker.service import InferenceService

PAUSE_MS: Final = 300
ImageState = Literal["new", "preparing", "ready"]


class WorkAhead(QObject):
    """Asks the worker to prepare the draft after a pause in typing, once per set of images and place in the chat.

    Signals:
        image_state(digest, state): what is known of an image in the composer.
    """

    image_state = Signal(str, str)

    def __init__(self, service: InferenceService, request: Callable[[], ChatRequest | None]) -> None:
        super().__init__()
        self._service = service
        self._request = request
        self._known: set[str] = set()
        self._preparing: tuple[str, ...] = ()
        self._shown: tuple[str, ...] = ()
        self._key: object = None
        self._done_for: object = None
        self._timer = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._timer.timeout.connect(self._begin)
        service.prepared.connect(self._on_prepared)

    def draft_changed(self, digests: Iterable[str], key: object, settings: Settings) -> None:
        """Say the state of fresh images, and prepare soon unless that was done for this ``key`` already."""
        shown, self._shown = self._shown, tuple(digests)
        for digest in self._shown:
            if digest not in shown:
                self.image_state.emit(digest, self.state_of(digest))
        if key != self._done_for and allowed(settings):
            self._key = key
            self._timer.start()

    def state_of(self, digest: str) -> ImageState:
        """Return what is known of an image."""
        if digest in self._known:
            return "ready"
        return "preparing" if digest in self._preparing else "new"

    def learn(self, digests: Iterable[str]) -> None:
        """Note that these images were seen by the present model."""
        self._known.update(digests)

    def forget(self) -> None:
        """Know no image any more: another model, or images left the cache."""
        self._known.clear()
        self._done_for = None

    def on_cache_events(self, events: Iterable[CacheEvent]) -> None:
        """Forget when images left the cache: events do not say which."""
        if any(event.tier == "vision" and event.kind in ("evicted", "cleared") for event in events):
            self.forget()

    def stop(self) -> None:
        """Begin nothing any more, as a question is being sent."""
        self._timer.stop()

    def _begin(self) -> None:
        request = self._request()
        if request is None:
            return
        self._done_for = self._key
        self._preparing = tuple({image.digest for message in request.messages for image in message.images})
        for digest in self._preparing:
            self.image_state.emit(digest, self.state_of(digest))
        self._service.prepare(request)

    def _on_prepared(self, digests: tuple[str, ...], complete: bool, failed: bool) -> None:
        self._preparing = ()
        if complete:
            self.learn(digests)
        elif not failed:  # else it would say the same after each pause in typing
            self._done_for = None
        for digest in digests:
            self.image_state.emit(digest, self.state_of(digest))


def allowed(settings: Settings) -> bool:
    """Return whether the settings allow work ahead now."""
    if not settings.caches.work_ahead:
        return False
    return settings.caches.work_ahead_on_battery or not on_battery()


def on_battery() -> bool:
    """Return whether the computer runs without mains power."""
    battery = psutil.sensors_battery()
    return battery is not None and battery.power_plugged is False
