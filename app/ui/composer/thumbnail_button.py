"""A picture as a button: rounded thumbnail, focus ring, opens on click, Enter or Space."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QKeyEvent, QPainter, QPainterPath, QPaintEvent, QPen, QPixmap
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from app.store.records import StoredImage
from app.ui.composer.thumbnails import Thumbnails
from app.ui.sentences import translated
from app.ui.theme import Radius, colours, icon_pixmap
from app.ui.theme.tokens import ICON, THUMBNAIL

NARROWEST: Final = 48
WIDEST: Final = 128
_RING: Final = 2


class ThumbnailButton(QAbstractButton):
    """Shows ``image``, or a placeholder while it is ``None`` or its thumbnail is on the way."""

    def __init__(self, thumbnails: Thumbnails, image: StoredImage | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails
        self._preview: QPixmap | None = None
        self.image = image
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        thumbnails.ready.connect(self._on_ready)
        thumbnails.failed.connect(self._on_failed)
        if image is not None:
            self.set_image(image)

    def set_image(self, image: StoredImage) -> None:
        """Show ``image`` from now on."""
        self.image = image
        self.setToolTip(describe(image))
        self.setAccessibleName(image.name or self.tr("Image"))
        self.setAccessibleDescription(describe(image))
        self.updateGeometry()
        self.update()

    def set_preview(self, pixmap: QPixmap) -> None:
        """Show ``pixmap`` until the picture itself is there."""
        self._preview = pixmap
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        """Return 64 points high and as wide as the picture's shape asks for, within limits."""
        width, height = (self.image.width, self.image.height) if self.image else (THUMBNAIL, THUMBNAIL)
        if self.image is None and self._preview is not None and self._preview.height():
            width, height = self._preview.width(), self._preview.height()
        return QSize(min(WIDEST, max(self.least_width(), round(THUMBNAIL * width / max(1, height)))), THUMBNAIL)

    def least_width(self) -> int:
        """Return the least width, whatever the picture's shape."""
        return NARROWEST

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Open on Enter as on Space."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.click()
        else:
            super().keyPressEvent(event)

    def pixmap(self) -> QPixmap | None:
        """Return what can be shown now."""
        if self.image is not None and (found := self._thumbnails.pixmap(self.image.digest, WIDEST)) is not None:
            return found
        return self._preview

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the picture, or what stands in for it, and the focus ring."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        frame = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        outline = QPainterPath()
        outline.addRoundedRect(frame, Radius.CARD, Radius.CARD)
        painter.fillPath(outline, QColor(colours().free))
        painter.save()
        painter.setClipPath(outline)
        self._paint_content(painter, frame)
        painter.restore()
        self.paint_over(painter, frame)
        focused = self.hasFocus()
        painter.setPen(QPen(QColor(colours().accent if focused else colours().hairline), _RING if focused else 1))
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawPath(outline)
        painter.end()

    def paint_over(self, painter: QPainter, frame: QRectF) -> None:
        """Draw what lies on the picture; nothing here."""

    def _paint_content(self, painter: QPainter, frame: QRectF) -> None:
        pixmap = self.pixmap()
        if pixmap is not None and not pixmap.isNull():
            painter.drawPixmap(frame, pixmap, _cover(pixmap, frame))
            return
        failed = self.image is not None and self._thumbnails.failure(self.image.digest)
        symbol = icon_pixmap("warning" if failed else "image", ICON, colours().meta, self.devicePixelRatioF())
        painter.drawPixmap(frame.center() - QPointF(ICON / 2, ICON / 2), symbol)

    def _on_ready(self, digest: str) -> None:
        if self.image is not None and self.image.digest == digest:
            self.update()

    def _on_failed(self, digest: str, sentence: str) -> None:
        if self.image is not None and self.image.digest == digest:
            self.setToolTip(sentence)
            self.update()


def describe(image: StoredImage) -> str:
    """Return name, size and what was done on the way in, one a line."""
    return "\n".join(
        part for part in (image.name, f"{image.width}×{image.height}", *map(translated, image.notes)) if part
    )


def _cover(pixmap: QPixmap, frame: QRectF) -> QRectF:
    """Return the middle part of ``pixmap``, in its pixels, that has the shape of ``frame``."""
    width, height = float(pixmap.width()), float(pixmap.height())
    wanted = frame.width() / frame.height()
    part = QRectF(0, 0, min(width, height * wanted), min(height, width / wanted))
    part.moveCenter(QPointF(width / 2, height / 2))
    return part
