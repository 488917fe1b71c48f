"""What the rows of the page have in common: a name, lines below it, buttons at the right."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QProgressBar, QPushButton, QVBoxLayout, QWidget

from app.ui.theme import Space, font
from app.ui.theme.tokens import TextRole


class Row(QFrame):
    """A card. ``about`` is what it is about, for the names of its buttons."""

    def __init__(self, name: str, about: str) -> None:
        super().__init__()
        self.setProperty("kind", "card")
        self.about = about
        self.title = QLabel(name)
        self.title.setFont(font(TextRole.BODY, bold=True))
        self.title.setTextFormat(Qt.TextFormat.PlainText)
        self.title.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.title.setToolTip(about)
        self.bar = QProgressBar()
        self.bar.setTextVisible(False)
        self.bar.setRange(0, 1000)
        self.bar.setAccessibleName(self.tr("Progress of {model}").format(model=about))
        self._buttons = QHBoxLayout()
        self._buttons.setSpacing(Space.S)
        self._lines = QVBoxLayout()
        self._lines.setSpacing(Space.XS)
        self._lines.addWidget(self.title)
        across = QHBoxLayout(self)
        across.setContentsMargins(Space.M, Space.S, Space.M, Space.S)
        across.setSpacing(Space.L)
        across.addLayout(self._lines, 1)
        across.addLayout(self._buttons)
        self.bar.hide()

    def add_line(self, widget: QWidget) -> None:
        """Add a line below the name."""
        self._lines.addWidget(widget)

    def add_button(self, text: str, kind: str = "") -> QPushButton:
        """Add a button at the right."""
        button = QPushButton(text)
        button.setAccessibleName(f"{text}: {self.about}")
        button.setAutoDefault(False)
        if kind:
            button.setProperty("kind", kind)
        self.add_widget(button)
        return button

    def add_widget(self, widget: QWidget) -> None:
        """Add a widget at the right."""
        self._buttons.addWidget(widget, 0, Qt.AlignmentFlag.AlignVCenter)

    def rename_button(self, button: QPushButton, text: str) -> None:
        """Give a button another text."""
        button.setText(text)
        button.setAccessibleName(f"{text}: {self.about}")

    def show_progress(self, share: float | None) -> None:
        """Show how much is done, 0.0 to 1.0; ``None`` for nothing under way."""
        self.bar.setVisible(share is not None)
        if share is not None:
            self.bar.setValue(round(1000 * share))
