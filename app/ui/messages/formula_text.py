"""Formulas inside a text document: put in as images no wider than its lines, and told as their source when copied."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from PySide6.QtCore import QUrl
from PySide6.QtGui import QFont, QImage, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat, QTextImageFormat

from app.ui.messages.formulas import Picture, Wanted, formulas, room, wanted
from app.ui.messages.math_source import formula_of
from app.ui.messages.utf16 import utf16_length

SOURCE: Final = QTextFormat.Property.UserProperty.value + 1
SMALLEST: Final = 0.5
"""Share of its natural size below which a wide formula is told as its source: it could not be read."""
_OBJECT: Final = "\ufffc"
_LINES: Final = str.maketrans(dict.fromkeys("\u2028\u2029\ufdd0\ufdd1", "\n"))
"""What Qt has between lines, paragraphs and the cells of tables."""


@dataclass(slots=True)
class Drawn:
    """What became of the formulas of a document that has lines of ``width`` pixels.

    Attributes:
        waiting: those that are still being drawn; their source stands there until the document is rendered again.
        widest: natural width in pixels of the widest one; beyond ``width`` they are drawn smaller.
        images: by name, those that were put in.
        ratio: pixels of an image per pixel of a line; 0.0 for those of the screen.
        density: dots per pixel of a line of the paper that the document is for.
    """

    width: int
    waiting: set[Wanted] = field(default_factory=set)
    widest: float = 0.0
    images: dict[str, QImage] = field(default_factory=dict)
    ratio: float = 0.0
    density: float = 1.0


def insert_formula(
    cursor: QTextCursor, source: str, font: QFont, colour: str, as_source: QTextCharFormat, drawn: Drawn
) -> bool:
    """Put a formula in the place of what ``cursor`` has selected; false where its source has to stand there."""
    key = wanted(formula_of(source), font)
    picture = formulas().picture(key)
    if picture is None:
        cursor.insertText(source, as_source)
        if formulas().is_waiting(key):
            drawn.waiting.add(key)
        return False
    drawn.widest = max(drawn.widest, picture.width)
    scale = min(1.0, max(1, drawn.width - 1) / picture.width)  # an image has whole pixels
    if scale < SMALLEST:
        cursor.insertText(source, as_source)
        return False
    shape, image = _image_format(picture.scaled(scale), source, font, colour, drawn)
    cursor.document().addResource(QTextDocument.ResourceType.ImageResource.value, QUrl(shape.name()), image)
    drawn.images[shape.name()] = image
    cursor.insertImage(shape)
    return True


def selected_source(cursor: QTextCursor) -> str:
    """Return the selected text, each formula as its source."""
    return _in_sources(cursor.document(), cursor.selectedText(), cursor.selectionStart()).translate(_LINES)


def whole_source(document: QTextDocument) -> str:
    """Return all of the text, each formula as its source."""
    return _in_sources(document, document.toPlainText(), 0)


def formulas_in(document: QTextDocument) -> Iterator[QTextCursor]:
    """Yield a cursor that has selected a formula, for each that is drawn."""
    cursor = document.find(_OBJECT)
    while not cursor.isNull():
        yield QTextCursor(cursor)
        cursor = document.find(_OBJECT, cursor)


def source_of(cursor: QTextCursor) -> str:
    """Return the source of the formula before ``cursor``, or an empty text where there is none."""
    return str(cursor.charFormat().property(SOURCE) or "")


def has_formulas(cursor: QTextCursor) -> bool:
    """Whether there is a drawn formula in the selection."""
    return _OBJECT in cursor.selectedText()


def _in_sources(document: QTextDocument, text: str, start: int) -> str:
    """Put the sources of formulas into ``text``, which stands at ``start`` in ``document``."""
    first, *rest = text.split(_OBJECT)
    told, at = [first], start + utf16_length(first)
    place = QTextCursor(document)
    for part in rest:
        place.setPosition(at + 1)
        told += source_of(place), part
        at += 1 + utf16_length(part)
    return "".join(told)


def _image_format(
    picture: Picture, source: str, font: QFont, colour: str, drawn: Drawn
) -> tuple[QTextImageFormat, QImage]:
    height, above, centred = room(picture, font, drawn.density)
    name = picture.svg + repr((picture.width, height, colour, drawn.ratio)).encode()
    image = picture.image(height, above, colour, drawn.ratio)
    shape = QTextImageFormat()
    shape.setFont(font)
    shape.setName(f"formula:{hashlib.sha256(name).hexdigest()}")
    shape.setWidth(image.width() / image.devicePixelRatio())
    shape.setHeight(height)
    align = QTextCharFormat.VerticalAlignment
    shape.setVerticalAlignment(align.AlignMiddle if centred else align.AlignBaseline)
    shape.setProperty(SOURCE, source)
    shape.setProperty(QTextFormat.Property.ImageAltText.value, source)
    shape.setToolTip(source)
    return shape, image
