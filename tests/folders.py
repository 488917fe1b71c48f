"""What lies in a folder, also while other threads write to it and remove from it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path


def paths_under(folder: Path) -> Iterator[Path]:
    """Yield everything below ``folder``; ``Path.rglob`` raises where a folder goes between two looks, this does not."""
    for parent, folders, files in os.walk(folder):
        yield from (Path(parent, name) for name in (*folders, *files))


def bytes_under(folder: Path) -> int:
    """Return how many bytes the files below ``folder`` have, of those that are still there when they are asked."""
    total = 0
    for path in paths_under(folder):
        try:
            total += path.stat().st_size if path.is_file() else 0
        except FileNotFoundError:
            continue
    return total
