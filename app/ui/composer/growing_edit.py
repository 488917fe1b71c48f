"""A plain text field that grows with its text and sends on Enter, but never while an input method composes."""

from __future__ import annotations

import math
from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QFontMetricsF, QInputMethodEvent, QKeyEvent, QResizeEvent, QTextOption
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextEdit, QWidget

from app.ui.theme import font

_ENTER: Final = frozenset({Qt.Key.Key_Return, Qt.Key.Key_Enter})
_MARGIN: Final = 2


class GrowingEdit(QTextEdit):
    """Grows from one to ``lines`` lines, then scrolls.

    Signals:
        submitted: Enter was pressed; Shift+Enter makes a new line instead.
        cancelled: Escape was pressed.
    """

    submitted = Signal()
    cancelled = Signal()

    def __init__(self, lines: int = 8, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._lines = lines
        self._composing = False
        self._invitation = ""
        self.setAcceptRichText(False)
        self.setTabChangesFocus(True)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.viewport().setAutoFillBackground(False)
        document = self.document()
        document.setDocumentMargin(_MARGIN)
        option = document.defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(option)
        document.documentLayout().documentSizeChanged.connect(self._fit)
        self.restyle()

    def invite(self, words: str) -> None:
        """Show ``words`` while nothing is typed, in one line; an ellipsis stands for those without room."""
        self._invitation = words
        self._show_invitation()

    def restyle(self) -> None:
        """Take the font in force."""
        self.document().setDefaultFont(font())
        self._show_invitation()
        self._fit()

    def _show_invitation(self) -> None:
        if self._invitation:
            room = self.viewport().width() - 2 * _MARGIN
            metrics = QFontMetricsF(self.font())  # Qt paints it in the widget's own font
            self.setPlaceholderText(metrics.elidedText(self._invitation, Qt.TextElideMode.ElideRight, room))

    def _fit(self) -> None:
        line = QFontMetricsF(self.document().defaultFont()).lineSpacing()
        text = self.document().size().height()
        most = self._lines * line + 2 * _MARGIN
        self.setVerticalScrollBarPolicy(
            Qt.ScrollBarPolicy.ScrollBarAsNeeded if text > most else Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        )
        height = math.ceil(min(max(text, line + 2 * _MARGIN), most))
        if height != self.height():
            self.setFixedHeight(height)

    def sizeHint(self) -> QSize:
        """Return the height of the text, within the limits."""
        return QSize(super().sizeHint().width(), self.height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Fit the height to the new width."""
        super().resizeEvent(event)
        self._show_invitation()
        self._fit()

    def inputMethodEvent(self, event: QInputMethodEvent) -> None:
        """Remember whether an input method is in the middle of a word."""
        self._composing = bool(event.preeditString())
        super().inputMethodEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Send on Enter; everything else is editing."""
        if event.key() in _ENTER and not self._composing and not event.modifiers() & ~_KEYPAD:
            self.submitted.emit()
        elif event.key() == Qt.Key.Key_Escape and not self._composing:
            self.cancelled.emit()
        else:
            super().keyPressEvent(event)


_KEYPAD: Final = Qt.KeyboardModifier.KeypadModifier
