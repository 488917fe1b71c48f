"""The list of entries with the choice of tier and order above it; it asks for fresh ones only while it is seen."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from PySide6.QtCore import QTimer, Signal
from PySide6.QtGui import QShowEvent
from PySide6.QtWidgets import QAbstractItemView, QComboBox, QHBoxLayout, QListView, QVBoxLayout, QWidget

from app.inference.holdings import CacheEntry
from app.ui.composer.thumbnails import Thumbnails
from app.ui.labels import caption
from app.ui.messages.words import entries as entries_in_words
from app.ui.panel.entries import EntryModel, EntryOrder, Order, order_name
from app.ui.panel.entry_delegate import EntryDelegate
from app.ui.panel.text import TIERS, tier_name
from app.ui.theme import Space

PAUSE_MS: Final = 1000
HEIGHT: Final = 240


class EntryList(QWidget):
    """Shows what lies in the caches.

    Signals:
        wanted(): the list as it is now should be asked for.
    """

    wanted = Signal()

    def __init__(self, thumbnails: Thumbnails | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.model = EntryModel()
        self.order = EntryOrder(self.model)
        self.tier_box = self._make_tier_box()
        self.order_box = self._make_order_box()
        self.count_label = caption()
        self.view = self._make_view(thumbnails)
        self._asked = False
        self._pause = QTimer(self, singleShot=True, interval=PAUSE_MS)
        self._pause.timeout.connect(self._ask)
        row = QHBoxLayout()
        row.setSpacing(Space.S)
        row.addWidget(self.tier_box, 1)
        row.addWidget(self.order_box, 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.S)
        column.addLayout(row)
        column.addWidget(self.view)
        column.addWidget(self.count_label)
        self._count()

    def show_entries(self, entries: Sequence[CacheEntry]) -> None:
        """Show these entries; the place in the list stays."""
        self._asked = False
        place, row = self.view.verticalScrollBar().value(), self.view.currentIndex().row()
        self.model.show(entries)
        self.view.setCurrentIndex(self.order.index(min(row, self.order.rowCount() - 1), 0))
        self.view.verticalScrollBar().setValue(place)
        self._count()

    def refresh_soon(self) -> None:
        """Ask for fresh entries within a moment, as something changed; not while nobody looks."""
        if self.isVisible() and not self._pause.isActive():
            self._pause.start()

    def show_tier(self, tier: str) -> None:
        """Show one tier, or all for the empty name."""
        self.tier_box.setCurrentIndex(self.tier_box.findData(tier))

    def showEvent(self, event: QShowEvent) -> None:
        """Ask at once."""
        super().showEvent(event)
        self._ask()

    def _ask(self) -> None:
        """Ask, unless the answer to the last question is still to come: the worker may be busy for long."""
        if not self._asked and self.isVisible():
            self._asked = True
            self.wanted.emit()

    def _count(self) -> None:
        shown = self.order.rowCount()
        needed = self.view.sizeHintForRow(0) * shown if shown else 0
        self.view.setFixedHeight(min(HEIGHT, needed))
        self.count_label.setText(entries_in_words(shown) if shown else self.tr("Nothing is kept here."))

    def _make_view(self, thumbnails: Thumbnails | None) -> QListView:
        view = QListView()
        view.setModel(self.order)
        view.setAccessibleName(self.tr("Cache entries"))
        view.setItemDelegate(EntryDelegate(thumbnails, view))
        view.setUniformItemSizes(True)
        view.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        view.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        if thumbnails is not None:
            thumbnails.ready.connect(lambda _: view.viewport().update())
        return view

    def _make_tier_box(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(self.tr("Tier of the entries"))
        box.addItem(self.tr("All"), "")
        for tier in TIERS:
            box.addItem(tier_name(tier), tier)
        box.currentIndexChanged.connect(self._on_tier)
        return box

    def _make_order_box(self) -> QComboBox:
        box = QComboBox()
        box.setAccessibleName(self.tr("Order of the entries"))
        for order in Order:
            box.addItem(order_name(order), order)
        box.currentIndexChanged.connect(lambda _: self.order.order_by(self.order_box.currentData()))
        return box

    def _on_tier(self) -> None:
        self.order.show_tier(self.tier_box.currentData())
        self._count()
