"""What stands where messages will be, before there are any: it teaches in a few lines."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QVBoxLayout, QWidget

from app.ui.labels import heading
from app.ui.samples import Samples
from app.ui.sentences import translated
from app.ui.theme import Space, TextRole, app_icon

WIDTH: Final = 440
ICON_SIZE: Final = 56


class EmptyState(QWidget):
    """Shown for a chat without messages; offers to choose a model while there is none.

    Signals:
        add_images_requested(), model_requested(): the user pressed the button for it.
    """

    add_images_requested = Signal()
    model_requested = Signal()

    def __init__(self) -> None:
        super().__init__()
        self.picture = QLabel()
        self.picture.setPixmap(app_icon().pixmap(ICON_SIZE, ICON_SIZE))
        self.title = heading("Second Glance", TextRole.TITLE)
        self.text = self._make_text(
            self.tr(
                "Drop or paste screenshots below and ask about them. Drop the same one again, tomorrow or in another "
                "chat: it is not looked at twice, and every answer says what was reused."
            )
        )
        self.private = self._make_text(self.tr("Everything runs and stays on this computer."))
        self.problem = self._make_text("", role="danger")
        self.add_button = QPushButton(self.tr("Add images…"))
        self.add_button.setAccessibleName(self.tr("Add images"))
        self.add_button.clicked.connect(self.add_images_requested)
        self.model_button = QPushButton(self.tr("Choose a model…"))
        self.model_button.setAccessibleName(self.tr("Choose a model"))
        self.model_button.clicked.connect(self.model_requested)
        self.samples = Samples()
        self._offers_samples = False
        self._lay_out()
        self.show_problem("")
        self._fit_samples()

    def show_problem(self, sentence: str) -> None:
        """Say why no model is loaded; empty for all is well."""
        self.problem.setText(translated(sentence))
        self.problem.setVisible(bool(sentence))
        self.model_button.setVisible(bool(sentence))
        self.add_button.setVisible(not sentence)

    def offer_samples(self, offered: bool) -> None:
        """Show pictures to try, or not: only the demo model knows such."""
        self._offers_samples = offered
        self._fit_samples()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Leave the samples out where they would be squeezed."""
        super().resizeEvent(event)
        self._fit_samples()

    def _fit_samples(self) -> None:
        needed = self.samples.sizeHint().height() + self._column.spacing()
        others = self._column.heightForWidth(min(WIDTH, self.width())) - (0 if self.samples.isHidden() else needed)
        self.samples.setVisible(self._offers_samples and others + needed <= self.height())

    def _lay_out(self) -> None:
        middle = QWidget()
        middle.setMaximumWidth(WIDTH)
        column = self._column = QVBoxLayout(middle)
        column.setContentsMargins(Space.L, 0, Space.L, 0)
        column.setSpacing(Space.M)
        column.addWidget(self.picture, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.title, 0, Qt.AlignmentFlag.AlignHCenter)
        for text in (self.text, self.private, self.problem):
            column.addWidget(text)
        column.addSpacing(Space.S)
        for button in (self.add_button, self.model_button):
            column.addWidget(button, 0, Qt.AlignmentFlag.AlignHCenter)
        column.addWidget(self.samples)
        row = QHBoxLayout()
        row.addStretch()
        row.addWidget(middle, 100)
        row.addStretch()
        whole = QVBoxLayout(self)
        whole.addStretch(2)
        whole.addLayout(row)
        whole.addStretch(3)

    @staticmethod
    def _make_text(words: str, role: str = "meta") -> QLabel:
        label = QLabel(words)
        label.setProperty("role", role)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setAlignment(Qt.AlignmentFlag.AlignHCenter)
        return label
