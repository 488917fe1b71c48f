"""What is known about an attached picture before it is sent, by shape and colour."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter

from app.ui.theme import Data, Space, TextRole, colours, icon_pixmap, number_font
from app.ui.translation import translate

ImageState = Literal["loading", "new", "preparing", "ready", "partly", "unfit", "refused"]


@dataclass(frozen=True, slots=True)
class Known:
    """What is known of a picture: ``note`` for the tooltip, ``share`` to stand beside the badge, as in ``11/12``."""

    state: ImageState
    note: str = ""
    share: str = ""


SIZE: Final = 16
_RIM: Final = 2
_SHAPES: Final[dict[ImageState, tuple[str, str]]] = {
    "new": ("state-new", Data.RUN),
    "preparing": ("clock", Data.VISION),
    "ready": ("state-ready", Data.REUSED),
    "partly": ("state-partly", Data.VISION),
    "unfit": ("state-refused", Data.EVICTED),
    "refused": ("state-refused", Data.EVICTED),
}


def state_words(state: ImageState) -> str:
    """Return what the badge says in words."""
    return {
        "loading": translate("Badge", "Opening"),
        "new": translate("Badge", "New: it will be looked at when you send"),
        "preparing": translate("Badge", "Being looked at while you type"),
        "ready": translate("Badge", "Seen before: ready"),
        "partly": translate("Badge", "Partly seen before"),
        "unfit": translate("Badge", "Not usable with this model"),
        "refused": translate("Badge", "Not usable"),
    }[state]


def badge_width(known: Known) -> int:
    """Return the width in pixels that a picture needs for its badge."""
    return SIZE + _words_width(known) + 2 * Space.XS + _RIM


def _words_width(known: Known) -> int:
    return QFontMetrics(number_font(TextRole.CAPTION)).horizontalAdvance(known.share) + Space.S if known.share else 0


def draw_badge(painter: QPainter, frame: QRectF, known: Known, scale: float) -> None:
    """Draw the badge of ``known`` in the lower left corner of ``frame``; a picture still loading has none."""
    if known.state not in _SHAPES:
        return
    name, colour = _SHAPES[known.state]
    corner = QPointF(frame.left() + Space.XS, frame.bottom() - Space.XS - SIZE)
    painter.setPen(Qt.PenStyle.NoPen)
    painter.setBrush(QColor(colours().card))
    words = _words_width(known)
    disc = QRectF(corner, corner + QPointF(SIZE + words, SIZE)).adjusted(-_RIM, -_RIM, _RIM, _RIM)
    painter.drawRoundedRect(disc, disc.height() / 2, disc.height() / 2)
    painter.drawPixmap(corner, icon_pixmap(name, SIZE, colour, scale))
    painter.setFont(number_font(TextRole.CAPTION))
    painter.setPen(QColor(colours().text))
    painter.drawText(QRectF(corner.x() + SIZE, corner.y(), words, SIZE), Qt.AlignmentFlag.AlignCenter, known.share)
