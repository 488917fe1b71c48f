"""All downloads of this app: those that run, and those that wait to be continued from an earlier time."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path

from app.inference.hub.download import Download, DownloadState
from app.inference.hub.staging import unfinished
from app.inference.hub.transfer import Line

CLOSE_SECONDS = 1.0


class Downloads:
    """Keeps downloads by repository. All methods return at once; any thread may call them.

    Args:
        on_change: told about every new state, on whatever thread brings it about.
        line: how files come here.
        cache: the hub library's cache; ``None`` for its own.
    """

    def __init__(
        self, on_change: Callable[[DownloadState], None], line: Line | None = None, cache: Path | None = None
    ) -> None:
        self._on_change, self._line, self._cache = on_change, line, cache
        self._lock = threading.Lock()
        self._downloads: dict[str, Download] = {}

    def find_unfinished(self) -> list[DownloadState]:
        """Return the downloads that were begun earlier and neither finished nor cancelled."""
        return [self._of(repository).state for repository in unfinished(self._cache)]

    def states(self) -> list[DownloadState]:
        """Return how all downloads are."""
        with self._lock:
            return [download.state for download in self._downloads.values()]

    def start(self, repository: str, revision: str | None = None) -> None:
        """Begin, or go on where it stopped."""
        self._of(repository, revision).start()

    def pause(self, repository: str) -> None:
        """Stop for now; what was fetched is kept, also over a restart."""
        self._of(repository).pause()

    def cancel(self, repository: str) -> None:
        """Stop, and remove everything that was fetched."""
        self._of(repository).cancel()

    def close(self, seconds: float = CLOSE_SECONDS) -> None:
        """Pause everything, and give what runs a moment to end; what does not is left behind without harm."""
        with self._lock:
            downloads = list(self._downloads.values())
        for download in downloads:
            if download.state.active:
                download.pause()
        for download in downloads:
            download.wait(seconds)

    def _of(self, repository: str, revision: str | None = None) -> Download:
        with self._lock:
            if repository not in self._downloads:
                self._downloads[repository] = Download(
                    repository, self._on_change, self._line, self._cache, revision or "main"
                )
            return self._downloads[repository]
