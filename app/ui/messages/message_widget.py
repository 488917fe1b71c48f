"""What every message has: who said it, its layout, and a word to the view when its height changes."""

from __future__ import annotations

from PySide6.QtCore import QDateTime, QEvent, QLocale, Signal
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLabel, QVBoxLayout, QWidget

from app.store.records import StoredMessage
from app.ui.messages.block_text import BlockText
from app.ui.messages.siblings import SiblingSwitch
from app.ui.theme import Space, TextRole, font


class MessageWidget(QWidget):
    """One message. Subclasses fill ``column``.

    Signals:
        layout_changed: it may need another height.
        sibling_requested: the version wanted, counted from 0.
        image_activated: the digest of a picture to be shown large.
    """

    layout_changed = Signal()
    sibling_requested = Signal(int)
    image_activated = Signal(str)

    def __init__(self, message: StoredMessage, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.message = message
        self.name = QLabel(name)
        self.name.setFont(font(TextRole.CAPTION, bold=True))
        self.name.setProperty("role", "meta")
        when = QDateTime.fromSecsSinceEpoch(int(message.created_at))
        self.name.setToolTip(QLocale().toString(when, QLocale.FormatType.ShortFormat))
        self.header = QHBoxLayout()
        self.header.setSpacing(0)
        self.header.addWidget(self.name)
        self.header.addStretch()
        self.column = QVBoxLayout(self)
        self.column.setSpacing(Space.S)
        self.column.addLayout(self.header)

    @property
    def in_use(self) -> bool:
        """Whether it holds something that would be lost if the view let go of it."""
        return False

    def height_at(self, width: int) -> int:
        """Return the height in pixels that it needs at ``width``."""
        return self.heightForWidth(width) if self.hasHeightForWidth() else self.sizeHint().height()

    def has_focus(self) -> bool:
        """Whether the keyboard's focus is inside."""
        focused = QApplication.focusWidget()
        return focused is not None and self.isAncestorOf(focused)

    def texts(self) -> list[BlockText]:
        """Return the widgets that show its words, top to bottom."""
        return []

    def restyle(self) -> None:
        """Take the fonts and colours in force."""
        self.name.setFont(font(TextRole.CAPTION, bold=True))

    def add_siblings(self, row: QHBoxLayout) -> None:
        """Add the arrows between versions, where there are several."""
        if self.message.siblings > 1:
            switch = SiblingSwitch(self.message.sibling, self.message.siblings)
            switch.chosen.connect(self.sibling_requested)
            row.addWidget(switch)

    def event(self, event: QEvent) -> bool:
        """Tell the view when the layout has to be made anew."""
        handled = super().event(event)
        if event.type() == QEvent.Type.LayoutRequest:
            self.layout_changed.emit()
        return handled
