"""The time line of cache events, newest first."""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Sequence
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSize, Qt
from PySide6.QtWidgets import QAbstractItemView, QListView, QStyledItemDelegate, QStyleOptionViewItem, QWidget

from app.cache.events import CacheEvent
from app.ui.panel.text import event_line
from app.ui.theme import TextRole, number_font
from app.ui.translation import translate

KEPT: Final = 500
LINE_GAP: Final = 2
_Index = QModelIndex | QPersistentModelIndex


class EventModel(QAbstractListModel):
    """The last :data:`KEPT` events, newest first, one line of text each."""

    def __init__(self) -> None:
        super().__init__()
        self._events: deque[CacheEvent] = deque()

    def add(self, events: Sequence[CacheEvent]) -> None:
        """Put ``events``, oldest first, before the others."""
        fresh = list(events)[-KEPT:]
        self.beginInsertRows(QModelIndex(), 0, len(fresh) - 1)
        self._events.extendleft(fresh)
        self.endInsertRows()
        surplus = len(self._events) - KEPT
        if surplus > 0:
            self.beginRemoveRows(QModelIndex(), KEPT, len(self._events) - 1)
            for _ in range(surplus):
                self._events.pop()
            self.endRemoveRows()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of events."""
        return 0 if parent.isValid() else len(self._events)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the line of an event."""
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            event = self._events[index.row()]
            return f"{time.strftime('%H:%M:%S', time.localtime(event.at))}  {event_line(event)}"
        return None


class _Narrow(QStyledItemDelegate):
    """Lets a line be as wide as the view, so that a long one ends in dots instead of being cut."""

    def sizeHint(self, option: QStyleOptionViewItem, index: _Index) -> QSize:
        return QSize(0, super().sizeHint(option, index).height() + LINE_GAP)


def timeline_view(model: EventModel, parent: QWidget | None = None) -> QListView:
    """Return a view of the events."""
    view = QListView(parent)
    view.setModel(model)
    view.setAccessibleName(translate("Panel", "Cache events, newest first"))
    view.setFont(number_font(TextRole.CAPTION))
    view.setSelectionMode(QAbstractItemView.SelectionMode.NoSelection)
    view.setTextElideMode(Qt.TextElideMode.ElideRight)
    view.setUniformItemSizes(True)
    view.setItemDelegate(_Narrow(view))
    view.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    view.setFixedHeight(180)
    return view
