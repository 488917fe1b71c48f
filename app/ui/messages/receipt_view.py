"""The receipt under an answer: a bar, a tick per image, one sentence; a click opens the figures."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QVBoxLayout, QWidget

from app.ui.messages.buttons import IconButton
from app.ui.messages.receipt_bar import ReceiptBar
from app.ui.messages.receipt_details import ReceiptDetails
from app.ui.messages.receipt_text import ImageTick, receipt
from app.ui.theme import Data, Space, TextRole, icon_pixmap, number_font

_TICK: Final = 14
_MOST_TICKS: Final = 12


class ReceiptView(QWidget):
    """Closed it is the sentence and the bar.

    Signals:
        toggled: it was opened (true) or closed.
    """

    toggled = Signal(bool)

    def __init__(self, stats: Mapping[str, Any], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.receipt = receipt(stats)
        self._details: ReceiptDetails | None = None
        self._open = False
        self._bar = ReceiptBar()
        self._bar.set_segments(self.receipt.segments, self.receipt.total)
        self.sentence = QLabel(self.receipt.sentence)
        self.sentence.setProperty("role", "meta")
        self.sentence.setFont(number_font(TextRole.CAPTION))
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.toggle_button = IconButton("chevron-down", self.tr("Show the figures"))
        self.toggle_button.clicked.connect(self.toggle)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAccessibleName(self.receipt.sentence)
        self._lay_out()

    @property
    def is_open(self) -> bool:
        """Whether the figures are shown."""
        return self._open

    def toggle(self) -> None:
        """Open or close the figures."""
        self._open = not self._open
        if self._details is None:
            self._details = ReceiptDetails(self.receipt)
            self._column.addWidget(self._details)
        self._details.setVisible(self._open)
        self.toggle_button.set_icon("chevron-up" if self.is_open else "chevron-down")
        name = self.tr("Hide the figures") if self.is_open else self.tr("Show the figures")
        self.toggle_button.setAccessibleName(name)
        self.toggle_button.setToolTip(name)
        self.toggled.emit(self.is_open)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Open or close by a click on the sentence or the bar, not on an opened figure."""
        in_details = self._details is not None and self._details.geometry().contains(event.position().toPoint())
        if event.button() == Qt.MouseButton.LeftButton and not (self.is_open and in_details):
            self.toggle()
        super().mouseReleaseEvent(event)

    def _lay_out(self) -> None:
        bar = QHBoxLayout()
        bar.setSpacing(Space.XS)
        bar.addWidget(self._bar, 1, Qt.AlignmentFlag.AlignVCenter)
        for tick in self.receipt.ticks[:_MOST_TICKS]:
            bar.addWidget(_Tick(tick))
        words = QHBoxLayout()
        words.setSpacing(Space.S)
        words.addWidget(self.sentence, 1)
        words.addWidget(self.toggle_button, 0, Qt.AlignmentFlag.AlignTop)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.XS)
        self._column.addLayout(bar)
        self._column.addLayout(words)


class _Tick(QWidget):
    """What was done for one image, by shape and colour."""

    def __init__(self, tick: ImageTick) -> None:
        super().__init__()
        self._icon, self._colour = _shape(tick)
        self.setFixedSize(QSize(_TICK, _TICK))
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.setToolTip(tick.label)
        self.setAccessibleName(tick.label)

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        painter.drawPixmap(0, 0, icon_pixmap(self._icon, _TICK, self._colour, self.devicePixelRatioF()))
        painter.end()


def _shape(tick: ImageTick) -> tuple[str, str]:
    if tick.skipped:
        return "state-ready", Data.REUSED
    return ("state-partly", Data.VISION) if tick.tiles_run < tick.tiles else ("state-new", Data.RUN)
