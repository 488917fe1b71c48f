"""Small things that several views are made of: captions, hairlines, colour swatches."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt
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


class ScrollColumn(QScrollArea):
    """Scrolls up and down only, and is never narrower than what is in it."""

    def __init__(self, body: QWidget) -> None:
        super().__init__()
        self.setWidget(body)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.viewport().setAutoFillBackground(False)
        body.setAutoFillBackground(False)

    def minimumSizeHint(self) -> QSize:
        """As wide as the content must be, with room for the scroll bar."""
        least, body = super().minimumSizeHint(), self.widget()
        if body is None:
            return least
        bar = self.verticalScrollBar().sizeHint().width()
        return least.expandedTo(QSize(body.minimumSizeHint().width() + bar, 0))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Say that the least width may be another, with larger text for instance."""
        if watched is self.widget() and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


def scroll_area(body: QWidget) -> QScrollArea:
    """Return ``body`` in an area that scrolls up and down, on whatever surface the area stands."""
    return ScrollColumn(body)


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
