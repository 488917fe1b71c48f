"""The thin bar of the receipt: where the prompt's tokens came from."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, Qt
from PySide6.QtGui import QColor, QPainter, QPainterPath, QPaintEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.messages.receipt_text import Segment, SegmentKind
from app.ui.theme import Data, colours

HEIGHT: Final = 4
_GAP: Final = 1
_LEAST: Final = 3.0
COLOURS: Final[dict[SegmentKind, str]] = {"memory": Data.REUSED, "disk": Data.DISK, "run": Data.RUN}


class ReceiptBar(QWidget):
    """Segments in proportion to their tokens; even the smallest can be seen."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._segments: tuple[Segment, ...] = ()
        self._total = 0
        self.setFixedHeight(HEIGHT)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)

    def set_segments(self, segments: tuple[Segment, ...], total: int) -> None:
        """Show ``segments`` as parts of ``total`` tokens."""
        self._segments = segments
        self._total = max(total, sum(segment.tokens for segment in segments))
        words = ", ".join(segment.label for segment in segments)
        self.setToolTip(words)
        self.setAccessibleName(words)
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the segments with hairline gaps inside one rounded shape."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        outline = QPainterPath()
        outline.addRoundedRect(QRectF(self.rect()), HEIGHT / 2, HEIGHT / 2)
        painter.setClipPath(outline)
        painter.fillRect(self.rect(), QColor(colours().free))
        at = 0.0
        for segment, width in zip(self._segments, self._widths(), strict=True):
            place = QRectF(at, 0, width, HEIGHT)
            if self.layoutDirection() == Qt.LayoutDirection.RightToLeft:
                place.moveLeft(self.width() - at - width)
            painter.fillRect(place, QColor(COLOURS[segment.kind]))
            at += width + _GAP
        painter.end()

    def _widths(self) -> list[float]:
        room = self.width() - _GAP * max(0, len(self._segments) - 1)
        wanted = [room * segment.tokens / self._total for segment in self._segments]
        widths = [max(_LEAST, width) for width in wanted]
        if widths:
            widest = max(range(len(widths)), key=widths.__getitem__)
            widths[widest] -= sum(widths) - sum(wanted)
        return widths
