"""The opened receipt: time to first token split up, what was done for each image, where tokens came from, and why."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent
from PySide6.QtWidgets import QGridLayout, QLabel, QWidget

from app.ui.messages.receipt_text import Detail, Receipt, SegmentKind
from app.ui.theme import Data, Space, TextRole, colours, number_font

_BAR: Final = QSize(96, 4)
_SWATCH: Final = QSize(8, 8)
_PLACE_COLOURS: Final[dict[SegmentKind, str]] = {"memory": Data.REUSED, "disk": Data.DISK, "run": Data.RUN}


class ReceiptDetails(QWidget):
    """A quiet table of label, share and figure; the field's own terms are in the tooltips."""

    def __init__(self, receipt: Receipt, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._grid = QGridLayout(self)
        self._grid.setContentsMargins(0, Space.XS, 0, Space.XS)
        self._grid.setHorizontalSpacing(Space.M)
        self._grid.setVerticalSpacing(Space.XS)
        self._grid.setColumnStretch(2, 1)
        previous = ""
        for detail in receipt.details:
            if previous and detail.kind != previous:
                self._grid.setRowMinimumHeight(self._grid.rowCount(), Space.XS)
            self._add(self._grid.rowCount(), detail)
            previous = detail.kind

    def _add(self, row: int, detail: Detail) -> None:
        label, value = _text(detail.label, "meta"), _text(detail.value, "")
        value.setWordWrap(True)
        for widget in (label, value):
            widget.setToolTip(detail.term)
        value.setAccessibleName(f"{detail.label}: {detail.value}")
        self._grid.addWidget(label, row, 0, Qt.AlignmentFlag.AlignTop)
        self._grid.addWidget(value, row, 2)
        if mark := _mark(detail):
            self._grid.addWidget(mark, row, 1, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight)


def _text(words: str, role: str) -> QLabel:
    label = QLabel(words)
    label.setProperty("role", role)
    label.setFont(number_font(TextRole.CAPTION))
    label.setTextFormat(Qt.TextFormat.PlainText)
    label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
    return label


def _mark(detail: Detail) -> QWidget | None:
    if detail.share is not None:
        return _Mark(_BAR, colours().meta, detail.share)
    return _Mark(_SWATCH, _PLACE_COLOURS[detail.place]) if detail.place is not None else None


class _Mark(QWidget):
    """A small bar filled to a share, or a square of a data colour."""

    def __init__(self, size: QSize, colour: str, share: float = 1.0) -> None:
        super().__init__()
        self._colour, self._share = colour, share
        self.setFixedSize(size)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().free))
        painter.drawRoundedRect(QRectF(self.rect()), 2, 2)
        painter.setBrush(QColor(self._colour))
        painter.drawRoundedRect(QRectF(0, 0, max(2.0, self.width() * self._share), self.height()), 2, 2)
        painter.end()
