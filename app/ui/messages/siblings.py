"""The arrows between the versions of a message."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.ui.messages.buttons import IconButton
from app.ui.theme import TextRole, number_font


class SiblingSwitch(QWidget):
    """``‹ 2/3 ›``: which version of a message is shown.

    Signals:
        chosen: the version wanted, counted from 0.
    """

    chosen = Signal(int)

    def __init__(self, current: int, count: int, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.previous = IconButton("chevron-left", self.tr("Previous version"))
        self.next = IconButton("chevron-right", self.tr("Next version"))
        self.previous.setEnabled(current > 0)
        self.next.setEnabled(current < count - 1)
        self.previous.clicked.connect(lambda: self.chosen.emit(current - 1))
        self.next.clicked.connect(lambda: self.chosen.emit(current + 1))
        label = QLabel(f"{current + 1}/{count}")
        label.setProperty("role", "meta")
        label.setFont(number_font(TextRole.CAPTION))
        label.setAccessibleName(self.tr("Version {number} of {total}").format(number=current + 1, total=count))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        for widget in (self.previous, label, self.next):
            row.addWidget(widget)
