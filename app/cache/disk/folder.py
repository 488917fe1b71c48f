"""The tier's folder: ours alone, owner-only, locked by one process, counted to the byte.

Everything lives in one sub-folder of whatever directory the user picked, and only files with our names are ever removed
from it; symbolic links are never followed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from app.cache.config import GIB
from app.cache.disk.entry_file import SUFFIX, TEMPORARY_SUFFIX
from app.errors import UserError

SUBFOLDER = "second-glance-cache"
INDEX = "index.sqlite3"
_OURS = re.compile(
    rf"[0-9a-f]{{64}}-\d+{re.escape(SUFFIX)}({re.escape(TEMPORARY_SUFFIX)})?"
    rf"|{re.escape(INDEX)}(-wal|-shm|-journal)?|lock"
)


@dataclass(frozen=True, slots=True)
class FoundFile:
    """One of our files as a directory listing shows it."""

    name: str
    nbytes: int
    modified: float

    @property
    def temporary(self) -> bool:
        """Whether a write was interrupted while this was being made."""
        return self.name.endswith(TEMPORARY_SUFFIX)


class CacheFolder:
    """Open ``directory`` for one process.

    Raises:
        UserError: it cannot be made or written, or another process uses it.
    """

    def __init__(self, directory: Path, *, dir_mode: int = 0o700, file_mode: int = 0o600) -> None:
        self.root = directory / SUBFOLDER
        self.file_mode = file_mode
        self._dir_mode = dir_mode
        self._lock: int | None = None
        self._ensure()
        self._acquire()

    @property
    def entries(self) -> Path:
        """Folder of the entry files."""
        return self.root / "entries"

    @property
    def quarantine(self) -> Path:
        """Folder of damaged files, kept for a look and counted like the rest."""
        return self.root / "quarantine"

    @property
    def index_path(self) -> Path:
        """The SQLite index."""
        return self.root / INDEX

    def entry_path(self, name: str) -> Path:
        """Return the path of entry ``name``."""
        return self.entries / name

    @property
    def vanished(self) -> bool:
        """Whether someone removed the folder while we run."""
        return not self.entries.is_dir()

    def reopen(self) -> None:
        """Make a vanished folder anew and lock it again.

        Raises:
            UserError: as on opening.
        """
        self.close()
        self._ensure()
        self._acquire()

    def tighten(self) -> None:
        """Give every file of ours the owner-only mode, whoever made it."""
        for folder in (self.root, self.entries, self.quarantine):
            for found in self._list(folder):
                with contextlib.suppress(FileNotFoundError):
                    (folder / found.name).chmod(self.file_mode)

    def files(self) -> Iterator[FoundFile]:
        """Yield our entry files, finished and temporary; links, folders and foreign files are not ours."""
        yield from self._list(self.entries)

    def free_bytes(self) -> int:
        """Return the bytes that the volume can still take for this user; 0 when the folder is gone."""
        with contextlib.suppress(OSError):
            return shutil.disk_usage(self.root).free
        return 0

    def minimum_free(self, least_bytes: int = 2 * GIB, share: float = 0.05) -> int:
        """Return how many bytes of the volume must stay free: ``share`` of it, but never less than ``least_bytes``."""
        with contextlib.suppress(OSError):
            return max(least_bytes, int(shutil.disk_usage(self.root).total * share))
        return least_bytes

    def set_aside(self, name: str) -> bool:
        """Move a damaged entry to the quarantine; ``False`` if it is gone already."""
        try:
            (self.entries / name).replace(self.quarantine / name)
        except FileNotFoundError:
            return False
        return True

    def remove(self, name: str, folder: Path | None = None) -> int:
        """Delete one of our files and return its bytes, 0 if it was gone.

        Raises:
            ValueError: the name is not one of ours.
        """
        if not _OURS.fullmatch(name):
            raise ValueError(f"{name} is not a file of this cache")
        path = (folder or self.entries) / name
        try:
            nbytes = path.lstat().st_size
            path.unlink()
        except FileNotFoundError:
            return 0
        return nbytes

    def quarantined(self) -> list[FoundFile]:
        """Return the damaged files that were set aside, oldest first."""
        return sorted(self._list(self.quarantine), key=lambda f: f.modified)

    def close(self) -> None:
        """Release the lock; may be called twice."""
        if self._lock is not None:
            os.close(self._lock)
            self._lock = None

    def _list(self, folder: Path) -> Iterator[FoundFile]:
        try:
            with os.scandir(folder) as listing:
                for item in listing:
                    if _OURS.fullmatch(item.name) and item.is_file(follow_symlinks=False):
                        stat = item.stat(follow_symlinks=False)
                        yield FoundFile(item.name, stat.st_size, stat.st_mtime)
        except FileNotFoundError:
            return

    def _ensure(self) -> None:
        try:
            for folder in (self.root, self.entries, self.quarantine):
                if folder.is_symlink():
                    raise UserError(f"The cache folder {folder} is a link. Choose a real folder.", str(folder))
                folder.mkdir(mode=self._dir_mode, parents=True, exist_ok=True)
                folder.chmod(self._dir_mode)
        except OSError as error:
            reason = error.strerror or str(error)
            raise UserError(f"The cache folder {self.root} cannot be used: {reason}.", str(self.root)) from error

    def _acquire(self) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | getattr(os, "O_NOFOLLOW", 0)
        try:
            self._lock = os.open(self.root / "lock", flags, self.file_mode)
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError as error:
            self.close()
            raise UserError(
                "Another Second Glance uses this cache folder. This one runs without the disk cache.", str(self.root)
            ) from error
        except OSError as error:
            self.close()
            reason = error.strerror or str(error)
            raise UserError(f"The cache folder {self.root} cannot be written: {reason}.", str(self.root)) from error
