"""Icon buttons that lie on pictures, where the colours of ordinary buttons would not be legible."""

from __future__ import annotations

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QWidget

from app.ui.theme import colours, icon_pixmap

ON_DARK = "#e9e9eb"
_HOVER = QColor(255, 255, 255, 40)
_FAINT = 0.35


class PaintedButton(QAbstractButton):
    """A round button with ``icon_name``; ``on_dark`` for the lightbox, else a disc of the card's colour."""

    def __init__(self, icon_name: str, name: str, size: int, icon_size: int, *, on_dark: bool, parent: QWidget) -> None:
        super().__init__(parent)
        self._icon_name, self._icon_size, self._on_dark = icon_name, icon_size, on_dark
        self.setFixedSize(QSize(size, size))
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        self.setToolTip(name)
        self.setAccessibleName(name)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the disc, the icon, and a ring for the keyboard's focus."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        disc = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        painter.setPen(QPen(QColor(colours().accent), 2) if self.hasFocus() else Qt.PenStyle.NoPen)
        hovered = self.underMouse() and self.isEnabled()
        if self._on_dark:
            painter.setBrush(_HOVER if hovered else Qt.BrushStyle.NoBrush)
        else:
            painter.setBrush(QColor(colours().hover if hovered else colours().card))
        painter.drawEllipse(disc)
        painter.setOpacity(1.0 if self.isEnabled() else _FAINT)
        colour = ON_DARK if self._on_dark else colours().text
        pixmap = icon_pixmap(self._icon_name, self._icon_size, colour, self.devicePixelRatioF())
        half = self._icon_size / 2
        painter.drawPixmap(disc.center() - QPointF(half, half), pixmap)
        painter.end()
