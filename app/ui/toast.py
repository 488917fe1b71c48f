"""A short message at the bottom of a widget, with one action at most; it goes by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, QPoint, QRect, QSize, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.ui.theme import Space

SHOWN_MS: Final = 8000


class Toast(QFrame):
    """One per window; a new message replaces the old one.

    It stands at the bottom of ``over``, before everything inside ``within``: a panel that lies over the content must
    not hide its button.
    """

    def __init__(self, over: QWidget, within: QWidget) -> None:
        super().__init__(within)
        self._over, self._within = over, within
        self.setProperty("kind", "toast")
        self.setAccessibleName(self.tr("Notice"))
        self.label = QLabel()
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.button = QPushButton()
        self.button.setProperty("kind", "toast")
        self.button.setAccessibleName(self.tr("Action"))
        self.button.clicked.connect(self._act)
        self._action: Callable[[], None] | None = None
        self._on_lapse: Callable[[], None] | None = None
        self._timer = QTimer(self, singleShot=True, interval=SHOWN_MS)
        self._timer.timeout.connect(self.lapse)
        row = QHBoxLayout(self)
        row.setContentsMargins(Space.M, Space.S, Space.S, Space.S)
        row.setSpacing(Space.M)
        row.addWidget(self.label)
        row.addWidget(self.button)
        for widget in (over, within):
            widget.installEventFilter(self)
        self.hide()

    def say(
        self,
        words: str,
        action: str = "",
        on_action: Callable[[], None] | None = None,
        on_lapse: Callable[[], None] | None = None,
    ) -> None:
        """Show ``words``, and a button ``action`` that calls ``on_action`` and closes the message.

        ``on_lapse`` is called instead once the button can no longer be pressed.
        """
        self.lapse()
        self.label.setText(words)
        self.button.setText(action)
        self.button.setAccessibleName(action)
        self.button.setVisible(on_action is not None)
        self._action, self._on_lapse = on_action, on_lapse
        self._place()
        self.show()
        self.raise_()
        self._timer.start()
        QAccessible.updateAccessibility(QAccessibleAnnouncementEvent(self, words))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Stay at the bottom when the window changes its size."""
        if event.type() == QEvent.Type.Resize and self.isVisible():
            self._place()
        return False

    def changeEvent(self, event: QEvent) -> None:
        """Take the room that larger or smaller letters need."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange) and self.isVisible():
            self._place()

    def lapse(self) -> None:
        """Go away, as when the time is over."""
        lapse, self._action, self._on_lapse = self._on_lapse, None, None
        self.hide()
        if lapse is not None:
            lapse()

    def _act(self) -> None:
        action, self._action, self._on_lapse = self._action, None, None
        self.hide()
        if action is not None:
            action()

    def _place(self) -> None:
        place = QRect(self._over.mapTo(self._within, QPoint()), self._over.size()).intersected(self._within.rect())
        size = self._size_in(place.width())
        if size.height() > place.height():
            place = self._within.rect()
            size = self._size_in(place.width())
        self.resize(size)
        top = place.bottom() - size.height() - Space.XL
        self.move(place.left() + (place.width() - size.width()) // 2, max(top, 0))

    def _size_in(self, width: int) -> QSize:
        """Return the size it takes in a place of this width, in pixels; long words are broken into lines."""
        widest = width - 2 * Space.L
        self.label.setWordWrap(False)
        if self.sizeHint().width() <= widest:
            return self.sizeHint()
        self.label.setWordWrap(True)
        return QSize(widest, self.heightForWidth(widest))
