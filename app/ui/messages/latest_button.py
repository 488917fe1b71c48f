"""The way back to the end of a conversation."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize
from PySide6.QtWidgets import QPushButton, QWidget

from app.ui.theme import Space, set_icon
from app.ui.theme.tokens import ICON_SMALL


class LatestButton(QPushButton):
    """Floats at the lower edge while the end is out of sight."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setText(self.tr("Latest"))
        self.setAccessibleName(self.tr("Go to the latest message"))
        self.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self.hide()
        set_icon(self, "jump-latest")

    def place(self, area: QRect, *, shown: bool) -> None:
        """Show or hide it in the middle of the lower edge of ``area``."""
        self.setVisible(shown)
        size = self.sizeHint()
        x, y = area.center().x() - size.width() // 2, area.bottom() - size.height() - Space.M
        self.setGeometry(QRect(x, y, size.width(), size.height()))
        self.raise_()
