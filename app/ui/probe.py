"""Measures the window from inside: time until it stands, gaps of its event loop while an answer streams, long chats.

Run by :mod:`app.bench.ui` in a process of its own, off screen: ``python -m app.ui.probe '{"tokens": 3000, …}'``.
"""

from __future__ import annotations

import json
import os
import re
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import psutil  # type: ignore[import-untyped]
from PIL import Image
from PySide6.QtCore import QCoreApplication, QEvent, QEventLoop, QObject, Qt, QTimer

from app.cache.events import EventBus
from app.cache.protocols import CacheOverview
from app.inference.events import Event, Finished, ImageView, ModelInfo, Progress, TextDelta, TurnStats
from app.inference.holdings import CacheEntry
from app.inference.types import CancelToken, ChatRequest, ImageRef
from app.store.records import Role
from app.store.store import Store
from app.ui.application import OpenApp, make_application, open_window
from app.ui.tuning import Tuning
from app.worker.backend import Backend, EngineOptions

TICK_MS: Final = 2
SCROLL_STEPS: Final = 60
ANSWER: Final = r"""The error of the estimate falls with $\frac{1}{\sqrt{n}}$, so four times as many samples halve it.
That is slow, but it holds in **any** number of dimensions, which is why it is used where grids are hopeless, and it
needs nothing of the function but its values. A [quieter sequence](https://example.org) of points does better.

```python
def estimate(samples: int, seed: int) -> float:
    random = Random(seed)
    inside = 0
    for _ in range(samples):
        x, y = random.random(), random.random()
        if x * x + y * y <= 1.0:
            inside += 1
    return 4 * inside / samples
```

| samples | error | seconds |
|---:|---:|---:|
| 1,000 | 0.052 | 0.001 |
| 100,000 | 0.005 | 0.09 |

$$\int_0^1 \sqrt{1 - x^2}\,dx = \frac{\pi}{4}$$

- Take more samples where the function changes most.
- Average over several seeds, and say how much they differ.

"""
PIECES: Final = tuple(re.findall(r"\s*\S+\s*?(?=\s|$)|\s+", ANSWER))
"""An answer with prose, code, a table, a formula and a list, cut like tokens; streamed again and again."""
STATS: Final = TurnStats(1, 0, 1, 0, (), 0.0, 0.0, 0.0, 0.0, 0.0, "miss", "", "none")


class Heartbeat(QObject):
    """Beats as often as the event loop lets it, and remembers how long each beat was late, in milliseconds."""

    def __init__(self) -> None:
        super().__init__()
        self.gaps: list[float] = []
        self._last = time.perf_counter()
        self._timer = QTimer(self, interval=TICK_MS, timerType=Qt.TimerType.PreciseTimer)
        self._timer.timeout.connect(self._beat)
        self._timer.start()

    def _beat(self) -> None:
        now = time.perf_counter()
        self.gaps.append(max(0.0, (now - self._last) * 1000 - TICK_MS))
        self._last = now

    def figures(self) -> dict[str, float]:
        """Return median, 99th percentile and maximum."""
        self._timer.stop()
        gaps = sorted(self.gaps) or [0.0]
        return {
            "gap_p50_ms": gaps[len(gaps) // 2],
            "gap_p99_ms": gaps[min(len(gaps) - 1, int(len(gaps) * 0.99))],
            "gap_max_ms": gaps[-1],
        }


class FirstPaint(QObject):
    """Remembers when the window was painted first."""

    def __init__(self) -> None:
        super().__init__()
        self.at = 0.0

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Note the first paint."""
        if event.type() == QEvent.Type.Paint and not self.at:
            self.at = time.monotonic()
        return False


class NoCaches:
    """Caches that hold nothing."""

    def overview(self) -> CacheOverview:
        """Return an overview without rows."""
        return CacheOverview(())

    def clear(self, tier: object = None) -> None:
        """Do nothing: there is nothing."""


class Feeder:
    """In the engine's place: yields a given number of pieces at a given rate, from the worker thread."""

    def __init__(self, tokens: int, rate: float) -> None:
        self.bus = EventBus()
        self.caches = NoCaches()
        self.model: ModelInfo | None = None
        self._tokens, self._rate = tokens, rate

    def load(self, ref: str, on_progress: Callable[[Progress], None], cancel: CancelToken) -> ModelInfo:
        """Pretend a model."""
        self.model = ModelInfo(ref, "Feeder", "none", True, 1 << 20, "CPU", "feeder")
        return self.model

    def generate(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Event]:
        """Yield the pieces, each when its time has come."""
        start = time.perf_counter()
        for number in range(self._tokens):
            time.sleep(max(0.0, start + number / self._rate - time.perf_counter()))
            yield TextDelta(PIECES[number % len(PIECES)], (number,))
        text = "".join(PIECES[number % len(PIECES)] for number in range(self._tokens))
        yield Finished(text, tuple(range(self._tokens)), "stop", STATS)

    def prepare(self, request: ChatRequest, cancel: CancelToken) -> Iterator[Progress]:
        """Nothing can be prepared."""
        return iter(())

    def holdings(self) -> list[CacheEntry]:
        """Return nothing: nothing is kept."""
        return []

    def preview(self, image: ImageRef) -> ImageView | None:
        """Return nothing: no image is looked at."""
        return None

    def check_image(self, image: ImageRef) -> None:
        """Refuse nothing."""

    def configure(self, config: object) -> None:
        """Nothing can be configured."""

    def unload(self) -> None:
        """Nothing is loaded."""

    def close(self) -> None:
        """Nothing is open."""


def measure(tokens: int, rate: float, messages: int, many: int, started: float) -> dict[str, Any]:
    """Return all figures; ``started`` is ``time.monotonic()`` of the moment the process was asked for."""
    app = make_application(["probe"])
    folder = Path(tempfile.mkdtemp())
    tuning = Tuning(folder / "settings.toml", app)
    feeder = Feeder(tokens, rate)
    paint = FirstPaint()
    app.installEventFilter(paint)

    def make(options: EngineOptions) -> Feeder:
        return feeder

    opened = open_window(Store(folder / "data"), tuning, Backend(make, lambda options: options))
    wait(lambda: paint.at)
    app.removeEventFilter(paint)
    wait(lambda: opened.controller.models.state.phase == "ready")
    figures: dict[str, Any] = {"window_s": paint.at - started, "memory_mb": {"window": memory_mb()}}
    figures["stream"] = stream(opened, tokens, rate)
    figures["memory_mb"]["streamed"] = memory_mb()
    for name, number in (("chat", messages), ("long_chat", many)):
        figures[name] = open_chat(opened, number)
        figures["memory_mb"][name] = memory_mb()
    opened.window.close()
    return figures


def stream(opened: OpenApp, tokens: int, rate: float) -> dict[str, float]:
    """Stream an answer into the window and return the gaps of the event loop meanwhile."""
    opened.window.composer.edit.setPlainText("Go")
    opened.window.composer.submit()
    beat = Heartbeat()
    start = time.perf_counter()
    wait(lambda: not len(opened.controller.dialogue.answers))
    return {"tokens": tokens, "tokens_per_s": tokens / (time.perf_counter() - start), **beat.figures()}


def open_chat(opened: OpenApp, messages: int) -> dict[str, float]:
    """Open a chat of ``messages`` messages with 100 pictures and scroll through it."""
    controller = opened.controller
    chat = controller.store.create_conversation(f"{messages} messages")
    pictures = [controller.images.add(Image.new("RGB", (64, 48), (n * 2, 99, 99)), f"{n}.png") for n in range(100)]
    every = max(2, messages // 100 * 2)
    for number in range(messages):
        images = [pictures[number // every % 100]] if number % every == 0 else []
        role: Role = "assistant" if number % 2 else "user"
        controller.store.add_message(
            chat.id, role, "".join(PIECES) if number % 2 else f"Question {number}", images=images
        )
    start = time.perf_counter()
    controller.chats.open(chat.id)
    QCoreApplication.processEvents()
    seconds = time.perf_counter() - start
    beat = Heartbeat()
    bar = opened.window.messages.verticalScrollBar()
    for step in range(SCROLL_STEPS, -1, -1):
        bar.setValue(bar.maximum() * step // SCROLL_STEPS)
        QCoreApplication.processEvents()
    return {
        "messages": messages,
        "open_s": seconds,
        **{f"scroll_{key}": value for key, value in beat.figures().items()},
    }


def wait(condition: Callable[[], object]) -> None:
    """Run the event loop until ``condition``, without adding gaps of its own."""
    while not condition():
        QCoreApplication.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents, TICK_MS)


def memory_mb() -> float:
    """Return the resident memory of this process."""
    return float(psutil.Process().memory_info().rss / 2**20)


if __name__ == "__main__":
    os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
    print(json.dumps(measure(**json.loads(sys.argv[1]))))
