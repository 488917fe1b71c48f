"""What is known about an attached picture before it is sent, by shape and colour."""

from __future__ import annotations

from typing import Final, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QPainter

from app.ui.theme import Data, Space, colours, icon_pixmap

ImageState = Literal["loading", "new", "preparing", "ready", "partly", "refused"]

SIZE: Final = 16
_RIM: Final = 2
_SHAPES: Final[dict[ImageState, tuple[str, str]]] = {
    "new": ("state-new", Data.RUN),
    "preparing": ("clock", Data.VISION),
    "ready": ("state-ready", Data.REUSED),
    "partly": ("state-partly", Data.VISION),
    "refused": ("state-refused", Data.EVICTED),
}


def draw_badge(painter: QPainter, frame: QRectF, state: ImageState, scale: float) -> None:
    """Draw the badge of ``state`` in the lower left corner of ``frame``; a picture still loading has none."""
    if state not in _SHAPES:
        return
    name, colour = _SHAPES[state]
    corner = QPointF(frame.left() + Space.XS, frame.bottom() - Space.XS - SIZE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours().card))
    painter.drawEllipse(QRectF(corner, corner + QPointF(SIZE, SIZE)).adjusted(-_RIM, -_RIM, _RIM, _RIM))
    painter.drawPixmap(corner, icon_pixmap(name, SIZE, colour, scale))
