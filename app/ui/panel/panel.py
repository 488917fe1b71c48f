"""The cache panel as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from PySide6.QtCore import QSize, Qt, QTimer, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QMenu, QPushButton, QVBoxLayout, QWidget

from app.cache.events import CacheEvent, Tier
from app.cache.protocols import CacheOverview
from app.ui.composer.thumbnails import Thumbnails
from app.ui.labels import caption, hairline, heading, scroll_area
from app.ui.panel import text
from app.ui.panel.entry_list import EntryList
from app.ui.panel.gauge import Gauge, Part
from app.ui.panel.history import Sparkline
from app.ui.panel.tier import COLOURS, TierWidget
from app.ui.panel.timeline import EventModel, timeline_view
from app.ui.section import Section
from app.ui.theme import Space, TextRole, number_font
from app.ui.units import size, size_pair
from app.worker.reports import MemoryUse

LEAST_WIDTH: Final = 260


class CachePanel(QWidget):
    """Shows overviews and events as they come; knows no cache itself.

    Attributes:
        overview: what is shown.
        context_length: tokens that the loaded model can hold, 0 without a model.

    Signals:
        clear_requested(tier): empty one tier, or all for the empty name.
        budgets_requested(): open the settings of the caches.
    """

    clear_requested = Signal(str)
    budgets_requested = Signal()

    def __init__(self, thumbnails: Thumbnails | None = None, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setAccessibleName(self.tr("Cache panel"))
        self.setProperty("surface", "sidebar")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.overview = CacheOverview(())
        self.context_length = 0
        self.total_label = QLabel(size(0))
        self.total_label.setFont(number_font(TextRole.LEAD))
        self.total_gauge = Gauge(self.tr("Memory used by all caches"))
        self.where_label = caption()
        self.memory_label = caption()
        self.memory_label.setToolTip(
            self.tr("What MLX reports (active and peak memory): the model's weights, the caches, and work under way.")
        )
        self.memory_label.hide()
        self.tiers = {tier: self._make_tier(tier) for tier in text.TIERS}
        self.sparkline = Sparkline()
        self.answer_label = caption()
        self.events = EventModel()
        self.entries = EntryList(thumbnails)
        self.entries_section = Section(self.tr("Entries"), self.entries)
        self.events_section = Section(self.tr("Events"), timeline_view(self.events))
        self.empty = self._make_empty()
        self._lay_out()
        self.show_overview(self.overview)
        self.show_answer(None)

    def show_overview(self, overview: CacheOverview) -> None:
        """Show what the caches hold and did."""
        self.overview = overview
        self.total_label.setText(size(overview.total_bytes))
        self.where_label.setText(text.overview_line(overview))
        memory = [row for row in overview.rows if row.name != "ssd"]
        nbytes, limit = sum(row.nbytes for row in memory), sum(row.limit for row in memory)
        parts = [Part(row.nbytes, COLOURS[row.name]) for row in memory]
        words = self.tr("{used} in memory").format(used=size_pair(nbytes, limit))
        self.total_gauge.show_parts(parts, limit, words)
        present = {row.name: row for row in overview.rows}
        for tier, widget in self.tiers.items():
            widget.setVisible(tier in present)
            if tier in present:
                widget.show_row(present[tier])
        self.sparkline.add(overview.total_bytes)
        used = any(row.entries or row.hits or row.misses for row in overview.rows)
        self.empty.setVisible(not used)
        self._recent.setVisible(used)
        self.entries_section.setVisible(used)
        self.entries.refresh_soon()

    def minimumSizeHint(self) -> QSize:
        """Wide enough for the rows at any size of text."""
        return super().minimumSizeHint().expandedTo(QSize(LEAST_WIDTH, 0))

    def add_events(self, events: Sequence[CacheEvent]) -> None:
        """Add events, oldest first, to the time line."""
        self.events.add(events)
        for event in events:
            self.sparkline.history.add_event(event)

    def show_entries_of(self, tier: Tier) -> None:
        """Open the list of entries at one tier and go there."""
        self.entries.show_tier(tier)
        self.entries_section.set_open(True)
        self.entries.view.setFocus(Qt.FocusReason.OtherFocusReason)
        QTimer.singleShot(0, self, lambda: self._area.ensureWidgetVisible(self.entries_section, 0, 0))

    def show_memory(self, use: MemoryUse) -> None:
        """Show what MLX reports beside what the caches count."""
        self.memory_label.setText(text.memory_line(use.active, use.peak))
        self.memory_label.setVisible(use.active > 0)

    def set_reduce_motion(self, reduced: bool) -> None:
        """Let the gauges move to new sizes, or be there at once."""
        for gauge in (self.total_gauge, *(tier.gauge for tier in self.tiers.values())):
            gauge.reduce_motion = reduced

    def show_answer(self, stats: Mapping[str, Any] | None) -> None:
        """Show what the last answer reused, from ``TurnStats.to_dict()``; ``None`` for no answer yet."""
        self._answer.setVisible(stats is not None)
        if stats is not None:
            self.answer_label.setText("\n".join(text.answer_lines(stats, self.context_length)))

    def _make_tier(self, tier: Tier) -> TierWidget:
        widget = TierWidget(tier)
        widget.clear_requested.connect(lambda: self.clear_requested.emit(tier))
        widget.entries_requested.connect(lambda: self.show_entries_of(tier))
        return widget

    def _make_empty(self) -> QFrame:
        card = QFrame()
        card.setProperty("kind", "card")
        column = QVBoxLayout(card)
        column.addWidget(heading(self.tr("Nothing kept yet"), TextRole.BODY))
        words = self.tr(
            "Drop the same screenshot twice and watch this panel: the second time, the image is not looked at again, "
            "and only new text is run."
        )
        column.addWidget(caption(words))
        return card

    def _lay_out(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(Space.L, Space.L, Space.L, Space.L)
        column.setSpacing(Space.M)
        column.addLayout(self._make_head())
        column.addWidget(self.empty)
        for widget in self.tiers.values():
            column.addWidget(widget)
        column.addWidget(hairline())
        self._recent = _titled(self.tr("Last 5 minutes"), self.sparkline)
        column.addWidget(self._recent)
        self._answer = _titled(self.tr("Last answer"), self.answer_label)
        column.addWidget(self._answer)
        column.addWidget(self.entries_section)
        column.addWidget(self.events_section)
        column.addStretch()
        self._area = scroll_area(body)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        whole.addWidget(self._area)
        whole.addWidget(hairline())
        whole.addLayout(self._make_foot())

    def _make_head(self) -> QVBoxLayout:
        line = QHBoxLayout()
        line.addWidget(heading(self.tr("Cache")))
        line.addStretch()
        line.addWidget(self.total_label)
        head = QVBoxLayout()
        head.setSpacing(Space.XS)
        head.addLayout(line)
        head.addWidget(self.total_gauge)
        head.addWidget(self.where_label)
        head.addWidget(self.memory_label)
        return head

    def _make_foot(self) -> QHBoxLayout:
        self.clear_button = QPushButton(self.tr("Clear"))
        self.clear_button.setAccessibleName(self.tr("Clear caches"))
        self.clear_button.setProperty("kind", "menu")
        self.clear_button.setMenu(self._make_clear_menu())
        self.budgets_button = QPushButton(self.tr("Budgets…"))
        self.budgets_button.setAccessibleName(self.tr("Change the budgets of the caches"))
        self.budgets_button.clicked.connect(self.budgets_requested)
        foot = QHBoxLayout()
        foot.setSpacing(Space.S)
        foot.setContentsMargins(Space.L, Space.S, Space.L, Space.S)
        foot.addWidget(self.clear_button)
        foot.addWidget(self.budgets_button)
        foot.addStretch()
        return foot

    def _make_clear_menu(self) -> QMenu:
        menu = QMenu(self)
        for tier in (None, *text.TIERS):
            action = QAction(text.clear_words(tier), menu)
            action.triggered.connect(lambda _=False, tier=tier: self.clear_requested.emit(tier or ""))
            menu.addAction(action)
            if tier is None:
                menu.addSeparator()
        return menu


def _titled(title: str, widget: QWidget) -> QWidget:
    box = QWidget()
    column = QVBoxLayout(box)
    column.setContentsMargins(0, 0, 0, 0)
    column.setSpacing(Space.XS)
    column.addWidget(heading(title, TextRole.BODY))
    column.addWidget(widget)
    return box
