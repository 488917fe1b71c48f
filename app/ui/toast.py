"""A short message at the bottom of a widget, with one action at most; it goes by itself."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from PySide6.QtCore import QEvent, QObject, Qt, QTimer
from PySide6.QtGui import QAccessible, QAccessibleAnnouncementEvent
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QPushButton, QWidget

from app.ui.theme import Space

SHOWN_MS: Final = 8000


class Toast(QFrame):
    """One per window; a new message replaces the old one."""

    def __init__(self, over: QWidget) -> None:
        super().__init__(over)
        self._over = over
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
        over.installEventFilter(self)
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
        over = self._over
        self.label.setWordWrap(False)
        widest = over.width() - 2 * Space.L
        if self.sizeHint().width() > widest:
            self.label.setWordWrap(True)
        self.resize(min(self.sizeHint().width(), widest), self.sizeHint().height())
        if self.label.wordWrap():
            self.resize(widest, self.heightForWidth(widest))
        self.move((over.width() - self.width()) // 2, over.height() - self.height() - Space.XL)
