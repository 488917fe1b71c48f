"""A picture over the whole window: zoom, pan, arrows to the neighbours, Escape to leave."""

from __future__ import annotations

import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import (
    QCloseEvent,
    QColor,
    QGuiApplication,
    QImage,
    QKeyEvent,
    QKeySequence,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPixmap,
    QResizeEvent,
    QWheelEvent,
)
from PySide6.QtWidgets import QWidget

from app.errors import UserError
from app.store.records import StoredImage
from app.ui.composer.background import Background
from app.ui.composer.painted_buttons import ON_DARK, PaintedButton
from app.ui.composer.zoom import STEP, Zoom
from app.ui.escape import keep_escape
from app.ui.focus import FocusBefore
from app.ui.messages.words import percent_of
from app.ui.sentences import translated
from app.ui.theme import Space, TextRole, font
from app.ui.theme.tokens import ICON

if TYPE_CHECKING:
    from PIL.Image import Image

log = logging.getLogger(__name__)

_VEIL: Final = QColor(12, 13, 15, 245)
_BUTTON: Final = 36
_WHEEL: Final = 1.0015
_TURNS: Final = frozenset({Qt.Key.Key_Left, Qt.Key.Key_Right})


class LightboxSource(Protocol):
    """What is needed of the image store here."""

    def open(self, digest: str) -> Image:
        """Return the whole picture, decoded."""
        ...


class Lightbox(QWidget):
    """Covers its window until it is closed."""

    def __init__(self, window: QWidget, source: LightboxSource, images: Sequence[StoredImage], index: int) -> None:
        super().__init__(window)
        keep_escape(self)
        self._window = window
        self._source = source
        self._images = tuple(images)
        self.index = index
        self._pixmap = QPixmap()
        self._message = ""
        self._held: QPointF | None = None
        self._zoom = Zoom(QSizeF(), QSizeF())
        self._background = Background()
        self._focus = FocusBefore(self)
        self._focus.remember()
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        self.previous_button = self._button(
            "chevron-left", self.tr("Previous picture"), lambda: self.show_index(self.index - 1)
        )
        self.next_button = self._button(
            "chevron-right", self.tr("Next picture"), lambda: self.show_index(self.index + 1)
        )
        self.zoom_out_button = self._button("zoom-out", self.tr("Smaller"), lambda: self.zoom_by(1 / STEP))
        self.fit_button = self._button("fit", self.tr("Fit to window"), self.fit)
        self.zoom_in_button = self._button("zoom-in", self.tr("Larger"), lambda: self.zoom_by(STEP))
        self.close_button = self._button("close", self.tr("Close"), self.close)
        window.installEventFilter(self)
        self.show_index(index)

    @classmethod
    def open_over(
        cls, window: QWidget, source: LightboxSource, images: Sequence[StoredImage], index: int = 0
    ) -> Lightbox:
        """Cover ``window`` with picture ``index`` of ``images``."""
        box = cls(window, source, images, index)
        box.setGeometry(window.rect())
        box.show()
        box.raise_()
        box.setFocus()
        return box

    # What is shown

    def show_index(self, index: int) -> None:
        """Show another of the pictures; beyond the ends nothing happens."""
        if not 0 <= index < len(self._images):
            return
        self.index = index
        image = self._images[index]
        self._pixmap, self._message = QPixmap(), self.tr("Opening…")
        self._zoom = Zoom(QSizeF(image.width, image.height), self._room().size())
        self.previous_button.setEnabled(index > 0)
        self.next_button.setEnabled(index < len(self._images) - 1)
        for button in (self.previous_button, self.next_button):
            button.setVisible(len(self._images) > 1)
        self.setAccessibleName(self.caption())
        source = self._source
        self._background.run(
            self,
            lambda: _as_qimage(source.open(image.digest)),
            lambda picture: self._take(index, picture),
            lambda error: self._fail(index, error),
        )
        self.update()

    def caption(self) -> str:
        """Return name, size, place and zoom in words."""
        image = self._images[self.index]
        place = self._place_in_words() if len(self._images) > 1 else ""
        zoom = percent_of(round(100 * self._zoom.shown_factor))
        return " · ".join(part for part in (image.name, f"{image.width}×{image.height}", place, zoom) if part)

    def _place_in_words(self) -> str:
        return self.tr("{number} of {total}").format(number=self.index + 1, total=len(self._images))

    @property
    def zoom_factor(self) -> float:
        """Screen points per pixel of the picture."""
        return self._zoom.shown_factor

    def zoom_by(self, ratio: float, around: QPointF | None = None) -> None:
        """Zoom in or out, around a point of this widget or the middle."""
        self._zoom.by(ratio, around - self._room().topLeft() if around is not None else None)
        self.update()

    def fit(self) -> None:
        """Show the whole picture."""
        self._zoom.fit()
        self.update()

    # Qt

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay as large as the window, and turn pages by arrow keys also from a button, where Qt moves the focus."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress and watched is not self._window:
            if Qt.Key(event.key()) in _TURNS:
                self.keyPressEvent(event)
                return True
            return False
        if event.type() == QEvent.Type.Resize and watched is self._window:
            self.setGeometry(self._window.rect())
        return False

    def closeEvent(self, event: QCloseEvent) -> None:
        """Give the focus back to where it was."""
        super().closeEvent(event)
        self._focus.give_back()
        self.deleteLater()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Arrows, plus, minus, 0, Escape; copy puts the picture on the clipboard."""
        action = {
            Qt.Key.Key_Left: lambda: self.show_index(self.index - 1),
            Qt.Key.Key_Right: lambda: self.show_index(self.index + 1),
            Qt.Key.Key_Plus: lambda: self.zoom_by(STEP),
            Qt.Key.Key_Equal: lambda: self.zoom_by(STEP),
            Qt.Key.Key_Minus: lambda: self.zoom_by(1 / STEP),
            Qt.Key.Key_0: self.fit,
            Qt.Key.Key_Escape: self.close,
        }.get(Qt.Key(event.key()))
        if event.matches(QKeySequence.StandardKey.Copy) and not self._pixmap.isNull():
            QGuiApplication.clipboard().setPixmap(self._pixmap)
        elif action is not None:
            action()
        event.accept()

    def focusNextPrevChild(self, next_: bool) -> bool:
        """Keep Tab inside: what lies below is covered."""
        stops: list[QWidget] = [self, *(button for button in self.findChildren(PaintedButton) if button.isEnabled())]
        stops = [stop for stop in stops if stop.isVisible()]
        if not stops:  # it is closing, and Qt asks where the keyboard goes
            return super().focusNextPrevChild(next_)
        focused = next((i for i, stop in enumerate(stops) if stop.hasFocus()), 0)
        stops[(focused + (1 if next_ else -1)) % len(stops)].setFocus(Qt.FocusReason.TabFocusReason)
        return True

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Zoom around the pointer."""
        self.zoom_by(_WHEEL ** event.angleDelta().y(), event.position())
        event.accept()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        """Take hold of the picture, or close by a click beside it."""
        if self._zoom.place().translated(self._room().topLeft()).contains(event.position()):
            self._held = event.position()
            self.setCursor(Qt.CursorShape.ClosedHandCursor)
        else:
            self.close()
        event.accept()

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        """Move the picture along."""
        if self._held is not None:
            self._zoom.move(event.position() - self._held)
            self._held = event.position()
            self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        """Let go."""
        self._held = None
        self.setCursor(Qt.CursorShape.OpenHandCursor)
        event.accept()

    def mouseDoubleClickEvent(self, event: QMouseEvent) -> None:
        """Switch between the whole picture and life size."""
        if self._zoom.factor:
            self.fit()
        else:
            self.zoom_by(1 / self._zoom.shown_factor, event.position())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the buttons around the picture."""
        super().resizeEvent(event)
        self._zoom.window = self._room().size()
        right, middle, bottom = self.width() - _BUTTON - Space.M, (self.height() - _BUTTON) // 2, self.height()
        self.close_button.move(right, Space.M)
        self.previous_button.move(Space.M, middle)
        self.next_button.move(right, middle)
        x = self.width() // 2 - _BUTTON * 3 // 2
        for i, button in enumerate((self.zoom_out_button, self.fit_button, self.zoom_in_button)):
            button.move(x + i * _BUTTON, bottom - _BUTTON - Space.M)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw veil, picture and caption."""
        painter = QPainter(self)
        painter.fillRect(self.rect(), _VEIL)
        room = self._room()
        painter.save()
        painter.setClipRect(room)
        painter.setRenderHint(QPainter.RenderHint.SmoothPixmapTransform, self._zoom.shown_factor < 2)
        if not self._pixmap.isNull():
            source = QRectF(self._pixmap.rect())
            painter.drawPixmap(self._zoom.place().translated(room.topLeft()), self._pixmap, source)
        painter.restore()
        painter.setPen(QColor(ON_DARK))
        painter.setFont(font(TextRole.CAPTION))
        top = QRect(Space.XXL * 2, 0, self.width() - Space.XXL * 4, int(room.top()))
        words = painter.fontMetrics().elidedText(self.caption(), Qt.TextElideMode.ElideMiddle, top.width())
        painter.drawText(top, Qt.AlignmentFlag.AlignCenter, words)
        if self._message:
            painter.drawText(room, Qt.AlignmentFlag.AlignCenter, self._message)
        painter.end()

    # Pieces

    def _room(self) -> QRectF:
        edge = _BUTTON + 2 * Space.M
        return QRectF(self.rect()).adjusted(edge, edge, -edge, -edge)

    def _take(self, index: int, picture: QImage) -> None:
        if index == self.index:
            self._pixmap, self._message = QPixmap.fromImage(picture), ""
            self.update()

    def _fail(self, index: int, error: Exception) -> None:
        if not isinstance(error, UserError):
            log.error("A picture could not be shown", exc_info=error)
        if index == self.index:
            words = translated(str(error)) if isinstance(error, UserError) else self.tr("The picture cannot be shown.")
            self._message = words
            self.update()

    def _button(self, name: str, words: str, action: Callable[[], object]) -> PaintedButton:
        button = PaintedButton(name, words, _BUTTON, ICON, on_dark=True, parent=self)
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(action)
        button.installEventFilter(self)
        return button


def _as_qimage(picture: Image) -> QImage:
    rgb = picture.convert("RGB")
    data = rgb.tobytes()
    return QImage(data, rgb.width, rgb.height, 3 * rgb.width, QImage.Format.Format_RGB888).copy()
