"""The blocks of one answer as widgets, whole or growing."""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QTimer
from PySide6.QtWidgets import QVBoxLayout, QWidget

from app.ui.messages.blocks import Block, BlockStream, split
from app.ui.messages.code_block import CodeBlock
from app.ui.messages.prose import Prose
from app.ui.theme import Space

RENDER_MS: Final = 67
"""At most 15 renderings a second …"""
_SHARE: Final = 8
"""… and at least so many times the length of the last one apart, so that a huge last block cannot hold up the rest."""


class AnswerBody(QWidget):
    """Shows Markdown; :meth:`append` lets it grow, drawing only the last block anew."""

    def __init__(self, *, meta: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meta = meta
        self._blocks: list[Block] = []
        self._stream: BlockStream | None = None
        self._waiting = ""
        self._text = ""
        self._drawn_at = 0.0
        self._pause_ms = RENDER_MS
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(Space.S)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.render_now)

    def text(self) -> str:
        """Return the Markdown, also what is not drawn yet."""
        return self._text + self._waiting

    def set_text(self, markdown: str) -> None:
        """Show ``markdown`` as a whole; blocks that are the same stay as they are."""
        if markdown == self.text():
            self.render_now()
        else:
            self._timer.stop()
            self._waiting, self._text = "", markdown
            self._stream = None
            self._show(split(markdown))
        for widget in self.block_widgets():
            if isinstance(widget, CodeBlock):
                widget.settle()

    def append(self, markdown: str) -> None:
        """Add to the end; it is drawn within a moment."""
        self._waiting += markdown
        if not self._timer.isActive():
            since_ms = 1000 * (time.perf_counter() - self._drawn_at)
            self._timer.start(max(0, self._pause_ms - int(since_ms)))

    def render_now(self) -> None:
        """Draw what has been appended."""
        self._timer.stop()
        if not self._waiting:
            return
        started = time.perf_counter()
        fresh, self._waiting = self._waiting, ""
        if self._stream is None:
            self._stream = BlockStream()
            fresh = self._text + fresh
            self._text = ""
        self._text += fresh
        self._show(self._stream.feed(fresh))
        self._drawn_at = time.perf_counter()
        self._pause_ms = max(RENDER_MS, round(_SHARE * 1000 * (self._drawn_at - started)))

    def block_widgets(self) -> list[Prose | CodeBlock]:
        """Return the widgets of the blocks, top to bottom."""
        items = (self._column.itemAt(i) for i in range(self._column.count()))
        widgets = (item.widget() for item in items if item is not None)
        return [widget for widget in widgets if isinstance(widget, Prose | CodeBlock)]

    def restyle(self) -> None:
        """Take the fonts and colours in force."""
        for widget in self.block_widgets():
            widget.restyle()

    def _show(self, blocks: list[Block]) -> None:
        for i, block in enumerate(blocks):
            old = self._blocks[i] if i < len(self._blocks) else None
            if old is block or old == block:
                continue
            if old is None or not _same_place(old, block):
                self._cut(i)
                self._add(block)
            else:
                self._update(i, block)
        self._cut(len(blocks))
        self._blocks = blocks

    def _update(self, index: int, block: Block) -> None:
        item = self._column.itemAt(index)
        widget = item.widget() if item else None
        if isinstance(widget, CodeBlock):
            widget.set_code(block.text)
        elif isinstance(widget, Prose):
            widget.set_markdown(block.text)

    def _add(self, block: Block) -> None:
        widget = CodeBlock(block.text, block.language) if block.kind == "code" else Prose(block.text, meta=self._meta)
        widget.set_indent(Space.XL * block.indent)
        self._column.addWidget(widget)

    def _cut(self, length: int) -> None:
        del self._blocks[length:]
        while self._column.count() > length:
            item = self._column.takeAt(length)
            if item is not None and (widget := item.widget()) is not None:
                widget.hide()
                widget.deleteLater()


def _same_place(old: Block, new: Block) -> bool:
    return (old.kind, old.indent, old.language) == (new.kind, new.indent, new.language)
