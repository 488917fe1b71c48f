"""Thumbnails as pixmaps, made in the background and kept while there is room."""

from __future__ import annotations

import logging
from collections import OrderedDict
from collections.abc import Set
from typing import Final, Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QPixmap

from app.errors import UserError
from app.ui.composer.background import Background
from app.ui.sentences import translated

log = logging.getLogger(__name__)

KEPT: Final = 256
SCALE: Final = 2
"""Pixels per point of a thumbnail: crisp on a high-density screen, and cheap to shrink on another."""


class ThumbnailSource(Protocol):
    """What is needed of the image store here."""

    def thumbnail(self, digest: str, px: int) -> bytes:
        """Return an encoded picture that fits ``px`` by ``px`` pixels."""
        ...


class Thumbnails(QObject):
    """Hands out thumbnails by digest.

    Signals:
        ready: the thumbnail of this digest has arrived.
        failed: it cannot be had; the sentence says why.
    """

    ready = Signal(str)
    failed = Signal(str, str)

    def __init__(self, source: ThumbnailSource, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._source = source
        self._background = Background()
        self._pixmaps: OrderedDict[tuple[str, int], QPixmap] = OrderedDict()
        self._asked: set[tuple[str, int]] = set()
        self._failures: dict[str, str] = {}

    def pixmap(self, digest: str, points: int) -> QPixmap | None:
        """Return a pixmap that fits ``points`` by ``points``, or ``None`` and tell by signal when it is there."""
        key = (digest, points)
        if key in self._pixmaps:
            self._pixmaps.move_to_end(key)
            return self._pixmaps[key]
        if key not in self._asked and digest not in self._failures:
            self._asked.add(key)
            source = self._source
            self._background.run(
                self,
                lambda: source.thumbnail(digest, points * SCALE),
                lambda encoded: self._take(key, encoded),
                lambda error: self._fail(key, error),
            )
        return None

    def forget(self, digests: Set[str]) -> None:
        """Let go of the pixmaps of these pictures."""
        for key in [key for key in self._pixmaps if key[0] in digests]:
            del self._pixmaps[key]

    def failure(self, digest: str) -> str:
        """Return why there is no thumbnail of this digest, or an empty text."""
        return self._failures.get(digest, "")

    def _take(self, key: tuple[str, int], encoded: bytes) -> None:
        pixmap = QPixmap()
        pixmap.loadFromData(encoded)
        pixmap.setDevicePixelRatio(SCALE)
        self._asked.discard(key)
        self._pixmaps[key] = pixmap
        if len(self._pixmaps) > KEPT:
            self._pixmaps.popitem(last=False)
        self.ready.emit(key[0])

    def _fail(self, key: tuple[str, int], error: Exception) -> None:
        self._asked.discard(key)
        sentence = translated(str(error)) if isinstance(error, UserError) else self.tr("The picture cannot be shown.")
        if not isinstance(error, UserError):
            log.error("No thumbnail of %s", key[0], exc_info=error)
        self._failures[key[0]] = sentence
        self.failed.emit(key[0], sentence)
