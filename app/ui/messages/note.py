"""What went wrong or was stopped, where it happened: one sentence and one action."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPlainTextEdit, QPushButton, QVBoxLayout, QWidget

from app.ui.messages.buttons import CopyButton, IconButton
from app.ui.theme import Space, font, icon_pixmap, mono_font
from app.ui.theme.tokens import ICON_SMALL, TextRole

_DETAILS_HEIGHT = 140


class Note(QWidget):
    """A sentence with a button; ``details`` (a traceback) stay closed until asked for.

    Signals:
        action_triggered: the button was pressed.
    """

    action_triggered = Signal()

    def __init__(
        self, sentence: str, action: str, *, details: str = "", failed: bool = True, parent: QWidget | None = None
    ) -> None:
        super().__init__(parent)
        self.sentence = QLabel(sentence)
        self.sentence.setProperty("role", "danger" if failed else "meta")
        self.sentence.setFont(font(TextRole.BODY))
        self.sentence.setWordWrap(True)
        self.sentence.setTextFormat(Qt.TextFormat.PlainText)
        self.sentence.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.details: QPlainTextEdit | None = None
        self.button = QPushButton(action)
        self.button.setAutoDefault(False)
        self.button.clicked.connect(self.action_triggered)
        line = QHBoxLayout()
        line.setSpacing(Space.S)
        if failed:
            line.addWidget(self._symbol())
        line.addWidget(self.sentence, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.XS)
        self._column.addLayout(line)
        if details:
            line.addLayout(self._details_buttons(details))
        line.addWidget(self.button)

    def _symbol(self) -> QLabel:
        label = QLabel()
        colour = self.palette().brightText().color().name()
        label.setPixmap(icon_pixmap("error", ICON_SMALL, colour, self.devicePixelRatioF()))
        return label

    def _details_buttons(self, details: str) -> QHBoxLayout:
        self.details = field = QPlainTextEdit(details)
        field.setReadOnly(True)
        field.setFont(mono_font(TextRole.CAPTION))
        field.setAccessibleName(self.tr("Details of the failure"))
        field.setFixedHeight(_DETAILS_HEIGHT)
        field.hide()
        self._column.addWidget(field)
        self.details_button = IconButton("chevron-down", self.tr("Show details"))
        self.details_button.clicked.connect(lambda: self._toggle_details(field))
        buttons = QHBoxLayout()
        buttons.setSpacing(0)
        buttons.addWidget(CopyButton(self.tr("Copy details"), lambda: details))
        buttons.addWidget(self.details_button)
        return buttons

    def _toggle_details(self, field: QPlainTextEdit) -> None:
        field.setVisible(field.isHidden())
        self.details_button.set_icon("chevron-down" if field.isHidden() else "chevron-up")
