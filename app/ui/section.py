"""A section with a heading that opens and closes it."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from app.ui.theme import Space, set_icon


class Section(QWidget):
    """Shows ``content`` below a heading while it is open; closed at first."""

    def __init__(self, title: str, content: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.content = content
        self.button = QToolButton()
        self.button.setText(title)
        self.button.setAccessibleName(title)
        self.button.setCheckable(True)
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.setProperty("kind", "section")
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
        set_icon(self.button, "chevron-down" if is_open else "chevron-right")
        self.content.setVisible(is_open)
