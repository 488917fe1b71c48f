"""One instance per data folder: a lock that the operating system lets go when the process dies, however it dies."""

from __future__ import annotations

import fcntl
import os
from pathlib import Path

from app.errors import UserError


class FolderInUse(UserError):
    """Another instance works on this data folder; ``subject`` is the folder."""


class FolderLock:
    """Holds an exclusive ``flock`` on ``<folder>/lock`` from construction to :meth:`close`.

    The file stays behind on purpose: removing it would let two instances lock two different files of one name.

    Raises:
        FolderInUse: another process, or another object in this one, holds the lock.
        OSError: the folder cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self._handle = os.open(folder / "lock", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            owner = os.pread(self._handle, 32, 0).decode("ascii", "replace").strip()
            self.close()
            raise FolderInUse(_sentence(folder, owner), str(folder)) from None
        os.ftruncate(self._handle, 0)
        os.pwrite(self._handle, f"{os.getpid()}\n".encode(), 0)

    def close(self) -> None:
        """Let the folder go; may be called twice."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1


def _sentence(folder: Path, owner: str) -> str:
    process = f" (process {owner})" if owner else ""
    return f"Second Glance is already open on {folder}{process}. Use that window, or close it first."
