"""Where the keyboard was before something took it for a while: a palette, a find bar, a search, an edit in a list."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from shiboken6 import isValid


class FocusBefore:
    """Remembers which widget had the keyboard, and gives it back.

    Args:
        taker: what takes the keyboard; whatever has it within is not worth going back to.
    """

    def __init__(self, taker: QWidget) -> None:
        self._taker = taker
        self._before: QWidget | None = None

    def remember(self) -> None:
        """Note who has the keyboard; to be called before it is taken, and again while it is taken as one likes."""
        has_it = QApplication.focusWidget()
        if has_it is not None and has_it is not self._taker and not self._taker.isAncestorOf(has_it):
            self._before = has_it

    def give_back(self) -> bool:
        """Give the keyboard back, once; False where nothing is left to give it to."""
        before, self._before = self._before, None
        if before is None or not isValid(before) or not before.isVisible():
            return False
        before.setFocus(Qt.FocusReason.OtherFocusReason)
        return before.hasFocus() or before.window().focusWidget() is before
