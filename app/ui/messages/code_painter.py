"""Colour the lines of a code block, a few milliseconds at a time."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Final

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QColor, QTextCharFormat, QTextDocument, QTextLayout

from app.ui.messages.highlight import Kind, Span, highlighted_lines
from app.ui.messages.utf16 import utf16_length
from app.ui.theme import colours

SLICE_SECONDS: Final = 0.004
BATCH_LINES: Final = 100
CONTEXT_LINES: Final = 40

LIGHT_KINDS: Final[dict[Kind, str]] = {
    "keyword": "#8b2a8f",
    "string": "#0b6b3a",
    "number": "#9a4a00",
    "comment": "#66666e",
    "name": "#1d5fbf",
    "builtin": "#0f6c80",
    "added": "#0b6b3a",
    "removed": "#a83c00",
}
_DARK: dict[Kind, str] = {
    "keyword": "#d7a1e8",
    "string": "#93d1a0",
    "number": "#f0b27a",
    "comment": "#9698a0",
    "name": "#8ab8f8",
    "builtin": "#7fd0dd",
    "added": "#93d1a0",
    "removed": "#ff9a66",
}


class CodePainter(QObject):
    """Gives the lines of ``document`` their colours without holding up the event loop.

    While code grows only its last lines are lexed again, from :data:`CONTEXT_LINES` above; :meth:`paint` with
    ``from_line`` 0 makes good what that could get wrong inside a long string or comment.
    """

    def __init__(self, document: QTextDocument) -> None:
        super().__init__(document)
        self._document = document
        self._timer = QTimer(self)
        self._timer.timeout.connect(self._slice)
        self._lines: Iterator[tuple[Span, ...]] = iter(())
        self._read: list[tuple[Span, ...]] = []
        self._next = 0

    def paint(self, language: str, from_line: int = 0) -> int:
        """Colour all lines from ``from_line`` on; return the line that lexing began with."""
        text = self._document.toPlainText()
        self._next = begin = max(0, from_line - CONTEXT_LINES)
        if begin:
            text = "\n".join(text.split("\n")[begin:])
        self._lines = highlighted_lines(text, language)
        self._read = []
        self._timer.start(0)
        self._slice()
        return begin

    def _slice(self) -> None:
        until = time.perf_counter() + SLICE_SECONDS
        for spans in self._lines:
            self._read.append(spans)
            if time.perf_counter() > until:
                break
        else:
            self._timer.stop()
        if not self._timer.isActive() or len(self._read) >= BATCH_LINES:
            self._colour()

    def _colour(self) -> None:
        """Colour the lines that have been read, with one layout for all of them."""
        palette = _DARK if colours().dark else LIGHT_KINDS
        block = self._document.findBlockByNumber(self._next)
        start, end = block.position(), block.position()
        for spans in self._read:
            if not block.isValid():
                break
            text = block.text()
            block.layout().setFormats([_range(text, span, palette[span.kind]) for span in spans])
            end = block.position() + block.length()
            block = block.next()
        self._next += len(self._read)
        self._read = []
        if end > start:
            self._document.markContentsDirty(start, end - start)


def _range(text: str, span: Span, colour: str) -> QTextLayout.FormatRange:
    made = QTextLayout.FormatRange()
    made.start = utf16_length(text[: span.start])
    made.length = utf16_length(text[span.start : span.start + span.length])
    shape = QTextCharFormat()
    shape.setForeground(QColor(colour))
    made.format = shape
    return made
