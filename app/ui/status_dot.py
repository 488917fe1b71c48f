"""A dot and a word that say how the model is: shape, colour and word agree."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.ui.labels import caption
from app.ui.model_state import ModelState, Phase
from app.ui.theme import Data, Space, colours

DOT: Final = 8


class StatusDot(QWidget):
    """Filled for ready, half for loading, a ring for not loaded, a cross for failed; the word beside it."""

    def __init__(self) -> None:
        super().__init__()
        self._mark = _Mark()
        self.label: QLabel = caption()
        self.label.setWordWrap(False)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(Space.XS)
        row.addWidget(self._mark)
        row.addWidget(self.label)
        self.show_state(ModelState())

    def show_state(self, state: ModelState) -> None:
        """Show the phase of the model."""
        self._mark.phase = state.phase
        self._mark.update()
        self.label.setText(state.words)
        self.setToolTip(state.details)
        self.setAccessibleName(self.tr("Model: {state}").format(state=state.words))
        self.setAccessibleDescription(state.details)


class _Mark(QWidget):
    phase: Phase = "none"

    def __init__(self) -> None:
        super().__init__()
        self.setFixedSize(QSize(DOT + 2, DOT + 2))

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area = QRectF(self.rect()).adjusted(1, 1, -1, -1)
        colour = {"ready": Data.REUSED, "loading": Data.RUN, "failed": Data.EVICTED}.get(self.phase, colours().meta)
        painter.setPen(QPen(QColor(colour), 1.5))
        if self.phase == "failed":
            painter.drawLine(area.topLeft(), area.bottomRight())
            painter.drawLine(area.topRight(), area.bottomLeft())
            return
        painter.drawEllipse(area)
        painter.setBrush(QColor(colour))
        painter.setPen(Qt.PenStyle.NoPen)
        if self.phase == "ready":
            painter.drawEllipse(area)
        elif self.phase == "loading":
            painter.drawPie(area, 90 * 16, -180 * 16)
