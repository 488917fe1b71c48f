"""The line shown until the first words of an answer arrive."""

from __future__ import annotations

from PySide6.QtWidgets import QLabel, QProgressBar, QVBoxLayout, QWidget

from app.inference.events import Progress
from app.ui.messages.progress_text import progress_fraction, progress_sentence
from app.ui.theme import Space, TextRole, number_font

_STEPS = 1000
_WIDTH = 320


class ProgressLine(QWidget):
    """Stage, share and time left, in words and as a thin bar."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.label = QLabel(self.tr("Waiting"))
        self.label.setProperty("role", "meta")
        self.label.setFont(number_font(TextRole.CAPTION))
        self._bar = QProgressBar()
        self._bar.setRange(0, _STEPS)
        self._bar.setTextVisible(False)
        self._bar.setMaximumWidth(_WIDTH)
        self._bar.setAccessibleName(self.tr("Progress of the answer"))
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(self.label)
        column.addWidget(self._bar)

    def set_progress(self, progress: Progress) -> None:
        """Show how far the work is."""
        self.label.setText(progress_sentence(progress))
        self._bar.setValue(round(_STEPS * progress_fraction(progress)))
