"""The blocks of one answer as widgets, whole or growing."""

from __future__ import annotations

import time
from typing import Final

from PySide6.QtCore import QSize, QTimer
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSizePolicy, QWidget

from app.ui.messages.block_text import BlockText
from app.ui.messages.blocks import Block, BlockStream, split
from app.ui.messages.code_block import CodeBlock
from app.ui.messages.prose import Prose
from app.ui.messages.selection import BlockSelection
from app.ui.theme import Space

RENDER_MS: Final = 67
"""At most 15 renderings a second …"""
_SHARE: Final = 8
"""… and at least so many times the length of the last one apart, so that a huge last block cannot hold up the rest."""

_UNKNOWN: Final = -1


class AnswerBody(QWidget):
    """Shows Markdown; :meth:`append` lets it grow, drawing only the last block anew.

    It places its blocks itself: a box layout asks all its widgets again whenever one of them changes or appears.
    """

    def __init__(self, *, meta: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meta = meta
        self._blocks: list[Block] = []
        self._widgets: list[Prose | CodeBlock] = []
        self._heights: list[int] = []
        self._heights_at = -1
        self._stream: BlockStream | None = None
        self._waiting = ""
        self._text = ""
        self._drawn_at = 0.0
        self._pause_ms = RENDER_MS
        # Fixed would have a layout give no more height than a size hint that it remembers from another width
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        self.selection = BlockSelection(self, self.texts)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self.render_now)

    # Content

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
        for widget in self._widgets:
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
        return list(self._widgets)

    def texts(self) -> list[BlockText]:
        """Return the text of each block, top to bottom."""
        return [widget.text if isinstance(widget, CodeBlock) else widget for widget in self._widgets]

    def restyle(self) -> None:
        """Take the fonts and colours in force."""
        for widget in self._widgets:
            widget.restyle()
        self._heights_at = -1
        self._place()
        self.updateGeometry()

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
        self._place()
        self.updateGeometry()

    def _update(self, index: int, block: Block) -> None:
        widget = self._widgets[index]
        if isinstance(widget, CodeBlock):
            widget.set_code(block.text)
        else:
            widget.set_markdown(block.text)
        self._heights[index] = _UNKNOWN

    def _add(self, block: Block) -> None:
        widget = CodeBlock(block.text, block.language) if block.kind == "code" else Prose(block.text, meta=self._meta)
        widget.set_indent(Space.XL * block.indent)
        if isinstance(widget, Prose):
            widget.redrawn.connect(lambda: self._on_redrawn(widget))
        self.selection.watch(widget.text if isinstance(widget, CodeBlock) else widget)
        widget.setParent(self)
        widget.show()
        self._widgets.append(widget)
        self._heights.append(_UNKNOWN)

    def _on_redrawn(self, widget: Prose) -> None:
        """Measure again the block whose formulas have been drawn."""
        if widget not in self._widgets:
            return  # cut off meanwhile
        self._heights[self._widgets.index(widget)] = _UNKNOWN
        self._place()
        self.updateGeometry()

    def _cut(self, length: int) -> None:
        for widget in self._widgets[length:]:
            widget.hide()
            widget.deleteLater()
        del self._blocks[length:], self._widgets[length:], self._heights[length:]

    # Places

    def hasHeightForWidth(self) -> bool:
        """Say that the height follows from the width."""
        return True

    def heightForWidth(self, width: int) -> int:
        """Return the height of all blocks; only those that have changed are asked."""
        margins = self.contentsMargins()
        self._measure(width - margins.left() - margins.right())
        gaps = Space.S * max(0, len(self._heights) - 1)
        return sum(self._heights) + gaps + margins.top() + margins.bottom()

    def sizeHint(self) -> QSize:
        """Return the size at the present width."""
        return QSize(self.width(), self.heightForWidth(self.width()))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Place the blocks at the new width."""
        super().resizeEvent(event)
        self._place()

    def _measure(self, width: int) -> None:
        if width != self._heights_at:
            self._heights = [_UNKNOWN] * len(self._widgets)
            self._heights_at = width
        for i, height in enumerate(self._heights):
            if height == _UNKNOWN:
                self._heights[i] = self._widgets[i].heightForWidth(width)

    def _place(self) -> None:
        inside = self.contentsRect()
        self._measure(inside.width())
        y = inside.top()
        for widget, height in zip(self._widgets, self._heights, strict=True):
            widget.setGeometry(inside.left(), y, inside.width(), height)
            y += height + Space.S


def _same_place(old: Block, new: Block) -> bool:
    return (old.kind, old.indent, old.language) == (new.kind, new.indent, new.language)
