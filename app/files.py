"""Writing a file so that a crash leaves either the old content or the new one, and what room there is for more."""

from __future__ import annotations

import os
import shutil
import tempfile
from pathlib import Path
from typing import Final

SPARE_BYTES: Final = 512 * 1024 * 1024
"""What something large leaves free on the disk."""


def free_bytes(target: Path) -> int:
    """Return the bytes that are free where ``target`` is, or would be made."""
    return shutil.disk_usage(next(place for place in (target, *target.parents) if place.exists())).free


def has_room(needed: int, free: int) -> bool:
    """Whether ``needed`` of ``free`` bytes can be taken with :data:`SPARE_BYTES` left."""
    return needed + SPARE_BYTES <= free


def write_atomically(target: Path, content: bytes, mode: int = 0o600) -> None:
    """Write to a temporary name beside ``target``, force it to the disk, then rename.

    Raises:
        OSError: the folder cannot be written or the disk is full; ``target`` is unchanged then.
    """
    handle, temporary = tempfile.mkstemp(prefix=f".{target.name}.", suffix=".tmp", dir=target.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            file.flush()
            os.fchmod(file.fileno(), mode)
            os.fsync(file.fileno())
        os.replace(temporary, target)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise
    _sync_folder(target.parent)


def _sync_folder(folder: Path) -> None:
    """Make the rename itself survive a power cut."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
