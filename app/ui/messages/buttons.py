"""Small icon buttons with a name, and the one that copies."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QGuiApplication, QPaintEvent
from PySide6.QtWidgets import QToolButton, QWidget

from app.ui.theme import set_icon
from app.ui.theme.tokens import ICON_SMALL

BUTTON_INSET = 8
"""From a button's edge to its icon: what stands above a row of buttons is set in by so much."""
_COPIED_MS = 1500


class IconButton(QToolButton):
    """An icon whose name is its tooltip and what a screen reader says.

    Not ``revealed`` it is drawn only while it has the keyboard's focus; its place stays.
    """

    revealed = True

    def __init__(self, icon_name: str, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAutoRaise(True)
        self.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self.set_icon(icon_name)
        self.setToolTip(name)
        self.setAccessibleName(name)

    def set_icon(self, icon_name: str) -> None:
        """Show another icon, in the colour of quiet text."""
        set_icon(self, icon_name, "meta")

    def reveal(self, revealed: bool) -> None:
        """Draw the button, or leave its place empty."""
        self.revealed = revealed
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw, or leave the place empty."""
        if self.revealed or self.hasFocus():
            super().paintEvent(event)


class CopyButton(IconButton):
    """Puts a text on the clipboard and says so with a check mark for a moment."""

    def __init__(self, name: str, text: Callable[[], str], parent: QWidget | None = None) -> None:
        super().__init__("copy", name, parent)
        self._text = text
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(_COPIED_MS)
        self._timer.timeout.connect(lambda: self.set_icon("copy"))
        self.clicked.connect(self._copy)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text())
        self.set_icon("check")
        self._timer.start()
