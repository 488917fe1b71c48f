"""A prose block: Markdown without code fences, in one text widget."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QMimeData, QObject, QTimer, Signal
from PySide6.QtGui import QTextOption
from PySide6.QtWidgets import QWidget

from app.ui.messages.block_text import BlockText
from app.ui.messages.formula_text import Drawn, has_formulas, selected_source, whole_source
from app.ui.messages.formulas import Wanted, formulas
from app.ui.messages.markdown import render_markdown

_REDRAW_MS: Final = 100
"""Formulas arrive one by one; the text is laid out again for several at once."""


class Prose(BlockText):
    """Paragraphs, lists, quotes, tables, headings and formulas of an answer.

    Its accessible name is what it says, formulas as their source: some systems read nothing else of a text, and none
    reads a picture inside it.

    Signals:
        redrawn: formulas have taken the place of their source; the height may be another.
    """

    redrawn = Signal()

    def __init__(self, markdown: str = "", *, meta: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meta = meta
        self._markdown: str | None = None
        self._drawn = Drawn(0)
        self._timer: QTimer | None = None
        self._hold: QObject | None = None
        sideways = self.horizontalScrollBar()
        sideways.rangeChanged.connect(lambda: sideways.setRange(0, 0))  # a table a little too wide stays where it is
        self.set_markdown(markdown)

    def set_markdown(self, markdown: str) -> None:
        """Show ``markdown`` instead; nothing happens if it is what is shown."""
        if markdown != self._markdown:
            self._markdown = markdown
            self.restyle()

    def restyle(self) -> None:
        """Render again, in the theme in force."""
        drawn = Drawn(self.lineWrapColumnOrWidth())
        self._drawn = render_markdown(self.document(), self._markdown or "", meta=self._meta, drawn=drawn)
        self._hold_pictures(bool(self._drawn.waiting))
        if self._drawn.waiting and self._timer is None:
            self._timer = QTimer(self, singleShot=True, interval=_REDRAW_MS)
            self._timer.timeout.connect(self._redraw)
            formulas().drawn.connect(self._on_drawn)
        self.setAccessibleName(whole_source(self.document()))
        self._choose_breaks()
        self.updateGeometry()

    def createMimeDataFromSelection(self) -> QMimeData:
        """Give formulas as their source to whatever takes the selection."""
        cursor = self.textCursor()
        if not has_formulas(cursor):
            return super().createMimeDataFromSelection()
        mime = QMimeData()
        mime.setText(selected_source(cursor))
        return mime

    def _wrap_at(self, width: int) -> None:
        before = self.lineWrapColumnOrWidth()
        super()._wrap_at(width)
        if width == before:
            return
        if self._drawn.widest >= min(width, before):
            self.restyle()
        else:
            self._choose_breaks()

    def _choose_breaks(self) -> None:
        """Keep the words in tables whole where that fits: Qt makes columns as narrow as its lines may break."""
        document = self.document()
        if document.rootFrame().childFrames():
            self._break(QTextOption.WrapMode.WordWrap)
            if document.size().width() <= self.lineWrapColumnOrWidth():
                return
        self._break(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)

    def _break(self, mode: QTextOption.WrapMode) -> None:
        option = self.document().defaultTextOption()
        if option.wrapMode() != mode:
            option.setWrapMode(mode)
            self.document().setDefaultTextOption(option)

    def _hold_pictures(self, waiting: bool) -> None:
        if waiting and self._hold is None:
            self._hold = formulas().hold(self)
        elif not waiting and self._hold is not None:
            self._hold.deleteLater()
            self._hold = None

    def _on_drawn(self, wanted: Wanted) -> None:
        if self._timer is not None and wanted in self._drawn.waiting:
            self._timer.start()

    def _redraw(self) -> None:
        self.restyle()
        self.redrawn.emit()
