"""Heights and positions of a column of rows, most of them only estimated. No Qt."""

from __future__ import annotations

from bisect import bisect_right
from itertools import accumulate
from typing import Final

from app.store.records import StoredMessage

_CHARACTER_WIDTH: Final = 7
_LINE: Final = 22
_CHROME: Final = {"user": 52, "assistant": 120, "system": 52}
_THUMBNAILS: Final = 76


class RowHeights:
    """Rows one below the other with a gap between; tops and sums follow when heights change."""

    def __init__(self, gap: int) -> None:
        self._gap = gap
        self._heights: list[int] = []
        self._tops: list[int] | None = None

    def __len__(self) -> int:
        return len(self._heights)

    def reset(self, heights: list[int]) -> None:
        """Replace all rows."""
        self._heights = heights
        self._tops = None

    def append(self, height: int) -> None:
        """Add a row at the end."""
        self._heights.append(height)
        self._tops = None

    def set(self, row: int, height: int) -> bool:
        """Give a row its height; true if that is another than before."""
        if self._heights[row] == height:
            return False
        self._heights[row] = height
        self._tops = None
        return True

    def height(self, row: int) -> int:
        """Return the height of a row."""
        return self._heights[row]

    def top(self, row: int) -> int:
        """Return where a row begins."""
        return self._all_tops()[row]

    @property
    def total(self) -> int:
        """The height of all rows with the gaps between them."""
        return max(0, self._all_tops()[-1] - self._gap)

    def row_at(self, y: int) -> int:
        """Return the row at ``y`` or the nearest one."""
        return max(0, min(len(self._heights) - 1, bisect_right(self._all_tops(), y) - 1))

    def _all_tops(self) -> list[int]:
        if self._tops is None:
            self._tops = list(accumulate((height + self._gap for height in self._heights), initial=0))
        return self._tops


def estimated_height(message: StoredMessage, width: int) -> int:
    """Return a guess of the height of ``message`` in pixels, for the scroll bar, until it has been laid out."""
    in_a_line = max(1, width // _CHARACTER_WIDTH)
    lines = sum(1 + len(line) // in_a_line for line in message.text.split("\n")) if message.text else 0
    return _CHROME[message.role] + _LINE * lines + (_THUMBNAILS if message.images else 0)
