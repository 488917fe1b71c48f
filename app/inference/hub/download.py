"""A download as the user sees it: on a thread of its own, it pauses, goes on after a restart, and can be undone."""

from __future__ import annotations

import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Literal

from app.cache.config import GIB
from app.errors import ModelRefused, UserError
from app.files import free_bytes, has_room
from app.inference.checkpoint import declares_vision
from app.inference.hub.failures import DownloadFailed, in_words
from app.inference.hub.plan import Plan, make_plan
from app.inference.hub.staging import Staging
from app.inference.hub.transfer import Line, Stopped, StopSign, Watch, fetch
from app.inference.library.kinds import check_known_kind

log = logging.getLogger(__name__)

Phase = Literal["asking", "running", "paused", "failed", "done", "cancelled"]
TELL_SECONDS = 0.1
WINDOW_SECONDS = 5.0


@dataclass(frozen=True, slots=True)
class DownloadState:
    """How far a download is.

    Attributes:
        repository: ``owner/model``.
        phase: ``asking`` the hub what there is, ``running``, ``paused``, ``failed``, ``done`` or ``cancelled``.
        done: bytes that are here.
        total: bytes of all files; 0 while that is not known.
        speed: bytes per second over the last seconds; 0 while that is not known.
        file: what is being fetched.
        licence: as the model card states it.
        sentence: why it failed.
    """

    repository: str
    phase: Phase
    done: int = 0
    total: int = 0
    speed: float = 0.0
    file: str = ""
    licence: str = ""
    sentence: str = ""

    @property
    def seconds_left(self) -> float | None:
        """How long it will take at this speed; ``None`` while that is not known."""
        return (self.total - self.done) / self.speed if self.speed > 0 else None

    @property
    def active(self) -> bool:
        """Whether something is being done."""
        return self.phase in ("asking", "running")


class Download:
    """Fetches one model. All methods return at once.

    Args:
        repository: ``owner/model``.
        on_change: told about every new state, on whatever thread brings it about, at most ten times a second while
            bytes arrive.
        line: how files come here.
        cache: the hub library's cache; ``None`` for its own.
        revision: branch, tag or commit.
    """

    def __init__(
        self,
        repository: str,
        on_change: Callable[[DownloadState], None],
        line: Line | None = None,
        cache: Path | None = None,
        revision: str = "main",
    ) -> None:
        self._staging = Staging(repository, cache)
        self._line = line or Line()
        self._revision = revision
        self._on_change = on_change
        self._lock = threading.Lock()
        self._stop = StopSign()
        self._thread: threading.Thread | None = None
        self._state = self._found(repository)

    @property
    def state(self) -> DownloadState:
        """How far it is."""
        return self._state

    def start(self) -> None:
        """Begin, or go on where it stopped; nothing where it runs already."""
        with self._lock:
            if self._state.active:
                return
            self._stop = StopSign()
            run = _Run(self, self._stop, self._thread)
            self._thread = threading.Thread(target=run, name=f"download {self._state.repository}", daemon=True)
            self._state = replace(self._state, phase="asking", sentence="", speed=0.0)
        self._on_change(self._state)
        self._thread.start()

    def pause(self) -> None:
        """Stop for now; what was fetched is kept."""
        self._stop_with("paused")

    def cancel(self) -> None:
        """Stop, and remove everything that was fetched."""
        self._stop_with("cancelled")
        with self._lock:
            before = self._thread
            self._thread = threading.Thread(target=self._clear, args=(before,), name="download cleared")
            self._thread.start()

    def wait(self, seconds: float | None = None) -> bool:
        """Wait until nothing is being done any more, and return whether that came about."""
        thread = self._thread
        if thread is not None:
            thread.join(seconds)
        return thread is None or not thread.is_alive()

    def _stop_with(self, phase: Phase) -> None:
        with self._lock:
            self._stop.set()
            if self._state.phase in ("done", "cancelled"):
                return
            self._state = replace(self._state, phase=phase, speed=0.0)
        self._on_change(self._state)

    def _clear(self, before: threading.Thread | None) -> None:
        with suppress(OSError):  # files may still arrive; what waits for the hub may go on waiting for a while
            self._staging.discard()
        if before is not None:
            before.join()
        self._staging.discard()

    def _tell(self, stop: StopSign, state: DownloadState) -> None:
        """Take a state from a run, unless the user stopped that run."""
        with self._lock:
            if stop.is_set():
                return
            self._state = state
        self._on_change(state)

    def _found(self, repository: str) -> DownloadState:
        plan = self._staging.plan()
        if plan is None:
            return DownloadState(repository, "paused")
        return DownloadState(repository, "paused", self._staging.done(plan), plan.size, licence=plan.licence)


class _Run:
    """One stretch of a download, from a start to a stop, on its thread."""

    def __init__(self, download: Download, stop: StopSign, before: threading.Thread | None) -> None:
        self._staging, self._line, self._revision = download._staging, download._line, download._revision
        self._tell, self._stop, self._before = download._tell, stop, before
        self._state = download.state
        self._speed = Speed()
        self._told = 0.0

    def __call__(self) -> None:
        if self._before is not None:
            self._before.join()
        try:
            self._fetch()
        except Stopped:
            return
        except Exception as error:  # noqa: BLE001 - whatever it is, the user must see it
            if self._stop.is_set():
                return  # the connection was broken, or the files removed, because the user asked for it
            self._change(phase="failed", speed=0.0, sentence=self._sentence(error))

    def _fetch(self) -> None:
        self._state = replace(self._state, phase="asking", sentence="")
        plan = self._staging.plan() or make_plan(self._state.repository, self._revision, self._line.endpoint)
        done = self._staging.done(plan)
        check_room(plan, done, self._staging.folder)
        self._staging.open(plan)
        self._change(phase="running", done=done, total=plan.size, licence=plan.licence)
        watch = Watch(self._stop, self._on_bytes)
        checked = False
        for file in plan.files:
            watch.check()
            if not checked and file.name.endswith(".safetensors"):
                self._check_kind(plan)
                checked = True
            if not self._staging.has(file):
                self._change(file=file.name)
                fetch(plan, file, self._staging.place(file), self._line, watch)
        watch.check()
        self._staging.publish(plan)
        self._change(phase="done", done=plan.size, speed=0.0, file="")

    def _check_kind(self, plan: Plan) -> None:
        """Refuse a model that could not be opened before its weights are fetched."""
        file = next(file for file in plan.files if file.name == "config.json")
        path = self._staging.place(file)
        if not path.exists():
            return  # in the cache from before, where loading will look at it
        config = json.loads(path.read_text(encoding="utf-8"))
        if config.get("model_file"):
            raise ModelRefused(f"{plan.repository} asks to run its own Python code, which is never done.")
        if not config.get("model_type"):
            raise ModelRefused(f"{plan.repository}: config.json does not say which model type it is.")
        check_known_kind(config, plan.repository, sees_images=declares_vision(config))

    def _on_bytes(self, count: int) -> None:
        self._state = replace(self._state, done=self._state.done + count)
        now = time.monotonic()
        self._speed.add(now, count)
        if now - self._told >= TELL_SECONDS:
            self._told = now
            self._change(speed=self._speed.value)

    def _change(self, **values: object) -> None:
        self._state = replace(self._state, **values)  # type: ignore[arg-type]
        self._tell(self._stop, self._state)

    def _sentence(self, error: Exception) -> str:
        if isinstance(error, UserError):
            return str(error)
        try:
            return str(in_words(error, self._state.repository))
        except Exception:
            log.exception("Downloading %s failed", self._state.repository)
            return f"Something went wrong inside Second Glance ({type(error).__name__}: {error})."


class Speed:
    """Bytes per second over the last seconds."""

    def __init__(self, window: float = WINDOW_SECONDS) -> None:
        self._window = window
        self._marks: deque[tuple[float, int]] = deque()
        self._sum = 0

    def add(self, now: float, count: int) -> None:
        """Note that ``count`` bytes came; useless ones count as nothing."""
        self._marks.append((now, max(0, count)))
        self._sum += max(0, count)
        while now - self._marks[0][0] > self._window:
            self._sum -= self._marks.popleft()[1]

    @property
    def value(self) -> float:
        """The speed; 0 while there is too little to tell."""
        passed = self._marks[-1][0] - self._marks[0][0] if self._marks else 0.0
        return (self._sum - self._marks[0][1]) / passed if passed > 0 else 0.0


def check_room(plan: Plan, done: int, folder: Path) -> None:
    """See to it that the disk has room for what is still to come.

    Raises:
        DownloadFailed: it has not; the message has the numbers.
    """
    free, needed = free_bytes(folder), plan.size - done
    if not has_room(needed, free):
        raise DownloadFailed(
            f"{plan.repository} needs {needed / GIB:.1f} GB and {free / GIB:.1f} GB are free on the disk. "
            "Free some space, or choose a smaller model.",
            plan.repository,
        )
