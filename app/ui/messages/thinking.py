"""Reasoning that stands apart from the answer: closed until somebody wants to read it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QToolButton, QVBoxLayout, QWidget

from app.ui.messages.answer_body import AnswerBody
from app.ui.messages.buttons import BUTTON_INSET
from app.ui.theme import Space, TextRole, font, set_icon
from app.ui.theme.tokens import ICON_SMALL


class Thinking(QWidget):
    """A heading that opens and closes; closed, nothing of the text is laid out.

    Signals:
        toggled: it was opened (true) or closed.
    """

    toggled = Signal(bool)

    def __init__(self, text: str = "", *, running: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._text = text
        self._body: AnswerBody | None = None
        self._open = False
        self.button = QToolButton()
        self.button.setAutoRaise(True)
        self.button.setFont(font(TextRole.CAPTION))
        self.button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        self.button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.button.clicked.connect(self.toggle)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.XS)
        self._column.addWidget(self.button, 0, Qt.AlignmentFlag.AlignLeading)
        set_icon(self.button, "chevron-right", "meta")
        self.set_running(running)

    @property
    def is_open(self) -> bool:
        """Whether the text is shown."""
        return self._open

    def text(self) -> str:
        """Return the whole reasoning."""
        return self._text

    def set_text(self, text: str) -> None:
        """Show ``text`` as a whole."""
        self._text = text
        if self._body is not None:
            self._body.set_text(text)

    def append(self, text: str) -> None:
        """Add to the end."""
        self._text += text
        if self._body is not None:
            self._body.append(text)

    def set_running(self, running: bool) -> None:
        """Say whether the model is still at it."""
        words = self.tr("Thinking…") if running else self.tr("Thoughts")
        self.button.setText(words)
        self.button.setAccessibleName(words)

    def restyle(self) -> None:
        """Take the fonts and colours in force."""
        self.button.setFont(font(TextRole.CAPTION))
        if self._body is not None:
            self._body.restyle()

    def toggle(self) -> None:
        """Open or close the text."""
        self._open = not self._open
        set_icon(self.button, "chevron-down" if self._open else "chevron-right", "meta")
        if self._body is None:
            self._body = AnswerBody(meta=True)
            self._body.setContentsMargins(Space.L + BUTTON_INSET, 0, 0, 0)
            self._body.set_text(self._text)
            self._column.addWidget(self._body)
        self._body.setVisible(self._open)
        self.toggled.emit(self._open)
