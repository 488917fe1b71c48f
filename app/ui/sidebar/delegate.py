"""How a row of the list is drawn."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.ui.sidebar.model import ROW
from app.ui.sidebar.rows import ChatRow, Heading
from app.ui.theme import Radius, Space, TextRole, colours, font, icon_pixmap
from app.ui.theme.tokens import ICON_SMALL

_Index = QModelIndex | QPersistentModelIndex
ROW_HEIGHT: Final = 32
HEADING_HEIGHT: Final = 30
_LEFT: Final = Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft


class ChatDelegate(QStyledItemDelegate):
    """Draws headings as captions and chats as rounded rows with a second line for search hits."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        """Return the height of a row; the width is the view's."""
        row = index.data(ROW)
        if isinstance(row, Heading):
            return QSize(0, HEADING_HEIGHT)
        snippet = QFontMetrics(font(TextRole.CAPTION)).height() if row.snippet else 0
        return QSize(0, ROW_HEIGHT + snippet)

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: _Index) -> None:
        """Draw one row."""
        row = index.data(ROW)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        area: QRect = option.rect
        if isinstance(row, Heading):
            self._paint_heading(painter, area, row)
        else:
            self._paint_background(painter, area, option.state)
            self._paint_chat(painter, area, row)
        painter.restore()

    def updateEditorGeometry(self, editor: QWidget, option: QStyleOptionViewItem, index: _Index) -> None:
        """Let the title field fill the row."""
        editor.setGeometry(option.rect.adjusted(0, 1, 0, -1))

    @staticmethod
    def _paint_heading(painter: QPainter, area: QRect, row: Heading) -> None:
        painter.setFont(font(TextRole.CAPTION, bold=True))
        painter.setPen(QColor(colours().meta))
        line = area.adjusted(Space.S, Space.S, -Space.S, 0)
        painter.drawText(
            line, _LEFT, painter.fontMetrics().elidedText(row.text, Qt.TextElideMode.ElideRight, line.width())
        )

    @staticmethod
    def _paint_background(painter: QPainter, area: QRect, state: QStyle.StateFlag) -> None:
        selected, hovered = state & QStyle.StateFlag.State_Selected, state & QStyle.StateFlag.State_MouseOver
        if selected or hovered:
            painter.setPen(Qt.PenStyle.NoPen)
            painter.setBrush(QColor(colours().pressed if selected else colours().hover))
            painter.drawRoundedRect(area.adjusted(0, 1, 0, -1), Radius.CONTROL, Radius.CONTROL)
        if selected and state & QStyle.StateFlag.State_HasFocus:
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QColor(colours().accent))
            painter.drawRoundedRect(area.adjusted(1, 2, -1, -2), Radius.CONTROL, Radius.CONTROL)

    @staticmethod
    def _paint_chat(painter: QPainter, area: QRect, row: ChatRow) -> None:
        inner = area.adjusted(Space.S, 0, -Space.S, 0)
        mark = "pinned" if row.conversation.pinned else "incognito" if row.conversation.incognito else ""
        if mark:
            scale = painter.device().devicePixelRatio()
            top = inner.top() + (ROW_HEIGHT - ICON_SMALL) // 2
            pixmap = icon_pixmap(mark, ICON_SMALL, colours().meta, scale)
            painter.drawPixmap(inner.right() - ICON_SMALL + 1, top, pixmap)
            inner.setRight(inner.right() - ICON_SMALL - Space.XS)
        painter.setFont(font())
        painter.setPen(QColor(colours().text))
        title = QRect(inner.left(), inner.top(), inner.width(), ROW_HEIGHT)
        _draw_elided(painter, title, row.title)
        if row.snippet:
            painter.setFont(font(TextRole.CAPTION))
            painter.setPen(QColor(colours().meta))
            below = QRect(
                inner.left(), inner.top() + ROW_HEIGHT - Space.S, inner.width(), area.height() - ROW_HEIGHT + 4
            )
            _draw_elided(painter, below, row.snippet)


def _draw_elided(painter: QPainter, area: QRect, text: str) -> None:
    painter.drawText(area, _LEFT, painter.fontMetrics().elidedText(text, Qt.TextElideMode.ElideRight, area.width()))
