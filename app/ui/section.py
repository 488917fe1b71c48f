"""A section with a heading that opens and closes it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QVBoxLayout, QWidget

from app.ui.theme import Radius, Space, colours, font, icon_pixmap
from app.ui.theme.tokens import ICON_SMALL

_INK: Final = {"chevron-right": 6, "chevron-down": 4}
"""Pixels of a chevron's square that are empty at its left: what is seen begins where the text above begins."""
_TEXT: Final = 18


class Heading(QAbstractButton):
    """A bold title with a chevron that says whether its section is open."""

    def __init__(self, title: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setText(title)
        self.setAccessibleName(title)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)

    def sizeHint(self) -> QSize:
        """Return the size of chevron and title."""
        metrics = QFontMetrics(font(bold=True))
        return QSize(_TEXT + metrics.horizontalAdvance(self.text()) + Space.S, metrics.height() + Space.S)

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw chevron, title and, for the keyboard, a ring around both."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if self.hasFocus():
            painter.setPen(QPen(QColor(colours().accent), 1))
            painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), Radius.CONTROL, Radius.CONTROL)
        name = "chevron-down" if self.isChecked() else "chevron-right"
        chevron = icon_pixmap(name, ICON_SMALL, colours().text, self.devicePixelRatioF())
        painter.drawPixmap(-_INK[name] if not self.hasFocus() else 0, (self.height() - ICON_SMALL) // 2, chevron)
        painter.setFont(font(bold=True))
        painter.setPen(QColor(colours().text))
        area = self.rect().adjusted(_TEXT, 0, 0, 0)
        painter.drawText(area, Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft, self.text())
        painter.end()


class Section(QWidget):
    """Shows ``content`` below a heading while it is open; closed at first."""

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self.button = Heading(title)
        self.button.toggled.connect(self._on_toggled)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(self.button)
        column.addWidget(content)
        self._on_toggled(False)

    def set_open(self, is_open: bool) -> None:
        """Open or close the section."""
        self.button.setChecked(is_open)

    def _on_toggled(self, is_open: bool) -> None:
        self.content.setVisible(is_open)
