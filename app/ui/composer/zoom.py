"""Where a picture lies in a window: fitted, zoomed around a point, moved. Plain geometry."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QPointF, QRectF, QSizeF

STEP: Final = 1.25
LARGEST: Final = 8.0


@dataclass(slots=True)
class Zoom:
    """A picture of ``picture`` points in a window of ``window`` points.

    ``factor`` 0.0 means fitted (never larger than life); ``shift`` is how far the picture's middle is from the
    window's.
    """

    picture: QSizeF
    window: QSizeF
    factor: float = 0.0
    shift: QPointF = field(default_factory=QPointF)

    @property
    def fitted_factor(self) -> float:
        """The factor at which the whole picture is seen."""
        if self.picture.isEmpty() or self.window.isEmpty():
            return 1.0
        return min(1.0, self.window.width() / self.picture.width(), self.window.height() / self.picture.height())

    @property
    def shown_factor(self) -> float:
        """The factor in force."""
        return self.factor or self.fitted_factor

    def place(self) -> QRectF:
        """Return where the picture is drawn."""
        size = self.picture * self.shown_factor
        place = QRectF(QPointF(), size)
        place.moveCenter(QPointF(self.window.width() / 2, self.window.height() / 2) + self.shift)
        return place

    def fit(self) -> None:
        """Show the whole picture."""
        self.factor, self.shift = 0.0, QPointF()

    def by(self, ratio: float, around: QPointF | None = None) -> None:
        """Zoom by ``ratio``, keeping the point ``around`` of the window where it is."""
        before = self.shown_factor
        least = min(self.fitted_factor, 1.0)
        after = max(least, min(LARGEST, before * ratio))
        middle = QPointF(self.window.width() / 2, self.window.height() / 2) + self.shift
        point = around if around is not None else middle
        self.shift = self.shift + (point - middle) * (1 - after / before)
        self.factor = 0.0 if after <= least else after
        self._keep_in_sight()

    def move(self, distance: QPointF) -> None:
        """Move the picture, but not out of the window."""
        self.shift = self.shift + distance
        self._keep_in_sight()

    def _keep_in_sight(self) -> None:
        size = self.picture * self.shown_factor
        room_x = max(0.0, (size.width() - self.window.width()) / 2)
        room_y = max(0.0, (size.height() - self.window.height()) / 2)
        self.shift = QPointF(
            max(-room_x, min(room_x, self.shift.x())),
            max(-room_y, min(room_y, self.shift.y())),
        )
