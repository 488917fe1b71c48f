"""One row of the panel: one tier, how full it is, and whether it helps."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QPushButton, QToolButton, QVBoxLayout, QWidget

from app.cache.events import Tier
from app.cache.protocols import TierRow
from app.ui.labels import caption, hairline, swatch
from app.ui.messages.words import entries
from app.ui.panel import text
from app.ui.panel.gauge import Gauge, Part
from app.ui.theme import Data, Space, TextRole, font, number_font, set_icon
from app.ui.theme.tokens import ICON_SMALL
from app.ui.units import size_pair

COLOURS: Final[dict[Tier, str]] = {"prefix": Data.REUSED, "vision": Data.VISION, "ssd": Data.DISK}


class TierWidget(QWidget):
    """Shows one :class:`TierRow`.

    Signals:
        clear_requested(): the user wants this tier emptied.
        entries_requested(): the user wants to see what is in it.
    """

    clear_requested = Signal()
    entries_requested = Signal()

    def __init__(self, tier: Tier, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        name = text.tier_name(tier)
        self.setToolTip(text.tier_help(tier))
        self.size_label = QLabel()
        self.size_label.setFont(number_font())
        self.gauge = Gauge(self.tr("{tier} cache").format(tier=name))
        self.hits_label = caption()
        self.entries_button = self._make_entries_button(name)
        self.worth_label = caption()
        self.evictions_label = caption()
        self.error_label = caption(role="danger")
        self.clear_button = self._make_clear_button(text.clear_words(tier))
        self._colour = COLOURS[tier]
        self._lay_out(name)

    def show_row(self, row: TierRow) -> None:
        """Show the row's numbers."""
        self.size_label.setText(size_pair(row.nbytes, row.limit))
        self.gauge.show_parts([Part(row.nbytes, self._colour)], row.limit, size_pair(row.nbytes, row.limit))
        self.hits_label.setText(text.hits_line(row))
        self.entries_button.setText(entries(row.entries))
        self._show_line(self.worth_label, text.worth_line(row))
        self._show_line(self.evictions_label, text.evictions_line(row))
        self._show_line(self.error_label, text.error_line(row))
        self.entries_button.setEnabled(row.entries > 0)
        self.clear_button.setEnabled(row.entries > 0 or row.nbytes > 0)

    def _make_clear_button(self, words: str) -> QToolButton:
        button = QToolButton()
        set_icon(button, "delete", "meta")
        button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        button.setToolTip(words)
        button.setAccessibleName(words)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        button.clicked.connect(self.clear_requested)
        return button

    def _make_entries_button(self, name: str) -> QPushButton:
        button = QPushButton()
        button.setProperty("kind", "link")
        button.setFont(number_font(TextRole.CAPTION))
        button.setToolTip(self.tr("List the entries of this cache: {tier}").format(tier=name))
        button.setAccessibleName(button.toolTip())
        button.setCursor(Qt.CursorShape.PointingHandCursor)
        button.clicked.connect(self.entries_requested)
        return button

    def _lay_out(self, name: str) -> None:
        title = QLabel(name)
        title.setFont(font(TextRole.BODY, bold=True))
        head = QHBoxLayout()
        head.setSpacing(Space.S)
        head.addWidget(swatch(self._colour))
        head.addWidget(title)
        head.addStretch()
        head.addWidget(self.size_label)
        head.addWidget(self.clear_button)
        numbers = QHBoxLayout()
        numbers.addWidget(self.hits_label, 1)
        numbers.addWidget(self.entries_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        column.addWidget(hairline())
        column.addSpacing(Space.XS)
        column.addLayout(head)
        column.addWidget(self.gauge)
        column.addLayout(numbers)
        for label in (self.worth_label, self.evictions_label, self.error_label):
            label.hide()
            column.addWidget(label)

    @staticmethod
    def _show_line(label: QLabel, line: str) -> None:
        label.setText(line)
        label.setVisible(bool(line))
