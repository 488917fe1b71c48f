"""A code block: language, copy button, coloured code with its own horizontal scroll bar."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextBlockFormat, QTextCursor
from PySide6.QtWidgets import QHBoxLayout, QLabel, QTextEdit, QVBoxLayout, QWidget

from app.ui.messages.block_text import BlockText
from app.ui.messages.buttons import CopyButton
from app.ui.messages.code_painter import CodePainter
from app.ui.messages.markdown import line_height
from app.ui.theme import Radius, Space, TextRole, colours, font, mono_font

_LINE_HEIGHT = 1.4
_CODE_SIZE = 0.95


class CodeText(BlockText):
    """The code itself: never wrapped."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setLineWrapMode(QTextEdit.LineWrapMode.NoWrap)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setTabChangesFocus(True)

    def heightForWidth(self, width: int) -> int:
        """Leave room for the scroll bar where a line is wider than ``width``."""
        scrolls = self.document().idealWidth() > width
        return super().heightForWidth(width) + (self.horizontalScrollBar().sizeHint().height() if scrolls else 0)


class CodeBlock(QWidget):
    """One fenced piece of code."""

    def __init__(self, code: str, language: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.language = language
        self.text = CodeText()
        self._title = self.tr("Code, {language}").format(language=language) if language else self.tr("Code")
        self._painter = CodePainter(self.text.document())
        self._label = QLabel(language or self.tr("code"))
        self._label.setProperty("role", "meta")
        self.copy_button = CopyButton(self.tr("Copy code"), self.code)
        header = QHBoxLayout()
        header.addWidget(self._label)
        header.addStretch()
        header.addWidget(self.copy_button)
        self._column = QVBoxLayout(self)
        self._column.setSpacing(0)
        self._column.addLayout(header)
        self._column.addWidget(self.text)
        self._indent = 0
        self.set_indent(0)
        self._code = ""
        self._coloured_from = 0
        self._apply_font()
        self.set_code(code)

    def set_indent(self, pixels: int) -> None:
        """Leave room at the side where lines begin."""
        self._indent = pixels
        self._column.setContentsMargins(Space.M + pixels, Space.XS, Space.XS, Space.S)

    def code(self) -> str:
        """Return the code as the answer has it."""
        return self._code

    def set_code(self, code: str) -> None:
        """Show ``code``; where it only grew, the lines before are left as they are."""
        if code == self._code:
            return
        if self._code and code.startswith(self._code):
            first = self.text.document().blockCount() - 1
            cursor = QTextCursor(self.text.document())
            cursor.movePosition(QTextCursor.MoveOperation.End)
            cursor.insertText(code[len(self._code) :])
        else:
            first = 0
            self._replace_text(code)
        self._code = code
        self.text.setAccessibleName(f"{self._title}\n{code}")
        self._paint_from(first)
        self.text.updateGeometry()

    def _paint_from(self, line: int) -> None:
        self._coloured_from = self._painter.paint(self.language, line)

    def settle(self) -> None:
        """Colour the whole, if it has been coloured piece by piece as it grew."""
        if self._coloured_from:
            self._paint_from(0)

    def restyle(self) -> None:
        """Take the fonts and colours in force."""
        self._apply_font()
        self._replace_text(self._code)
        self._paint_from(0)
        self.update()

    def _apply_font(self) -> None:
        shape = mono_font()
        shape.setPointSizeF(shape.pointSizeF() * _CODE_SIZE)
        self.text.document().setDefaultFont(shape)
        self._label.setFont(font(TextRole.CAPTION))

    def _replace_text(self, code: str) -> None:
        shape = QTextBlockFormat()
        ratio = line_height(self.text.document().defaultFont(), _LINE_HEIGHT)
        shape.setLineHeight(ratio, QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        cursor = QTextCursor(self.text.document())
        cursor.beginEditBlock()
        cursor.select(QTextCursor.SelectionType.Document)
        cursor.removeSelectedText()
        cursor.setBlockFormat(shape)  # every line inserted now inherits it, so that the text is laid out once
        cursor.insertText(code)
        cursor.endEditBlock()

    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw the surface that the code lies on."""
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(colours().code))
        painter.drawRoundedRect(self.rect().adjusted(self._indent, 0, 0, 0), Radius.CARD, Radius.CARD)
        painter.end()
