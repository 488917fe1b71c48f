"""The dialog: name, version, what it runs on, and the licences, to be read and searched."""

from __future__ import annotations

import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Final

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QComboBox, QDialog, QDialogButtonBox, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app import __version__, licences
from app.ui.about.searchable import SearchableText
from app.ui.labels import caption, hairline, heading
from app.ui.messages.buttons import CopyButton
from app.ui.theme import Space, TextRole, app_icon

SIZE: Final = (760, 600)
ICON: Final = 72
_PARTS: Final = (("PySide6", "PySide6-Essentials"), ("MLX", "mlx"), ("mlx-lm", "mlx-lm"), ("mlx-vlm", "mlx-vlm"))


class AboutDialog(QDialog):
    """Shows what the app is and whose work is in it.

    Attributes:
        choice: whose licences are shown.
        text: the licences.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("About Second Glance"))
        self.resize(*SIZE)
        self.versions = caption(" · ".join(_parts()))
        self.versions.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.text = SearchableText(self.tr("Licences"))
        self.choice = QComboBox()
        self.choice.setAccessibleName(self.tr("Whose licence is shown"))
        self.choice.addItem(self.tr("What it is built on"), licences.third_party)
        self.choice.addItem("Second Glance", licences.own)
        self.choice.currentIndexChanged.connect(self._show_chosen)
        self._show_chosen()
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Close)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addLayout(self._make_head())
        column.addWidget(hairline())
        column.addLayout(self._make_choice())
        column.addWidget(self.text, 1)
        column.addWidget(buttons)
        self.text.field.setFocus()

    def _show_chosen(self) -> None:
        self.text.show_text(self.choice.currentData()())

    def _make_head(self) -> QHBoxLayout:
        picture = QLabel()
        picture.setPixmap(app_icon().pixmap(QSize(ICON, ICON), self.devicePixelRatioF()))
        words = QVBoxLayout()
        words.setSpacing(Space.XS)
        words.addWidget(heading("Second Glance", TextRole.TITLE))
        version_words = self.tr("Version {version}, licensed under {licence}")
        words.addWidget(QLabel(version_words.format(version=__version__, licence=licences.NAME)))
        sentence = QLabel(self.tr("Chat with pictures on your own computer, and see what was reused."))
        sentence.setWordWrap(True)
        words.addWidget(sentence)
        words.addWidget(self.versions)
        line = QHBoxLayout()
        line.setSpacing(Space.L)
        line.addWidget(picture, 0, Qt.AlignmentFlag.AlignTop)
        line.addLayout(words, 1)
        line.addWidget(CopyButton(self.tr("Copy the versions"), versions), 0, Qt.AlignmentFlag.AlignTop)
        return line

    def _make_choice(self) -> QHBoxLayout:
        line = QHBoxLayout()
        line.setSpacing(Space.S)
        line.addWidget(heading(self.tr("Licences"), TextRole.LEAD))
        line.addStretch()
        line.addWidget(self.choice)
        return line


def versions() -> str:
    """Return the versions of the app and of what it runs on, for a report."""
    return " · ".join([*_parts(), platform.platform(terse=True)])


def _parts() -> list[str]:
    parts = [f"Second Glance {__version__}", f"Python {platform.python_version()}"]
    for name, distribution in _PARTS:
        try:
            parts.append(f"{name} {version(distribution)}")
        except PackageNotFoundError:
            continue
    return parts
