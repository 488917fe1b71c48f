"""A thin bar that shows how a budget is used, in one or several pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QRectF, QSize
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import colours

HEIGHT: Final = 8
GAP: Final = 1.0
LEAST: Final = 4.0
"""What is there must be seen, however small its share."""


@dataclass(frozen=True, slots=True)
class Part:
    """A piece of the bar: its amount in the unit of the limit, and its data colour."""

    amount: float
    colour: str


class Gauge(QWidget):
    """Paints the parts from the left, the rest of ``limit`` as free. Said in words as the accessible description."""

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[Part, ...] = ()
        self._limit = 0.0
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Sequence[Part], limit: float, words: str) -> None:
        """Show ``parts`` of ``limit``; ``words`` says the same for screen readers and as a tooltip."""
        self.setAccessibleDescription(words)
        self.setToolTip(words)
        if (tuple(parts), limit) != (self._parts, self._limit):
            self._parts, self._limit = tuple(parts), limit
            self.update()

    def widths(self, total: float) -> list[float]:
        """Return the width of each part on a bar of ``total`` pixels; together never more than it."""
        scale = total / max(self._limit, sum(part.amount for part in self._parts), 1e-9)
        return [max(LEAST, part.amount * scale) if part.amount > 0 else 0.0 for part in self._parts]

    def sizeHint(self) -> QSize:
        """Return a bar of the usual height."""
        return QSize(120, HEIGHT)

    def minimumSizeHint(self) -> QSize:
        """Return the least bar that can be read."""
        return QSize(40, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint the rounded bar."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        frame = QPainterPath()
        frame.addRoundedRect(QRectF(self.rect()), HEIGHT / 2, HEIGHT / 2)
        painter.setClipPath(frame)
        painter.fillRect(self.rect(), QColor(colours().free))
        left = 0.0
        for part, width in zip(self._parts, self.widths(self.width()), strict=True):
            painter.fillRect(QRectF(left, 0, max(width - GAP, 0.0), self.height()), QColor(part.colour))
            left += width
        painter.end()
