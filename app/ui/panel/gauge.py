"""A thin bar that shows how a budget is used, in one or several pieces."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtCore import QEasingCurve, QRectF, QSize, QVariantAnimation
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.theme import colours
from app.ui.theme.tokens import MOTION_MS

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
    """Paints the parts from the left, the rest of ``limit`` as free. Said in words as the accessible description.

    Attributes:
        motion: the move from the old widths to new ones; it begins by itself unless motion is to be reduced.
        reduce_motion: whether new widths are there at once.
    """

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._parts: tuple[Part, ...] = ()
        self._limit = 0.0
        self._before: list[float] = []
        self.reduce_motion = False
        self.motion = QVariantAnimation(self)
        self.motion.setStartValue(0.0)
        self.motion.setEndValue(1.0)
        self.motion.setDuration(MOTION_MS)
        self.motion.setEasingCurve(QEasingCurve.Type.OutCubic)
        self.motion.valueChanged.connect(self.update)
        self.setAccessibleName(name)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def show_parts(self, parts: Sequence[Part], limit: float, words: str) -> None:
        """Show ``parts`` of ``limit``; ``words`` says the same for screen readers and as a tooltip."""
        self.setAccessibleDescription(words)
        self.setToolTip(words)
        if (tuple(parts), limit) != (self._parts, self._limit):
            before = self.drawn_widths()
            self._parts, self._limit = tuple(parts), limit
            self._before = before
            self.motion.stop()
            if self.isVisible() and not self.reduce_motion and len(before) == len(self._parts):
                self.motion.start()
            self.update()

    def widths(self, total: float) -> list[float]:
        """Return the width of each part on a bar of ``total`` pixels; together never more than it."""
        scale = total / max(self._limit, sum(part.amount for part in self._parts), 1e-9)
        return [max(LEAST, part.amount * scale) if part.amount > 0 else 0.0 for part in self._parts]

    def drawn_widths(self) -> list[float]:
        """Return the width of each part as it is drawn now, on the way to :meth:`widths`."""
        after = self.widths(self.width())
        if self.motion.state() == QVariantAnimation.State.Stopped:
            return after
        way = float(self.motion.currentValue())
        return [old + (new - old) * way for old, new in zip(self._before, after, strict=True)]

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
        for part, width in zip(self._parts, self.drawn_widths(), strict=True):
            painter.fillRect(QRectF(left, 0, max(width - GAP, 0.0), self.height()), QColor(part.colour))
            left += width
        painter.end()
