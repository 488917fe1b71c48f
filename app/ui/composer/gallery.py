"""The earlier pictures of a chat, to be attached again: a small window over the composer."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from PySide6.QtCore import QPoint, QRectF, Qt, Signal
from PySide6.QtGui import QKeyEvent, QPainter
from PySide6.QtWidgets import QApplication, QFrame, QVBoxLayout, QWidget

from app.store.records import StoredImage
from app.ui.composer.badge import Known, badge_width, draw_badge, state_words
from app.ui.composer.thumbnail_button import ThumbnailButton, describe
from app.ui.composer.thumbnails import Thumbnails
from app.ui.escape import keep_escape
from app.ui.labels import caption, heading, scroll_area
from app.ui.messages.flow_layout import FlowLayout
from app.ui.theme import Space, TextRole
from app.ui.theme.tokens import THUMBNAIL

WIDTH: Final = 440
ROWS: Final = 3
"""Rows of pictures that are seen without scrolling."""


class EarlierPicture(ThumbnailButton):
    """One picture with its badge."""

    def __init__(self, thumbnails: Thumbnails, image: StoredImage, parent: QWidget | None = None) -> None:
        super().__init__(thumbnails, image, parent)
        self.known = Known("new")

    def set_known(self, known: Known) -> None:
        """Show what is known about it."""
        self.known = known
        self.updateGeometry()
        words = state_words(known.state)
        picture = describe(self.image) if self.image else ""
        self.setToolTip("\n".join(part for part in (picture, words, known.note) if part))
        name = self.image.name if self.image else ""
        self.setAccessibleName(f"{name or self.tr('Image')}: {words}")
        self.update()

    def least_width(self) -> int:
        """Leave room for the badge."""
        return max(super().least_width(), badge_width(self.known))

    def paint_over(self, painter: QPainter, frame: QRectF) -> None:
        """Draw the badge."""
        draw_badge(painter, frame, self.known, self.devicePixelRatioF())


class EarlierPictures(QFrame):
    """Lies over ``over`` above the composer. Arrows move, Enter, Space or a click attaches, Escape closes.

    It stays open after a choice, as there may be more than one to take.

    Signals:
        chosen(StoredImage): the picture is to be attached.
        closed(): the keyboard's focus needs another place.
    """

    chosen = Signal(object)
    closed = Signal()

    def __init__(self, thumbnails: Thumbnails, over: QWidget) -> None:
        super().__init__(over)
        self._thumbnails, self._over = thumbnails, over
        self.items: list[EarlierPicture] = []
        self._body = QWidget()
        self.setProperty("kind", "card")
        self.setAccessibleName(self.tr("Pictures of this chat"))
        self._help = caption(self.tr("Enter or a click attaches a picture again."))
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.M, Space.M, Space.M, Space.M)
        column.setSpacing(Space.S)
        column.addWidget(heading(self.tr("Pictures of this chat"), TextRole.BODY))
        self._area = scroll_area(self._body)
        column.addWidget(self._area)
        column.addWidget(self._help)
        keep_escape(self)
        self.hide()

    def open(self, images: Sequence[StoredImage], known: Callable[[str], Known], above: QWidget) -> None:
        """Show ``images`` above the widget ``above``, the latest first, and take the keyboard."""
        self._fill(images)
        self.show_known(known)
        self._place(above)
        self.show()
        self.raise_()
        if self.items:
            self.items[0].setFocus(Qt.FocusReason.PopupFocusReason)
        application = QApplication.instance()
        if isinstance(application, QApplication):
            application.focusChanged.connect(self._on_focus, Qt.ConnectionType.UniqueConnection)

    def show_known(self, known: Callable[[str], Known]) -> None:
        """Show on each picture what is known of it now."""
        for item in self.items:
            if item.image is not None:
                item.set_known(known(item.image.digest))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Go from picture to picture, and close."""
        here = next((place for place, item in enumerate(self.items) if item.hasFocus()), 0)
        onward = -1 if self.layoutDirection() == Qt.LayoutDirection.RightToLeft else 1
        places = {
            Qt.Key.Key_Left: here - onward,
            Qt.Key.Key_Right: here + onward,
            Qt.Key.Key_Up: self._in_next_row(here, -1),
            Qt.Key.Key_Down: self._in_next_row(here, 1),
            Qt.Key.Key_Home: 0,
            Qt.Key.Key_End: len(self.items) - 1,
        }
        key = Qt.Key(event.key())
        if key == Qt.Key.Key_Escape:
            self.hide()
            self.closed.emit()
        elif key in places:
            self._go_to(places[key])
        else:
            super().keyPressEvent(event)

    def _in_next_row(self, here: int, step: int) -> int:
        """Return the place of the picture above or below the one at ``here``, or its own place."""
        if not self.items:
            return here
        middle = self.items[here].geometry().center()
        rows = sorted({item.y() for item in self.items})
        row = rows.index(self.items[here].y()) + step
        if not 0 <= row < len(rows):
            return here
        in_row = [item for item in self.items if item.y() == rows[row]]
        return self.items.index(min(in_row, key=lambda item: abs(item.geometry().center().x() - middle.x())))

    def _go_to(self, place: int) -> None:
        if self.items:
            item = self.items[max(0, min(place, len(self.items) - 1))]
            item.setFocus(Qt.FocusReason.TabFocusReason)
            self._area.ensureWidgetVisible(item, Space.S, Space.S)

    def _fill(self, images: Sequence[StoredImage]) -> None:
        body = QWidget()
        row = FlowLayout(Space.S, body)
        self.items = []
        for image in reversed(images):
            item = EarlierPicture(self._thumbnails, image)
            item.clicked.connect(lambda _=False, image=image: self.chosen.emit(image))
            row.addWidget(item)
            self.items.append(item)
        self._area.setWidget(body)  # deletes the one before
        body.setAutoFillBackground(False)
        self._body = body

    def _place(self, above: QWidget) -> None:
        corner = above.mapTo(self._over, QPoint(0, 0))
        width = min(WIDTH, above.width(), self._over.width() - 2 * Space.L)
        inside = width - 2 * Space.M - 2
        layout = self._body.layout()
        rows = layout.heightForWidth(inside) if layout is not None else THUMBNAIL
        self._area.setFixedHeight(min(rows, ROWS * THUMBNAIL + (ROWS - 1) * Space.S))
        self.resize(width, self.sizeHint().height())
        left = max(Space.L, min(corner.x(), self._over.width() - width - Space.L))
        self.move(left, max(Space.S, corner.y() - self.height() - Space.S))

    def _on_focus(self, _: QWidget | None, now: QWidget | None) -> None:
        if now is not None and now is not self and not self.isAncestorOf(now):
            self.hide()
