"""Opens pictures off the GUI thread and puts them into the strip, or the reason why not."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Protocol

from PySide6.QtCore import QObject, Signal
from PySide6.QtGui import QImage

from app.errors import UserError
from app.store.records import StoredImage
from app.ui.composer.attachment import Attachment
from app.ui.composer.background import Background
from app.ui.composer.mime import Found, Picture
from app.ui.composer.preview import preview
from app.ui.composer.strip import AttachmentStrip

log = logging.getLogger(__name__)


class Keeper(Protocol):
    """What is needed of the image store here."""

    def add(self, source: bytes, name: str = ...) -> StoredImage:
        """Keep a picture by content."""
        ...

    def add_temporary(self, source: bytes, name: str = ...) -> StoredImage:
        """Keep a picture in memory only."""
        ...


class Opener(QObject):
    """One picture after the other; a small preview comes before the whole.

    Attributes:
        incognito: whether pictures are kept in memory only.

    Signals:
        opened: a picture is in the strip.
        failed: one cannot be opened; the strip is told next.
    """

    opened = Signal()
    failed = Signal()

    def __init__(self, keeper: Keeper, strip: AttachmentStrip, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._keeper, self._strip = keeper, strip
        self._background = Background()
        self.incognito = False

    def attach(self, found: Iterable[Found]) -> None:
        """Show what was found at once, and open it."""
        for one in found:
            item = self._strip.add(one.name)
            if isinstance(one, Picture):
                self._open(item, one)
            else:
                self._strip.refuse(item, one.reason)

    def _open(self, item: Attachment, picture: Picture) -> None:
        keep = self._keeper.add_temporary if self.incognito else self._keeper.add
        if isinstance(picture.source, QImage):
            item.set_preview_image(preview(picture.source))
        else:
            data = picture.source
            self._background.run(item, lambda: preview(data), item.set_preview_image, lambda error: None)
        self._background.run(
            item,
            lambda: keep(picture.encoded(), picture.name),
            lambda image: self._on_kept(item, image),
            lambda error: self._on_failed(item, error),
        )

    def _on_kept(self, item: Attachment, image: StoredImage) -> None:
        self._strip.keep(item, image)
        self.opened.emit()

    def _on_failed(self, item: Attachment, error: Exception) -> None:
        self.failed.emit()
        reason = str(error)
        if not isinstance(error, UserError):
            log.error("Attaching %s failed", item.name, exc_info=error)
            reason = self.tr("“{name}” could not be opened.").format(name=item.name)
        self._strip.refuse(item, reason)
