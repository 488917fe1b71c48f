"""Pictures for paper, decoded off the GUI thread."""

from __future__ import annotations

from typing import Final, Protocol

from PIL import Image
from PySide6.QtCore import QObject
from PySide6.QtGui import QImage

from app.ui.composer.background import Background

_BYTES_PER_PIXEL: Final = 3


class Pictures(Protocol):
    """What is needed of the image store here."""

    def open(self, digest: str) -> Image.Image:
        """Return a picture in RGB."""
        ...


class PaperPictures(QObject):
    """Decodes one after the other, no larger than paper shows them."""

    def __init__(self, source: Pictures, largest: tuple[int, int]) -> None:
        super().__init__()
        self._source, self._largest = source, largest
        self._background = Background()
        self._outcomes: dict[str, Image.Image | Exception] = {}

    def ask(self, digest: str) -> None:
        """Begin with a picture."""
        source, largest = self._source, self._largest

        def work() -> Image.Image:
            picture = source.open(digest)
            picture.thumbnail(largest, Image.Resampling.LANCZOS, reducing_gap=2.0)
            return picture

        def keep(outcome: Image.Image | Exception) -> None:
            self._outcomes[digest] = outcome

        self._background.run(self, work, keep, keep)

    def take(self, digest: str) -> QImage | None:
        """Return a picture that was asked for, or ``None`` while it is on its way.

        Raises:
            ImageRefused: it is gone or damaged.
        """
        outcome = self._outcomes.pop(digest, None)
        if outcome is None:
            return None
        if isinstance(outcome, Exception):
            raise outcome
        stride = outcome.width * _BYTES_PER_PIXEL
        image = QImage(outcome.tobytes(), outcome.width, outcome.height, stride, QImage.Format.Format_RGB888)
        return image.copy()  # its own pixels, as those of Python go
