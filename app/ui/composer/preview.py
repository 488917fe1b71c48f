"""A quick small picture to show until the real thumbnail is there."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
from PySide6.QtGui import QImage, QImageReader

LARGEST: Final = QSize(256, 256)


def preview(source: bytes | QImage) -> QImage | None:
    """Return ``source`` shrunk to at most 256 by 256 pixels, or ``None`` where Qt cannot read it; any thread."""
    if isinstance(source, QImage):
        return source.scaled(LARGEST, Qt.AspectRatioMode.KeepAspectRatio)
    buffer = QBuffer()
    buffer.setData(QByteArray(source))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    return _shrunk(QImageReader(buffer))  # which goes before the buffer does: that of TIFF still reads while it goes


def _shrunk(reader: QImageReader) -> QImage | None:
    reader.setAutoTransform(True)
    size = reader.size()
    if size.isValid() and (size.width() > LARGEST.width() or size.height() > LARGEST.height()):
        reader.setScaledSize(size.scaled(LARGEST, Qt.AspectRatioMode.KeepAspectRatio))
    image = reader.read()
    return None if image.isNull() else image
