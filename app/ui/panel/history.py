"""What the caches held over the last minutes, and the small line that shows it."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSize, Qt, QTimer
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent, QPen
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.cache.events import CacheEvent
from app.ui.theme import Data, colours
from app.ui.units import size

WINDOW_SECONDS: Final = 300.0
REDRAW_MS: Final = 2000
HEIGHT: Final = 44
MARKS_HEIGHT: Final = 10
_MARK_COLOURS: Final = {
    "hit": Data.REUSED,
    "encoder_skipped": Data.VISION,
    "promoted": Data.DISK,
    "missed": Data.RUN,
    "encoded": Data.RUN,
    "evicted": Data.EVICTED,
}


class History:
    """Bytes held and events, each with its time in seconds, for as long as the window reaches back."""

    def __init__(self) -> None:
        self.sizes: deque[tuple[float, int]] = deque()
        self.marks: deque[tuple[float, str]] = deque()

    def add_size(self, at: float, nbytes: int) -> None:
        """Note what is held from ``at`` on."""
        self.sizes.append((at, nbytes))
        self._forget(at)

    def add_event(self, event: CacheEvent) -> None:
        """Note an event, if its kind is one that is marked."""
        if event.kind in _MARK_COLOURS:
            self.marks.append((event.at, event.kind))
            self._forget(event.at)

    def _forget(self, now: float) -> None:
        """Keep one size from before the window: it held until the next one."""
        while len(self.sizes) > 1 and self.sizes[1][0] < now - WINDOW_SECONDS:
            self.sizes.popleft()
        while self.marks and self.marks[0][0] < now - WINDOW_SECONDS:
            self.marks.popleft()


class Sparkline(QWidget):
    """Draws a :class:`History`: a stepped line of bytes, and below it one tick per hit, miss and eviction."""

    def __init__(self, clock: Callable[[], float] = time.time, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.history = History()
        self._clock = clock
        self.setAccessibleName(self.tr("Cache size over the last five minutes"))
        self.setToolTip(self.tr("Line: bytes kept. Ticks: hits above, misses and evictions below."))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        timer = QTimer(self, interval=REDRAW_MS)
        timer.timeout.connect(self.update)
        timer.start()

    def add(self, nbytes: int) -> None:
        """Note the bytes held now."""
        self.history.add_size(self._clock(), nbytes)
        self.setAccessibleDescription(self.tr("{size} now").format(size=size(nbytes)))
        self.update()

    def sizeHint(self) -> QSize:
        """Return the usual size."""
        return QSize(120, HEIGHT)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Paint line, area and ticks."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        now = self._clock()
        area = QRectF(0, 2, self.width(), self.height() - MARKS_HEIGHT - 4)
        self._paint_line(painter, area, now)
        self._paint_marks(painter, QRectF(0, area.bottom() + 2, self.width(), MARKS_HEIGHT), now)
        painter.end()

    def _paint_line(self, painter: QPainter, area: QRectF, now: float) -> None:
        painter.setPen(QPen(QColor(colours().hairline), 1))
        painter.drawLine(area.bottomLeft(), area.bottomRight())
        top = max((nbytes for _, nbytes in self.history.sizes), default=0)
        if not top:
            return
        line = QPainterPath()
        for index, (at, nbytes) in enumerate(self.history.sizes):
            x = max(self._x(at, now, area), area.left())
            y = area.bottom() - area.height() * nbytes / top
            if index:
                line.lineTo(x, line.currentPosition().y())
                line.lineTo(x, y)
            else:
                line.moveTo(QPointF(x, y))
        line.lineTo(area.right(), line.currentPosition().y())
        fill = QPainterPath(line)
        fill.lineTo(area.bottomRight())
        fill.lineTo(line.elementAt(0).x, area.bottom())
        shade = QColor(Data.REUSED)
        shade.setAlphaF(0.15)
        painter.fillPath(fill, shade)
        painter.setPen(QPen(QColor(Data.REUSED), 1.5, Qt.PenStyle.SolidLine, Qt.PenCapStyle.FlatCap))
        painter.drawPath(line)

    def _paint_marks(self, painter: QPainter, area: QRectF, now: float) -> None:
        for at, kind in self.history.marks:
            x = round(self._x(at, now, area)) + 0.5
            good = kind in ("hit", "encoder_skipped", "promoted")
            middle = area.center().y()
            painter.setPen(QPen(QColor(_MARK_COLOURS[kind]), 1.5))
            painter.drawLine(QPointF(x, area.top() if good else middle), QPointF(x, middle if good else area.bottom()))

    @staticmethod
    def _x(at: float, now: float, area: QRectF) -> float:
        return area.right() - area.width() * (now - at) / WINDOW_SECONDS
