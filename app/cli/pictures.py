"""All pictures of a run, read and checked before the model is even loaded."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from app.cache.pixels import normalise
from app.cli.script import Script
from app.inference.types import ImageRef


def read_pictures(script: Script) -> dict[str, ImageRef]:
    """Return the pictures of all turns by their path as written; equal pixels share memory.

    Raises:
        ImageRefused: one of them cannot be used; the message names it and says why.
    """
    by_digest: dict[str, ImageRef] = {}
    pictures: dict[str, ImageRef] = {}
    for path in _paths(script):
        if path not in pictures:
            picture = _read(script.folder / path)
            pictures[path] = by_digest.setdefault(picture.digest, picture)
    return pictures


def _paths(script: Script) -> Iterable[str]:
    return (path for turn in script.turns for path in turn.images)


def _read(path: Path) -> ImageRef:
    picture = normalise(path, str(path))
    return ImageRef(picture.digest, picture.width, picture.height, lambda: picture.image, picture.name)
