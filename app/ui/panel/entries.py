"""The entries of the caches as a model for views: two lines each, a picture or a sign, an order, a choice of tier."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, Final

from PySide6.QtCore import QAbstractListModel, QModelIndex, QPersistentModelIndex, QSortFilterProxyModel, Qt

from app.inference.holdings import CacheEntry
from app.ui.messages.words import tokens
from app.ui.panel.text import tier_name
from app.ui.translation import QT_TRANSLATE_NOOP, translate
from app.ui.units import ago, size

ENTRY: Final = Qt.ItemDataRole.UserRole
META: Final = Qt.ItemDataRole.UserRole + 1
_Index = QModelIndex | QPersistentModelIndex
_KINDS: Final = {
    "state": QT_TRANSLATE_NOOP("Entries", "Prompt"),
    "features": QT_TRANSLATE_NOOP("Entries", "Picture"),
    "pixels": QT_TRANSLATE_NOOP("Entries", "Prepared pictures"),
}


class Order(IntEnum):
    """What the list is ordered by; the largest or latest is on top."""

    USED = 0
    ADDED = 1
    SIZE = 2
    TOKENS = 3


def order_name(order: Order) -> str:
    """Return what an order is called."""
    return {
        Order.USED: translate("Entries", "Last used"),
        Order.ADDED: translate("Entries", "Newest"),
        Order.SIZE: translate("Entries", "Largest"),
        Order.TOKENS: translate("Entries", "Most tokens"),
    }[order]


class EntryModel(QAbstractListModel):
    """The entries as the worker listed them; replaced as a whole."""

    def __init__(self, clock: Callable[[], float] = time.time) -> None:
        super().__init__()
        self._clock = clock
        self._entries: list[CacheEntry] = []

    def show(self, entries: Sequence[CacheEntry]) -> None:
        """Hold these entries instead."""
        self.beginResetModel()
        self._entries = list(entries)
        self.endResetModel()

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        """Return the number of entries."""
        return 0 if parent.isValid() else len(self._entries)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        """Return the title for display, the second line as :data:`META`, both for screen readers and tooltips."""
        entry = self._entries[index.row()]
        if role == Qt.ItemDataRole.DisplayRole:
            return title(entry)
        if role == META:
            return meta(entry, self._clock())
        if role in (Qt.ItemDataRole.ToolTipRole, Qt.ItemDataRole.AccessibleTextRole):
            return details(entry, self._clock())
        return entry if role == ENTRY else None


class EntryOrder(QSortFilterProxyModel):
    """The entries of one tier, or of all, in one order."""

    def __init__(self, model: EntryModel) -> None:
        super().__init__()
        self._tier, self._order = "", Order.USED
        self.setSourceModel(model)
        self.sort(0)

    def show_tier(self, tier: str) -> None:
        """Let only the entries of ``tier`` pass; all for the empty name."""
        self._tier = tier
        self.invalidate()

    def order_by(self, order: Order) -> None:
        """Put the entries into this order."""
        self._order = order
        self.invalidate()

    def filterAcceptsRow(self, row: int, parent: _Index) -> bool:
        """Whether an entry lies in the tier that is shown."""
        entry: CacheEntry = self.sourceModel().index(row, 0, parent).data(ENTRY)
        return self._tier in ("", entry.holding.tier)

    def lessThan(self, left: _Index, right: _Index) -> bool:
        """Whether ``left`` stands above ``right``."""
        return self._rank(left.data(ENTRY)) > self._rank(right.data(ENTRY))

    def _rank(self, entry: CacheEntry) -> float:
        held = entry.holding
        return (held.used_at, held.added_at, held.nbytes, held.tokens)[self._order]


def title(entry: CacheEntry) -> str:
    """Return what an entry is: the words that a prompt ends with, or its kind."""
    return f"… {entry.words}" if entry.words else translate("Entries", _KINDS[entry.holding.kind])


def meta(entry: CacheEntry, now: float) -> str:
    """Return the figures of an entry that fit a line: ``1,640 tokens · 12 MB · 2 min ago``."""
    held = entry.holding
    parts = [
        tokens(held.tokens) if held.tokens else "",
        size(held.nbytes) if held.nbytes else translate("Entries", "shared blocks"),
        translate("Entries", "in use") if held.pinned else ago(now - held.used_at),
    ]
    return " · ".join(part for part in parts if part)


def details(entry: CacheEntry, now: float) -> str:
    """Return everything that is known of an entry, one a line."""
    held = entry.holding
    kept, used = translate("Entries", "Kept {ago}"), translate("Entries", "Used {ago}")
    lines = [
        f"{tier_name(held.tier)}: {translate('Entries', _KINDS[held.kind])}",
        title(entry) if entry.words else "",
        _tokens(entry),
        size(held.nbytes) if held.nbytes else translate("Entries", "Shares its blocks with other prompts"),
        kept.format(ago=ago(now - held.added_at)) if held.added_at else "",
        used.format(ago=ago(now - held.used_at)),
        translate("Entries", "In use now: cannot be evicted") if held.pinned else "",
        translate("Entries", "Of another model") if entry.others else "",
    ]
    return "\n".join(line for line in lines if line)


def _tokens(entry: CacheEntry) -> str:
    held = entry.holding
    if held.kind != "state" or not held.media_tokens:
        return tokens(held.tokens) if held.tokens else ""
    words = translate("Entries", "{tokens}, %Ln of them for pictures", None, held.media_tokens)
    return words.format(tokens=tokens(held.tokens))
