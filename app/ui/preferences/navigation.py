"""The list of the pages: as wide and its rows as high as its words are, in every language and size of text."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QEvent, QSize
from PySide6.QtWidgets import QListWidget, QListWidgetItem

from app.ui.theme import Space

LEAST_WIDTH: Final = 168
LEAST_ROW: Final = 32
_BESIDE: Final = 2 * Space.XL
"""What the style leaves free beside the words, at both sides together."""


class Navigation(QListWidget):
    """Names of pages, one of which is shown."""

    def add(self, title: str) -> None:
        """Name one more page."""
        QListWidgetItem(title, self)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        """Fit another size of text."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        metrics, items = self.fontMetrics(), [self.item(row) for row in range(self.count())]
        widest = max((metrics.horizontalAdvance(item.text()) for item in items), default=0)
        self.setFixedWidth(max(LEAST_WIDTH, widest + _BESIDE))
        for item in items:
            item.setSizeHint(QSize(0, max(LEAST_ROW, metrics.height() + Space.L)))
