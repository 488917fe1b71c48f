"""The button that sends, and stops while there is an answer on its way."""

from __future__ import annotations

from PySide6.QtWidgets import QToolButton, QWidget

from app.ui.theme import set_icon


class SendButton(QToolButton):
    """Says by its icon, colour and name what a click does."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.show_state(busy=False, waits=False, sendable=False)

    def show_state(self, *, busy: bool, waits: bool, sendable: bool) -> None:
        """Stop what is ``busy``, wait for pictures to open, or send what there is."""
        name = self.tr("Stop") if busy else self.tr("Send")
        if waits:
            name = self.tr("Sent as soon as the pictures are open")
        self.setToolTip(name)
        self.setAccessibleName(name)
        self.setEnabled(busy or (sendable and not waits))
        if busy:
            set_icon(self, "stop", "text")
        else:
            set_icon(self, "send", "accent_text" if self.isEnabled() else "meta")
        self._set_kind("flat" if busy else "primary")

    def _set_kind(self, kind: str) -> None:
        if self.property("kind") != kind:
            self.setProperty("kind", kind)
            self.style().unpolish(self)
            self.style().polish(self)
