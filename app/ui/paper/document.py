"""The messages of a chat as one text document that breaks into pages."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

from PySide6.QtCore import QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QImage,
    QTextBlockFormat,
    QTextCharFormat,
    QTextCursor,
    QTextDocument,
    QTextDocumentFragment,
    QTextImageFormat,
)

from app.store.records import StoredImage, StoredMessage
from app.ui.messages.blocks import Block, split
from app.ui.messages.code_painter import LIGHT_KINDS
from app.ui.messages.formula_text import Drawn
from app.ui.messages.highlight import highlighted_lines
from app.ui.messages.markdown import line_height, render_markdown
from app.ui.messages.receipt_text import receipt
from app.ui.theme import Space, TextRole, font, mono_font
from app.ui.theme.colours import LIGHT

WIDTH: Final = 620
"""Pixels of a line on A4 between margins of two centimetres, at the 96 to the inch that Qt's documents count in."""
DOTS_PER_INCH: Final = 96
RESOLUTION: Final = 300
"""Dots per inch of printers and files."""
SHARPNESS: Final = 4.0
"""Pixels of a formula per pixel of a line."""
_PICTURE: Final = (280, 220)
_CODE_SIZE: Final = 0.85
_SPEAKERS: Final = {"user": "You", "assistant": "Second Glance", "system": "System prompt"}


class Pictures(Protocol):
    """What is needed of the image store here."""

    def png(self, digest: str) -> bytes:
        """Return a picture as an encoded file."""
        ...


class PaperDocument(QTextDocument):
    """Has its images with it; nothing is loaded from anywhere."""

    def __init__(self) -> None:
        super().__init__()
        self.images: dict[str, QImage] = {}

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return an image that was put in."""
        return self.images.get(name if isinstance(name, str) else name.toString())


def paper_document(title: str, messages: Sequence[StoredMessage], pictures: Pictures) -> PaperDocument:
    """Return ``messages`` with their pictures, in the light colours whatever the theme.

    Raises:
        ImageRefused: a picture is gone or damaged.
    """
    document = PaperDocument()
    document.setDefaultFont(font())
    document.setDocumentMargin(0)
    writer = _Writer(document, pictures)
    writer.heading(title, font(TextRole.TITLE, bold=True))
    for message in messages:
        writer.message(message)
    return document


class _Writer:
    """Writes at the end of a document."""

    def __init__(self, document: PaperDocument, pictures: Pictures) -> None:
        self._document, self._pictures = document, pictures
        self._cursor = QTextCursor(document)
        self._is_empty = True

    def message(self, message: StoredMessage) -> None:
        self.heading(_SPEAKERS[message.role], font(TextRole.CAPTION, bold=True), LIGHT.meta)
        if message.images:
            self._paragraph(Space.XS)
            for image in message.images:
                self._image(image)
        if message.role == "assistant":
            for block in split(message.text):
                self._code(block) if block.kind == "code" else self._prose(block)
            if message.stats:
                self._text(receipt(message.stats).sentence, font(TextRole.CAPTION), LIGHT.meta)
        elif message.text:
            self._text(message.text, font(), LIGHT.text)

    def heading(self, words: str, shape: QFont, colour: str = LIGHT.text) -> None:
        """Write a line that stays with what follows."""
        block = self._paragraph(0 if self._is_empty else Space.L)
        block.setPageBreakPolicy(QTextBlockFormat.PageBreakFlag.PageBreak_Auto)
        self._cursor.insertText(words, _characters(shape, colour))

    def _paragraph(self, above: float) -> QTextBlockFormat:
        shape = QTextBlockFormat()
        shape.setTopMargin(above)
        shape.setLineHeight(line_height(font()), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if self._is_empty:
            self._cursor.setBlockFormat(shape)
        else:
            self._cursor.insertBlock(shape, QTextCharFormat())
        self._is_empty = False
        return shape

    def _text(self, words: str, shape: QFont, colour: str) -> None:
        for line in words.split("\n"):
            self._paragraph(Space.XS)
            self._cursor.insertText(line, _characters(shape, colour))

    def _prose(self, block: Block) -> None:
        part = QTextDocument()
        drawn = Drawn(WIDTH, ratio=SHARPNESS, density=RESOLUTION / DOTS_PER_INCH, waits=True)
        render_markdown(part, block.text, drawn=drawn, palette=LIGHT)
        self._document.images |= drawn.images
        self._paragraph(Space.XS)
        self._cursor.insertFragment(QTextDocumentFragment(part))

    def _code(self, block: Block) -> None:
        line_shape = QTextBlockFormat()  # a frame would be painted into the margins where pages break
        line_shape.setBackground(QBrush(QColor(LIGHT.code)))
        line_shape.setLeftMargin(Space.XL * block.indent)
        line_shape.setTextIndent(Space.S)
        shape = mono_font()
        shape.setPointSizeF(shape.pointSizeF() * _CODE_SIZE)
        plain = _characters(shape, LIGHT.text)
        lines = block.text.split("\n")
        spans = list(highlighted_lines(block.text, block.language))
        self._paragraph(0)
        for number, line in enumerate(lines):
            self._cursor.insertBlock(line_shape, plain)
            at = 0
            for span in spans[number] if number < len(spans) else ():
                self._cursor.insertText(line[at : span.start], plain)
                at = span.start + span.length
                self._cursor.insertText(line[span.start : at], _characters(shape, LIGHT_KINDS[span.kind]))
            self._cursor.insertText(line[at:], plain)

    def _image(self, image: StoredImage) -> None:
        name = f"picture:{image.digest}"
        if name not in self._document.images:
            self._document.images[name] = QImage.fromData(self._pictures.png(image.digest))
        scale = min(1.0, _PICTURE[0] / image.width, _PICTURE[1] / image.height)
        shape = QTextImageFormat()
        shape.setName(name)
        shape.setWidth(image.width * scale)
        shape.setHeight(image.height * scale)
        self._cursor.insertImage(shape)
        self._cursor.insertText("  ")


def _characters(shape: QFont, colour: str) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setFont(shape)
    made.setForeground(QBrush(QColor(colour)))
    return made
