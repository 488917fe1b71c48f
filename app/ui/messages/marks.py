"""Where in a text the words are that somebody looks for."""

from __future__ import annotations

from typing import Final

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor, QTextDocument
from PySide6.QtWidgets import QTextEdit

from app.ui.messages.formula_text import formulas_in, source_of
from app.ui.theme import Data

_ALPHA: Final = 90


def places(document: QTextDocument, query: str) -> list[QTextEdit.ExtraSelection]:
    """Return a mark for each place of ``query``, in small letters, and for each formula that has it in its source."""
    if not query:
        return []
    found = [_marked(cursor) for cursor in formulas_in(document) if query in source_of(cursor).lower()]
    cursor = document.find(query, 0)
    while not cursor.isNull():
        found.append(_marked(cursor))
        cursor = document.find(query, cursor)
    return found


def _marked(cursor: QTextCursor) -> QTextEdit.ExtraSelection:
    colour = QColor(Data.RUN)
    colour.setAlpha(_ALPHA)
    shape = QTextCharFormat()
    shape.setBackground(colour)
    selection = QTextEdit.ExtraSelection()
    selection.cursor, selection.format = cursor, shape
    return selection
