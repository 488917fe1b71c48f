"""Whether a model fits: a mark whose shape and colour agree with the words beside it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QWidget

from app.inference.library.fit import Fit, Verdict
from app.inference.library.uses import Use
from app.ui.labels import caption
from app.ui.library.text import fit_details, fit_words
from app.ui.theme import Data, Space

MARK: Final = 10
COLOURS: Final[dict[Verdict, str]] = {"fits": Data.REUSED, "tight": Data.RUN, "too_large": Data.EVICTED}


class FitBadge(QWidget):
    """A check mark, a bar or a cross, and the numbers; the parts are in the tooltip."""

    def __init__(self, fit: Fit, use: Use | None) -> None:
        super().__init__()
        self.words = caption(fit_words(fit))
        self.setToolTip(fit_details(fit, use))
        self.setAccessibleName(fit_words(fit))
        self.setAccessibleDescription(fit_details(fit, use))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.S)
        row.addWidget(_Mark(fit.verdict))
        row.addWidget(self.words, 1)


class _Mark(QWidget):
    def __init__(self, verdict: Verdict) -> None:
        super().__init__()
        self._verdict = verdict
        self.setFixedSize(QSize(MARK + 2, MARK + 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        pen = QPen(QColor(COLOURS[self._verdict]), 2)
        pen.setCapStyle(Qt.PenCapStyle.RoundCap)
        painter.setPen(pen)
        area = QRectF(self.rect()).adjusted(2, 2, -2, -2)
        middle = area.center()
        if self._verdict == "fits":
            corner = QPointF(area.left() + area.width() * 0.38, area.bottom() - 1)
            painter.drawPolyline([QPointF(area.left(), middle.y() + 1), corner, area.topRight()])
        elif self._verdict == "tight":
            painter.drawLine(QPointF(area.left(), middle.y()), QPointF(area.right(), middle.y()))
        else:
            painter.drawLine(area.topLeft(), area.bottomRight())
            painter.drawLine(area.topRight(), area.bottomLeft())
        painter.end()
