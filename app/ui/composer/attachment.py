"""One attached picture in the strip: thumbnail, badge, remove button, keys to remove and reorder."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QPoint, QRectF, Qt, Signal
from PySide6.QtGui import (
    QColor,
    QEnterEvent,
    QFocusEvent,
    QImage,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPixmap,
    QResizeEvent,
)
from PySide6.QtWidgets import QApplication, QWidget

from app.store.records import StoredImage
from app.ui.composer.badge import SIZE, ImageState, Known, badge_width, draw_badge, state_words
from app.ui.composer.painted_buttons import PaintedButton
from app.ui.composer.thumbnail_button import ThumbnailButton, describe
from app.ui.composer.thumbnails import Thumbnails
from app.ui.sentences import translated
from app.ui.theme import Radius, Space, TextRole, colours, font

_REMOVE: Final = 20
_REMOVE_ICON: Final = 12


class Attachment(ThumbnailButton):
    """A picture on its way into a message: loading, kept, or refused.

    Signals:
        remove_requested: by button, Delete or Backspace.
        moved: it is to go so many places to the right (negative: left).
        dragged: the pointer carries it, and is at this point of the strip now.
    """

    remove_requested = Signal()
    moved = Signal(int)
    dragged = Signal(QPoint)

    def __init__(self, thumbnails: Thumbnails, name: str, parent: QWidget | None = None) -> None:
        super().__init__(thumbnails, None, parent)
        self.name = name
        self.known = Known("loading")
        self._twin = 0
        self._grabbed: QPoint | None = None
        self._carried = False
        self.remove_button = self._make_remove_button()
        self._describe()

    def keep(self, image: StoredImage) -> None:
        """Show the picture that is kept now."""
        self.set_image(image)
        self.set_known(Known("new"))

    def refuse(self, reason: str) -> None:
        """Show that it cannot be used, and why."""
        self.set_known(Known("refused", translated(reason)))

    @property
    def state(self) -> ImageState:
        """What the badge shows."""
        return self.known.state

    @property
    def note(self) -> str:
        """What the tooltip adds; of a refused picture, why."""
        return self.known.note

    def set_known(self, known: Known) -> None:
        """Show what is known about it."""
        self.known = known
        self._describe()

    def set_twin(self, position: int) -> None:
        """Say that it is the same picture as the one at ``position``, counted from 1; 0 for none."""
        if position != self._twin:
            self._twin = position
            self._describe()

    def set_preview_image(self, image: QImage | None) -> None:
        """Show ``image`` until the picture itself is kept."""
        if image is not None:
            self.set_preview(QPixmap.fromImage(image))

    def _describe(self) -> None:
        words = state_words(self.state)
        twin = self.tr("The same picture as number {number}").format(number=self._twin) if self._twin else ""
        picture = describe(self.image) if self.image else self.name
        self.setToolTip("\n".join(part for part in (picture, words, self.note, twin) if part))
        self.setAccessibleName(f"{self.name}: {words}")
        self.setAccessibleDescription(" ".join(part for part in (self.note, twin) if part))
        self.remove_button.setAccessibleName(self.tr("Remove {name}").format(name=self.name))
        self.remove_button.setToolTip(self.tr("Remove (Delete)"))
        self.updateGeometry()
        self.update()

    # Keys and mouse

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete removes, Alt with an arrow moves, an arrow alone goes to the neighbour."""
        step = {Qt.Key.Key_Left: -1, Qt.Key.Key_Right: 1}.get(Qt.Key(event.key()), 0)
        step = -step if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else step
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.remove_requested.emit()
        elif step and event.modifiers() & Qt.KeyboardModifier.AltModifier:
            self.moved.emit(step)
        elif step:
            self.focusNextPrevChild(step > 0)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Remember where a drag may have begun."""
        self._grabbed = event.position().toPoint() if event.button() == Qt.MouseButton.LeftButton else None
        self._carried = False
        super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Carry the picture once the pointer has gone far enough."""
        here = event.position().toPoint()
        if self._grabbed is not None and not self._carried:
            self._carried = (here - self._grabbed).manhattanLength() >= QApplication.startDragDistance()
        if self._carried:
            self.setDown(False)
            self.dragged.emit(self.mapToParent(here))
        else:
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Drop the picture where it is, or take it as a click."""
        if self._carried:
            self.setDown(False)
            self._carried, self._grabbed = False, None
            return
        super().mouseReleaseEvent(event)

    # Looks

    def least_width(self) -> int:
        """Leave room for the badge."""
        return max(super().least_width(), badge_width(self.known))

    def paint_over(self, painter: QPainter, frame: QRectF) -> None:
        """Draw the badge, a veil over what cannot be used, and the number of the twin."""
        if self.state == "refused":
            veil = QColor(colours().window)
            veil.setAlphaF(0.6)
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(veil)
            painter.drawRoundedRect(frame, Radius.CARD, Radius.CARD)
        draw_badge(painter, frame, self.known, self.devicePixelRatioF())
        if self._twin:
            self._draw_twin(painter, frame)

    def _draw_twin(self, painter: QPainter, frame: QRectF) -> None:
        text = f"= {self._twin}"
        painter.setFont(font(TextRole.CAPTION))
        width = painter.fontMetrics().horizontalAdvance(text) + Space.S
        pill = QRectF(frame.right() - width - Space.XS, frame.bottom() - SIZE - Space.XS, width, SIZE)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().card))
        painter.drawRoundedRect(pill, SIZE / 2, SIZE / 2)
        painter.setPen(QColor(colours().text))
        painter.drawText(pill, Qt.AlignmentFlag.AlignCenter, text)

    def _make_remove_button(self) -> PaintedButton:
        button = PaintedButton("close", self.tr("Remove"), _REMOVE, _REMOVE_ICON, on_dark=False, parent=self)
        button.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        button.setCursor(Qt.CursorShape.ArrowCursor)
        button.clicked.connect(self.remove_requested)
        button.hide()
        return button

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Keep the remove button in its corner."""
        super().resizeEvent(event)
        self.remove_button.move(self.width() - _REMOVE - 3, 3)

    def enterEvent(self, event: QEnterEvent) -> None:
        """Offer the remove button."""
        self.remove_button.show()
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        """Put the remove button away."""
        self.remove_button.setVisible(self.hasFocus())
        super().leaveEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Offer the remove button."""
        self.remove_button.show()
        super().focusInEvent(event)

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Put the remove button away."""
        self.remove_button.setVisible(self.underMouse())
        super().focusOutEvent(event)
