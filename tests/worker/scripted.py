"""A scripted engine for the worker's own tests: it yields what it is told to, where it is told to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator

from app.cache.events import CacheEvent, EventBus
from app.cache.inventory import Holding
from app.cache.protocols import CacheOverview, TierRow
from app.errors import ImageRefused, ModelRefused
from app.inference.events import Event, Finished, ImageView, ModelInfo, Progress, TextDelta, TurnStats
from app.inference.holdings import CacheEntry
from app.inference.types import CancelToken, ChatRequest, ImageRef, Message

INFO = ModelInfo("demo", "Demo", "test", True, 1024, "CPU", "id")
STATS = TurnStats(3, 1, 2, 1, (), 1.0, 0.0, 0.0, 1.0, 10.0, "prefix", "", "memory")


def question(text: str = "hello") -> ChatRequest:
    return ChatRequest((Message("user", text),))


class ScriptedCaches:
    def __init__(self, bus: EventBus) -> None:
        self.bus = bus
        self.stored = 0

    def overview(self) -> CacheOverview:
        return CacheOverview((TierRow("prefix", self.stored, self.stored * 10, 100, 0, 0),))

    def clear(self, tier: str | None = None) -> None:
        if tier == "ssd":
            raise OSError("disk gone")
        self.stored = 0
        self.bus.emit(CacheEvent("cleared", "prefix"))


class ScriptedEngine:
    """Answers with the words of the question; some questions do something else.

    ``boom`` raises, ``wait`` blocks until stopped, ``many`` yields 5,000 pieces.
    """

    def __init__(self, config: object) -> None:
        self.config = config
        self.bus = EventBus()
        self.caches = ScriptedCaches(self.bus)
        self.threads = {threading.get_ident()}
        self.closed_on: int | None = None
        self.waiting = threading.Event()
        self.model: ModelInfo | None = None

    def load(self, ref: str, on_progress: Callable[[Progress], None], cancel: CancelToken) -> ModelInfo:
        self._note()
        if ref == "missing":
            raise ModelRefused("There is no model called missing.", ref)
        self.model = None
        on_progress(Progress("load", 1, 2))
        if ref == "slow":
            self._wait(cancel)
        self.model = INFO
        return INFO

    def generate(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Event]:
        self._note()
        text = request.messages[-1].text
        yield Progress("prefill", 0, 2)
        if text == "boom":
            raise ZeroDivisionError("in the model")
        if text == "wait":
            self._wait(cancel)
        words = ["x"] * 5000 if text == "many" else text.split()
        for number, word in enumerate(words):
            yield TextDelta(word, (number,))
        self.caches.stored += 1
        self.bus.emit(CacheEvent("stored", "prefix", tokens=3))
        yield Finished("".join(words), tuple(range(len(words))), "stop", STATS)

    def prepare(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Progress]:
        self._note()
        yield Progress("encode", 0, 1)
        if request.messages[-1].text == "wait":
            self._wait(cancel)

    def preview(self, image: ImageRef) -> ImageView | None:
        self._note()
        if image.width == 13:
            raise ZeroDivisionError("in the layout")
        seen = ImageView(image.width // 2, image.height // 2, image.width * image.height, tiles=5, tiles_known=4)
        return seen if self.model is not None else None

    def check_image(self, image: ImageRef) -> None:
        self._note()
        if image.height == 900:
            raise ImageRefused(f"{image.name} is too tall.", image.name)

    def holdings(self) -> list[CacheEntry]:
        self._note()
        return [CacheEntry(Holding("prefix", "state", "id", self.caches.stored * 10, 3), "hello")]

    def configure(self, config: object) -> None:
        self._note()
        self.config = config

    def unload(self) -> None:
        self._note()
        self.model = None

    def close(self) -> None:
        self._note()
        self.closed_on = threading.get_ident()

    def _note(self) -> None:
        self.threads.add(threading.get_ident())

    def _wait(self, cancel: CancelToken) -> None:
        self.waiting.set()
        while not cancel._event.wait(0.01):
            pass
        cancel.check()
