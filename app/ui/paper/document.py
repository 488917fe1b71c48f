"""The messages of a chat as one text document that breaks into pages, written step by step."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

from PySide6.QtCore import QSizeF, QUrl
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QImage,
    QPagedPaintDevice,
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
from app.ui.messages.formulas import formulas
from app.ui.messages.highlight import Span, highlighted_lines
from app.ui.messages.markdown import line_height, render_markdown
from app.ui.messages.receipt_text import receipt
from app.ui.paper.pictures import PaperPictures, Pictures
from app.ui.paper.slices import Step, Steps
from app.ui.theme import Space, TextRole, font, mono_font
from app.ui.theme.colours import LIGHT
from app.ui.translation import QT_TRANSLATE_NOOP, translate

WIDTH: Final = 620
"""Pixels of a line on A4 between margins of two centimetres, at the 96 to the inch that Qt's documents count in."""
DOTS_PER_INCH: Final = 96
MARGIN: Final = 2 / 2.54 * DOTS_PER_INCH
RESOLUTION: Final = 300
"""Dots per inch of printers and files."""
SHARPNESS: Final = 4.0
"""Pixels of a formula or a picture per pixel of a line."""
_PICTURE: Final = (280, 220)
_LARGEST: Final = (round(_PICTURE[0] * SHARPNESS), round(_PICTURE[1] * SHARPNESS))
_CODE_SIZE: Final = 0.85
_LINES_AT_ONCE: Final = 40
_WAITS: Final = True
_GOES_ON: Final = False
_SPEAKERS: Final = {
    "user": QT_TRANSLATE_NOOP("Paper", "You"),
    "assistant": QT_TRANSLATE_NOOP("Paper", "Second Glance"),
    "system": QT_TRANSLATE_NOOP("Paper", "System prompt"),
}

Waits = Iterator[bool]
"""A piece of writing: at the end of each step whether it has to wait for something that is done elsewhere."""


class PaperDocument(QTextDocument):
    """Laid out for a device while it is written. Has its images with it; nothing is loaded from anywhere."""

    def __init__(self, device: QPagedPaintDevice) -> None:
        super().__init__()
        self.images: dict[str, QImage] = {}
        self.density = device.logicalDpiY() / DOTS_PER_INCH
        self.setUndoRedoEnabled(False)
        self.setDefaultFont(font())
        self.setDocumentMargin(0)
        self.setIndentWidth(Space.XL)
        frame = self.rootFrame().frameFormat()
        frame.setMargin(MARGIN)
        self.rootFrame().setFrameFormat(frame)
        self.documentLayout().setPaintDevice(device)
        self.setPageSize(QSizeF(device.width(), device.height()))

    def loadResource(self, kind: int, name: QUrl | str) -> Any:
        """Return an image that was put in."""
        return self.images.get(name if isinstance(name, str) else name.toString())


def write_chat(document: PaperDocument, title: str, messages: Sequence[StoredMessage], pictures: Pictures) -> Steps:
    """Write ``messages`` with their pictures, in the light colours whatever the theme.

    Raises:
        ImageRefused: a picture is gone or damaged.
    """
    writer = _Writer(document, PaperPictures(pictures, _LARGEST))
    with writer.one_layout():
        writer.heading(title, font(TextRole.TITLE, bold=True))
    for number, message in enumerate(messages):
        for waits in writer.message(message):
            yield Step(number / len(messages), waits)


class _Writer:
    """Writes at the end of a document."""

    def __init__(self, document: PaperDocument, pictures: PaperPictures) -> None:
        self._document, self._pictures = document, pictures
        self._cursor = QTextCursor(document)
        self._is_empty = True

    @contextmanager
    def one_layout(self) -> Iterator[None]:
        """Have what is written inside laid out at once."""
        self._cursor.beginEditBlock()
        try:
            yield
        finally:
            self._cursor.endEditBlock()

    def message(self, message: StoredMessage) -> Waits:
        """Write a message with who said it and what is told of it."""
        with self.one_layout():
            self.heading(translate("Paper", _SPEAKERS[message.role]), font(TextRole.CAPTION, bold=True), LIGHT.meta)
        if message.images:
            yield from self._images(message.images)
        if message.role == "assistant":
            yield from self._answer(message)
        elif message.text:
            yield from self._text(message.text, font(), LIGHT.text)
        yield _GOES_ON

    def _answer(self, message: StoredMessage) -> Waits:
        for block in split(message.text):
            yield from self._code(block) if block.kind == "code" else self._prose(block)
        if message.stats:
            yield from self._text(receipt(message.stats).sentence, font(TextRole.CAPTION), LIGHT.meta)

    def heading(self, words: str, shape: QFont, colour: str = LIGHT.text) -> None:
        """Write a line with room above it."""
        self._paragraph(0 if self._is_empty else Space.L)
        self._cursor.insertText(words, _characters(shape, colour))

    def _paragraph(self, above: float) -> None:
        shape = QTextBlockFormat()
        shape.setTopMargin(above)
        shape.setLineHeight(line_height(font()), QTextBlockFormat.LineHeightTypes.ProportionalHeight.value)
        if self._is_empty:
            self._cursor.setBlockFormat(shape)
        else:
            self._cursor.insertBlock(shape, QTextCharFormat())
        self._is_empty = False

    def _text(self, words: str, shape: QFont, colour: str) -> Waits:
        for lines in _portions(words):
            with self.one_layout():
                for line in lines:
                    self._paragraph(Space.XS)
                    self._cursor.insertText(line, _characters(shape, colour))
            yield _GOES_ON

    def _prose(self, block: Block) -> Waits:
        with formulas().held():
            part, drawn = self._rendered(block)
            while drawn.waiting:
                while any(formulas().is_waiting(wanted) for wanted in drawn.waiting):
                    yield _WAITS
                part, drawn = self._rendered(block)
        self._document.images |= drawn.images
        _scale_margins(part, self._document.density)
        with self.one_layout():
            self._paragraph(Space.XS)
            first = QTextCursor(self._cursor)
            first.setKeepPositionOnInsert(True)
            self._cursor.insertFragment(QTextDocumentFragment(part))
            if margin := part.begin().blockFormat().leftMargin():  # inserting leaves the first paragraph as it was
                first.mergeBlockFormat(_set_in(margin))
        yield _GOES_ON

    def _rendered(self, block: Block) -> tuple[QTextDocument, Drawn]:
        part = QTextDocument()
        drawn = Drawn(WIDTH, ratio=SHARPNESS, density=self._document.density)
        render_markdown(part, block.text, drawn=drawn, palette=LIGHT)
        return part, drawn

    def _code(self, block: Block) -> Waits:
        line_shape = QTextBlockFormat()  # a frame would be painted into the margins where pages break
        line_shape.setBackground(QBrush(QColor(LIGHT.code)))
        line_shape.setLeftMargin(Space.XL * block.indent * self._document.density)
        self._paragraph(0)
        spans = highlighted_lines(block.text, block.language)
        for lines in _portions(block.text):
            with self.one_layout():
                for line in lines:
                    self._cursor.insertBlock(line_shape, QTextCharFormat())
                    self._code_line(line, next(spans, ()))
            yield _GOES_ON

    def _code_line(self, line: str, spans: Sequence[Span]) -> None:
        shape = mono_font()
        shape.setPointSizeF(shape.pointSizeF() * _CODE_SIZE)
        plain = _characters(shape, LIGHT.text)
        at = 0
        for span in spans:
            self._cursor.insertText(line[at : span.start], plain)
            at = span.start + span.length
            self._cursor.insertText(line[span.start : at], _characters(shape, LIGHT_KINDS[span.kind]))
        self._cursor.insertText(line[at:], plain)

    def _images(self, images: Sequence[StoredImage]) -> Waits:
        with self.one_layout():
            self._paragraph(Space.XS)
        for image in images:
            name = f"picture:{image.digest}"
            if name not in self._document.images:
                self._pictures.ask(image.digest)
                while (picture := self._pictures.take(image.digest)) is None:
                    yield _WAITS
                self._document.images[name] = picture
            with self.one_layout():
                self._image(image, name)
            yield _GOES_ON

    def _image(self, image: StoredImage, name: str) -> None:
        scale = min(1.0, _PICTURE[0] / image.width, _PICTURE[1] / image.height)
        shape = QTextImageFormat()
        shape.setName(name)
        shape.setWidth(image.width * scale)
        shape.setHeight(image.height * scale)
        self._cursor.insertImage(shape)
        self._cursor.insertText("  ")


def _scale_margins(document: QTextDocument, density: float) -> None:
    """Make the margins at the sides dots of the paper: Qt scales those above and below only."""
    block = document.begin()
    while block.isValid():
        if margin := block.blockFormat().leftMargin():
            QTextCursor(block).mergeBlockFormat(_set_in(margin * density))
        block = block.next()


def _set_in(margin: float) -> QTextBlockFormat:
    shape = QTextBlockFormat()
    shape.setLeftMargin(margin)
    return shape


def _portions(text: str) -> Iterator[list[str]]:
    lines = text.split("\n")
    for first in range(0, len(lines), _LINES_AT_ONCE):
        yield lines[first : first + _LINES_AT_ONCE]


def _characters(shape: QFont, colour: str) -> QTextCharFormat:
    made = QTextCharFormat()
    made.setFont(shape)
    made.setForeground(QBrush(QColor(colour)))
    return made
