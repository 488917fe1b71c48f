"""A few pictures that come with the demo model, for whoever has none at hand."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QIcon
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.paths import samples_dir
from app.ui.theme import Space

SIZE: Final = QSize(88, 66)


class Samples(QWidget):
    """Thumbnails to press; what the demo model was made for can be tried at once.

    Signals:
        chosen(path): the user wants this picture in the question.
    """

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        text = QLabel(self.tr("No picture at hand? The demo model knows windows like these:"))
        text.setProperty("role", "meta")
        text.setWordWrap(True)
        text.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        self.buttons = [self._make_button(path) for path in sorted(samples_dir().glob("*.png"))]
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addStretch()
        for button in self.buttons:
            row.addWidget(button)
        row.addStretch()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, Space.L, 0, 0)
        column.setSpacing(Space.S)
        column.addWidget(text)
        column.addLayout(row)

    def _make_button(self, path: Path) -> QToolButton:
        name = path.stem.replace("-", " ")
        button = QToolButton()
        button.setIcon(QIcon(str(path)))
        button.setIconSize(SIZE)
        button.setToolTip(self.tr("Add {name} to the question").format(name=path.name))
        button.setAccessibleName(self.tr("Add the sample picture {name}").format(name=name))
        button.clicked.connect(lambda: self.chosen.emit(str(path)))
        return button
