"""One selection over all the blocks of an answer, as if they were one text."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QEvent, QObject, QPoint, Qt
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QKeyEvent, QKeySequence, QMouseEvent, QTextCursor
from PySide6.QtWidgets import QMenu, QWidget

from app.ui.messages.block_text import BlockText
from app.ui.messages.formula_text import has_formulas, selected_source


class BlockSelection(QObject):
    """Watches the text widgets of one answer. Inside one of them selecting is that widget's own business."""

    def __init__(self, body: QWidget, texts: Callable[[], Sequence[BlockText]]) -> None:
        super().__init__(body)
        self._body = body
        self._texts = texts
        self._anchor: tuple[BlockText, int] | None = None

    def watch(self, text: BlockText) -> None:
        """Take part in selecting from, to and across ``text``."""
        text.installEventFilter(self)
        text.viewport().installEventFilter(self)

    def selected_text(self) -> str:
        """Return the selected words of all blocks."""
        parts = (selected_source(text.textCursor()) for text in self._texts())
        return "\n".join(part for part in parts if part)

    def select_all(self) -> None:
        """Select the whole answer."""
        for text in self._texts():
            text.selectAll()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Follow the mouse from block to block; copy and select all concern the whole."""
        text = watched if isinstance(watched, BlockText) else watched.parent()
        if not isinstance(text, BlockText):
            return False
        if isinstance(event, QMouseEvent):
            return self._on_mouse(text, event)
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            return self._on_key(event)
        if isinstance(event, QContextMenuEvent) and self._is_ours():
            self._show_menu(event.globalPos())
            return True
        return False

    def _on_mouse(self, text: BlockText, event: QMouseEvent) -> bool:
        if event.type() == QEvent.Type.MouseButtonPress and event.button() == Qt.MouseButton.LeftButton:
            self._clear_all_but(text)
            self._anchor = (text, text.cursorForPosition(event.position().toPoint()).position())
        elif event.type() == QEvent.Type.MouseMove and event.buttons() & Qt.MouseButton.LeftButton and self._anchor:
            return self._reach(self._anchor, event.globalPosition().toPoint())
        elif event.type() == QEvent.Type.MouseButtonRelease:
            self._anchor = None
        return False

    def _on_key(self, event: QKeyEvent) -> bool:
        if event.matches(QKeySequence.StandardKey.SelectAll):
            self.select_all()
        elif event.matches(QKeySequence.StandardKey.Copy) and self._is_ours():
            self._copy()
        else:
            return False
        return True

    def _reach(self, anchor: tuple[BlockText, int], point: QPoint) -> bool:
        """Select from ``anchor`` to the screen's ``point``; false where that is inside the anchor's own block."""
        start, position = anchor
        texts = list(self._texts())
        if start not in texts:
            return False
        target = self._text_at(texts, point)
        first, last = texts.index(start), texts.index(target)
        if first == last:
            self._clear_all_but(start)
            return False
        down = last > first
        for number, text in enumerate(texts):
            if number == first:
                _select(text, position, _end(text) if down else 0)
            elif number == last:
                here = text.cursorForPosition(text.viewport().mapFromGlobal(point)).position()
                _select(text, 0 if down else _end(text), here)
            elif min(first, last) < number < max(first, last):
                text.selectAll()
            else:
                _select(text, 0, 0)
        return True

    def _text_at(self, texts: Sequence[BlockText], point: QPoint) -> BlockText:
        y = self._body.mapFromGlobal(point).y()
        tops = [text.mapTo(self._body, QPoint()).y() for text in texts]
        return texts[max((i for i, top in enumerate(tops) if top <= y), default=0)]

    def _clear_all_but(self, kept: BlockText) -> None:
        for text in self._texts():
            if text is not kept and text.textCursor().hasSelection():
                _select(text, 0, 0)

    def _is_ours(self) -> bool:
        """Whether the selection is more than one widget can copy: several blocks, or formulas, as their source."""
        selections = [text.textCursor() for text in self._texts() if text.textCursor().hasSelection()]
        return len(selections) > 1 or any(has_formulas(cursor) for cursor in selections)

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self.selected_text())

    def _show_menu(self, point: QPoint) -> None:
        menu = QMenu(self._body)
        menu.addAction(self.tr("Copy"), self._copy)
        menu.addAction(self.tr("Select all"), self.select_all)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.popup(point)


def _select(text: BlockText, start: int, end: int) -> None:
    cursor = text.textCursor()
    cursor.setPosition(start)
    cursor.setPosition(end, QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)


def _end(text: BlockText) -> int:
    return text.document().characterCount() - 1
