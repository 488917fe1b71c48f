"""The messages as rows one below the other, of which only those near the window exist as widgets."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from PySide6.QtWidgets import QScrollBar

from app.store.records import StoredMessage
from app.ui.messages.message_widget import MessageWidget
from app.ui.messages.row_heights import RowHeights, estimated_height
from app.ui.theme import Space
from app.ui.theme.tokens import COLUMN_WIDTH

SETTLING: Final = 4
"""Rounds of laying out at most: heights that were only estimated move what is on the screen."""
_LINE_STEP: Final = 40


@dataclass(slots=True, eq=False)
class Row:
    """A message, its widget while there is one, and the height it had when it was last laid out at a width."""

    message: StoredMessage
    widget: MessageWidget | None = None
    measured: tuple[int, int] | None = None

    def let_go(self) -> None:
        """Do without the widget."""
        if self.widget is not None:
            self.widget.hide()
            self.widget.deleteLater()
            self.widget = None

    @property
    def is_needed(self) -> bool:
        """Whether the widget holds what would be lost without it."""
        return self.widget is not None and (self.widget.in_use or self.widget.has_focus())


class Column:
    """Places rows by the position of a scroll bar; ``make`` makes a widget inside the window that ``bar`` moves."""

    def __init__(self, bar: QScrollBar, make: Callable[[StoredMessage], MessageWidget]) -> None:
        self._bar, self._make = bar, make
        self._heights = RowHeights(Space.XL)
        self._outer_width, self._page = 1, 1
        self._held: tuple[Row, int] | None = None
        self.rows: list[Row] = []

    # Rows

    def set_rows(self, rows: Sequence[Row]) -> None:
        """Show these rows instead; those that are among them keep their widgets."""
        kept = {id(row) for row in rows}
        for row in self.rows:
            if id(row) not in kept:
                row.let_go()
        self.rows = list(rows)
        self.measure_anew()

    def append(self, row: Row) -> None:
        """Add a row at the end."""
        self.rows.append(row)
        self._heights.append(self._height_of(row))

    def index(self, message_id: str) -> int | None:
        """Return the place of a message."""
        for index in range(len(self.rows) - 1, -1, -1):
            if self.rows[index].message.id == message_id:
                return index
        return None

    def widget(self, index: int) -> MessageWidget:
        """Return the widget of a row, made now if it was out of sight."""
        row = self.rows[index]
        if row.widget is None:
            row.widget = self._make(row.message)
        return row.widget

    def widgets(self) -> Iterator[MessageWidget]:
        """Yield the widgets that there are, top to bottom."""
        return (row.widget for row in self.rows if row.widget is not None)

    # Places

    def top(self, index: int) -> int:
        """Return where a row begins, in pixels below the first one's top."""
        return self._heights.top(index)

    def fit(self, width: int, page: int) -> None:
        """Take the size in pixels of the window that the rows are seen through."""
        changed = width != self._outer_width
        if changed:
            self.hold()
        self._outer_width, self._page = width, page
        if changed:
            self.measure_anew()

    def hold(self) -> None:
        """Let the next arrangement start from what is on the screen now, whatever heights are measured until then."""
        self._held = self._held or self._anchor()

    def measure_anew(self) -> None:
        """Take heights from what there is, also where no row has been asked to change its own."""
        self._heights.reset([self._height_of(row) for row in self.rows])

    def arrange(self, *, at_end: bool, ahead: bool = False) -> None:
        """Place what can be seen, making widgets where they are needed; heights may prove wrong, hence the rounds.

        With ``ahead`` one more is made of those that are out of sight but near.
        """
        anchor = None if at_end else self._held or self._anchor()
        self._held = None
        if ahead and (missing := self._missing(at_end)) is not None:
            self.widget(missing)
        for _ in range(SETTLING):
            changed = self._make_and_measure(at_end)
            self._set_range()
            self._go_back_to(anchor)
            if not changed:
                break
        self._place()
        self._release_far_rows()

    def is_ready(self, *, at_end: bool) -> bool:
        """Whether there is a widget for all that a little scrolling brings into sight."""
        return self._missing(at_end) is None

    def _missing(self, at_end: bool) -> int | None:
        near = self._rows_within(at_end, self._page // 2)
        return next((index for index in near if self.rows[index].widget is None), None)

    def _anchor(self) -> tuple[Row, int] | None:
        """Return the first row on the screen whose height is known, and how far its top is above the screen's."""
        if not self.rows:
            return None
        value = self._bar.value() - Space.L
        on_screen = range(self._heights.row_at(value), self._heights.row_at(value + self._page) + 1)
        index = next((index for index in on_screen if self._is_measured(self.rows[index])), on_screen[0])
        return self.rows[index], value - self._heights.top(index)

    def _go_back_to(self, anchor: tuple[Row, int] | None) -> None:
        if anchor is None:
            self._bar.setValue(self._bar.maximum())
        elif anchor[0] in self.rows:
            self._bar.setValue(self._heights.top(self.rows.index(anchor[0])) + anchor[1] + Space.L)

    def _make_and_measure(self, at_end: bool) -> bool:
        """Return whether a height was another than thought."""
        for index in self._rows_within(at_end, 0):
            self.widget(index)
        changed = False
        for index in self._rows_within(at_end, self._page // 2):
            if self.rows[index].widget is not None:
                changed = self._heights.set(index, self._height_of(self.rows[index])) or changed
        return changed

    def _rows_within(self, at_end: bool, margin: int) -> range:
        """Return the rows that can be seen or are less than ``margin`` pixels from that."""
        if not self.rows:
            return range(0)
        value = max(0, self._end() - self._page) if at_end else self._bar.value()
        return range(self._heights.row_at(value - margin), self._heights.row_at(value + self._page + margin) + 1)

    def _height_of(self, row: Row) -> int:
        width = self._width()
        if row.widget is not None:
            row.measured = (width, row.widget.height_at(width))
        if row.measured is not None and row.measured[0] == width:
            return row.measured[1]
        return estimated_height(row.message, width)

    def _is_measured(self, row: Row) -> bool:
        return row.measured is not None and row.measured[0] == self._width()

    def _width(self) -> int:
        """Return the width of the messages: the scroll bar lies in the margin, so that it moves nothing."""
        return max(1, min(COLUMN_WIDTH, self._outer_width - 2 * Space.L))

    def _end(self) -> int:
        return self._heights.total + 2 * Space.L

    def _set_range(self) -> None:
        self._bar.setPageStep(self._page)
        self._bar.setSingleStep(_LINE_STEP)
        self._bar.setRange(0, max(0, self._end() - self._page))

    def _place(self) -> None:
        width = self._width()
        x = (self._outer_width - width) // 2
        offset = Space.L - self._bar.value()
        for index, row in enumerate(self.rows):
            if row.widget is not None:
                row.widget.setGeometry(x, self._heights.top(index) + offset, width, self._heights.height(index))
                row.widget.show()

    def _release_far_rows(self) -> None:
        value = self._bar.value()
        for index, row in enumerate(self.rows):
            if row.widget is None:
                continue
            top = self._heights.top(index)
            far = top + self._heights.height(index) < value - 2 * self._page or top > value + 3 * self._page
            if far and not row.is_needed:
                row.let_go()
