"""How an entry of the caches is drawn: its picture or a sign, what it is, and its figures below."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter, QPainterPath, QPixmap
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.inference.holdings import CacheEntry
from app.ui.composer.thumbnails import Thumbnails
from app.ui.panel.entries import ENTRY, META
from app.ui.theme import Radius, Space, TextRole, colours, icon_pixmap, number_font
from app.ui.theme.tokens import ICON_SMALL, THUMBNAIL

PICTURE: Final = 32
_ICONS: Final = {"prefix": "memory", "vision": "image", "ssd": "disk"}
_Index = QModelIndex | QPersistentModelIndex


class EntryDelegate(QStyledItemDelegate):
    """Draws two lines beside a thumbnail, where the picture is known, or the sign of the tier."""

    def __init__(self, thumbnails: Thumbnails | None, parent: QWidget) -> None:
        super().__init__(parent)
        self._thumbnails = thumbnails

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the height of two lines; the width is the view's."""
        lines = 2 * QFontMetrics(number_font(TextRole.CAPTION)).height()
        return QSize(0, max(PICTURE, lines) + Space.S)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one entry."""
        entry: CacheEntry = index.data(ENTRY)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform)
        area: QRect = option.rect
        self._paint_ground(painter, area, option.state)
        inner = area.adjusted(Space.XS, Space.XS, -Space.XS, -Space.XS)
        frame = QRect(inner.left(), inner.center().y() - PICTURE // 2, PICTURE, PICTURE)
        self._paint_picture(painter, frame, entry)
        words = inner.adjusted(PICTURE + Space.S, 0, 0, 0)
        above, below = QRect(words), QRect(words)
        above.setBottom(words.center().y())
        below.setTop(words.center().y() + 1)
        cut = Qt.TextElideMode.ElideLeft if entry.words else Qt.TextElideMode.ElideRight
        _line(painter, above, index.data(), colours().text, cut, Qt.AlignmentFlag.AlignBottom)
        _line(painter, below, index.data(META), colours().meta, Qt.TextElideMode.ElideRight, Qt.AlignmentFlag.AlignTop)
        painter.restore()

    def _paint_picture(self, painter: QPainter, frame: QRect, entry: CacheEntry) -> None:
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(frame), Radius.CONTROL, Radius.CONTROL)
        painter.fillPath(outline, QColor(colours().free))
        pixmap = self._pixmap(entry)
        if pixmap is not None:
            painter.save()
            painter.setClipPath(outline)
            painter.drawPixmap(QRectF(frame), pixmap, _middle(pixmap))
            painter.restore()
            return
        tier = entry.holding.tier
        scale = painter.device().devicePixelRatio()
        sign = icon_pixmap(_ICONS[tier], ICON_SMALL, colours().text, scale)
        inset = (PICTURE - ICON_SMALL) // 2
        painter.drawPixmap(frame.left() + inset, frame.top() + inset, sign)

    def _pixmap(self, entry: CacheEntry) -> QPixmap | None:
        if self._thumbnails is None or not entry.picture:
            return None
        return self._thumbnails.pixmap(entry.picture, THUMBNAIL)

    @staticmethod
    def _paint_ground(painter: QPainter, area: QRect, state: QStyle.StateFlag) -> None:
        if state & QStyle.StateFlag.State_Selected:
            painter.setPen(
                QColor(colours().accent) if state & QStyle.StateFlag.State_HasFocus else QColor(colours().pressed)
            )
            painter.setBrush(QColor(colours().pressed))
            painter.drawRoundedRect(QRectF(area).adjusted(0.5, 0.5, -0.5, -0.5), Radius.CONTROL, Radius.CONTROL)


def _line(
    painter: QPainter, area: QRect, text: str, colour: str, cut: Qt.TextElideMode, side: Qt.AlignmentFlag
) -> None:
    font: QFont = number_font(TextRole.CAPTION)
    painter.setFont(font)
    painter.setPen(QColor(colour))
    shown = QFontMetrics(font).elidedText(text, cut, area.width())
    painter.drawText(area, side | Qt.AlignmentFlag.AlignLeft, shown)


def _middle(pixmap: QPixmap) -> QRectF:
    side = float(min(pixmap.width(), pixmap.height()))
    return QRectF((pixmap.width() - side) / 2, (pixmap.height() - side) / 2, side, side)
