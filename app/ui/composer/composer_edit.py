"""The composer's text field: pictures that are pasted or dropped on it become attachments, not text."""

from __future__ import annotations

from PySide6.QtCore import QMimeData, Signal
from PySide6.QtGui import QFocusEvent

from app.ui.composer.growing_edit import GrowingEdit
from app.ui.composer.mime import offers_pictures


class ComposerEdit(GrowingEdit):
    """Takes text itself and hands everything else on.

    Signals:
        pictures_offered: a drop or paste holds pictures; they have to be read before the receiver returns.
        focus_changed: the keyboard's focus came or went.
    """

    pictures_offered = Signal(QMimeData)
    focus_changed = Signal()

    def canInsertFromMimeData(self, source: QMimeData) -> bool:
        """Accept pictures beside text."""
        return offers_pictures(source) or super().canInsertFromMimeData(source)

    def insertFromMimeData(self, source: QMimeData) -> None:
        """Hand pictures on; a path must never land in the text."""
        if offers_pictures(source):
            self.pictures_offered.emit(source)
        else:
            super().insertFromMimeData(source)

    def focusInEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus came."""
        super().focusInEvent(event)
        self.focus_changed.emit()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        """Tell that the focus went."""
        super().focusOutEvent(event)
        self.focus_changed.emit()
