"""Small things that several views are made of: captions, hairlines, colour swatches."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QFrame, QLabel, QScrollArea, QWidget

from app.ui.theme import TextRole, font, number_font

SWATCH: Final = 8


def caption(text: str = "", *, role: str = "meta") -> QLabel:
    """Return a small, quiet label that wraps; ``role`` is ``meta`` or ``danger``."""
    label = QLabel(text)
    label.setProperty("role", role)
    label.setFont(number_font(TextRole.CAPTION))
    label.setWordWrap(True)
    label.setTextFormat(Qt.TextFormat.PlainText)
    return label


def heading(text: str, role: TextRole = TextRole.LEAD) -> QLabel:
    """Return a heading."""
    label = QLabel(text)
    label.setFont(font(role, bold=True))
    return label


def hairline() -> QFrame:
    """Return a horizontal hairline."""
    line = QFrame()
    line.setProperty("kind", "hairline")
    line.setFixedHeight(1)
    return line


def scroll_area(body: QWidget) -> QScrollArea:
    """Return ``body`` in an area that scrolls up and down, on whatever surface the area stands."""
    area = QScrollArea()
    area.setWidget(body)
    area.setWidgetResizable(True)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setFocusPolicy(Qt.FocusPolicy.NoFocus)
    area.viewport().setAutoFillBackground(False)
    body.setAutoFillBackground(False)
    return area


def swatch(colour: str) -> QWidget:
    """Return a small square of a data colour, to stand before its name."""
    return _Swatch(colour)


class _Swatch(QWidget):
    def __init__(self, colour: str) -> None:
        super().__init__()
        self._colour = colour
        self.setFixedSize(QSize(SWATCH, SWATCH))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(self._colour))
        painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
        painter.end()
