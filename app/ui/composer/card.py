"""The surface that the composer's parts lie on."""

from __future__ import annotations

from PySide6.QtCore import QRectF
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from app.ui.theme import Radius, Space, colours
from app.ui.theme.tokens import COLUMN_WIDTH


class Card(QWidget):
    """Its edge shows whether the keyboard's focus is in ``field``."""

    def __init__(self, field: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._field = field
        self.setMaximumWidth(COLUMN_WIDTH)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the surface and its edge."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        edge = colours().accent if self._field.hasFocus() else colours().hairline
        painter.setPen(QPen(QColor(edge), 1))
        painter.setBrush(QColor(colours().card))
        frame = QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5)
        painter.drawRoundedRect(frame, Radius.CARD + Space.XS, Radius.CARD + Space.XS)
        painter.end()
