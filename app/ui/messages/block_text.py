"""The text widget that every block of an answer is made of: as tall as its text, read-only, selectable."""

from __future__ import annotations

import math

from PySide6.QtCore import QSize, Qt, QUrl
from PySide6.QtGui import QDesktopServices, QFocusEvent, QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QTextBrowser, QTextEdit, QWidget

from app.ui.messages.marks import places
from app.ui.theme import Space
from app.ui.theme.tokens import COLUMN_WIDTH

_BY_KEYBOARD = frozenset({Qt.FocusReason.TabFocusReason, Qt.FocusReason.BacktabFocusReason})
_FIRST_WIDTH = COLUMN_WIDTH - 2 * Space.L
"""Most likely the width it will get: text is not laid out twice."""
_OUTSIDE = frozenset({"http", "https", "mailto"})


class BlockText(QTextBrowser):
    """A frameless read-only text that takes the height it needs and leaves scrolling to the conversation."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setOpenLinks(False)
        self.setUndoRedoEnabled(False)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        # Fixed would have a layout give no more height than a size hint that it remembers from another width
        policy = QSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.setTextInteractionFlags(
            Qt.TextInteractionFlag.TextBrowserInteraction | Qt.TextInteractionFlag.TextSelectableByKeyboard
        )
        self.viewport().setAutoFillBackground(False)
        self.setLineWrapMode(QTextEdit.LineWrapMode.FixedPixelWidth)
        self.setLineWrapColumnOrWidth(_FIRST_WIDTH)
        document = self.document()
        document.setDocumentMargin(0)
        option = document.defaultTextOption()
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        document.setDefaultTextOption(option)
        self.anchorClicked.connect(open_outside)
        self._marked = ""
        self.textChanged.connect(self._mark_again)

    def mark(self, query: str) -> None:
        """Mark all places of ``query``, in small letters, also in what the text becomes; nothing for an empty one."""
        self._marked = query
        self.setExtraSelections(places(self.document(), query))

    def _mark_again(self) -> None:
        if self._marked:
            self.mark(self._marked)

    def set_indent(self, pixels: int) -> None:
        """Leave room at the side where lines begin."""
        self.setViewportMargins(pixels, 0, 0, 0)

    def hasHeightForWidth(self) -> bool:
        """Say that the height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height in pixels that the text needs at ``width``."""
        self._wrap_at(width - self.viewportMargins().left())
        return max(1, math.ceil(self.document().size().height()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Wrap the lines at the new width."""
        super().resizeEvent(event)
        self._wrap_at(self.viewport().width())

    def _wrap_at(self, width: int) -> None:
        """Wrap at a width of our own: by itself the text goes back to that of the widget whenever it can."""
        if self.lineWrapMode() == QTextEdit.LineWrapMode.FixedPixelWidth and width != self.lineWrapColumnOrWidth():
            self.setLineWrapColumnOrWidth(max(1, width))

    def sizeHint(self) -> QSize:
        """Return the size at the present width."""
        return QSize(self.width(), self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        """Allow any width; the height follows from it."""
        return QSize(0, 0)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Show the text cursor to those who came by keyboard, and to them only."""
        self.setCursorWidth(1 if event.reason() in _BY_KEYBOARD else 0)
        super().focusInEvent(event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave vertical scrolling to the conversation."""
        if self._scrolls_sideways(event):
            super().wheelEvent(event)
        else:
            event.ignore()

    def _scrolls_sideways(self, event: QWheelEvent) -> bool:
        sideways = abs(event.angleDelta().x()) > abs(event.angleDelta().y())
        return sideways and self.lineWrapMode() == QTextEdit.LineWrapMode.NoWrap

    def loadResource(self, kind: int, name: QUrl | str) -> None:
        """Load nothing: an answer must not read files or reach the network by naming them."""


def open_outside(url: QUrl) -> None:
    """Open a web or mail link with the system's program; other schemes from an answer are not followed."""
    if url.scheme() in _OUTSIDE:
        QDesktopServices.openUrl(url)
