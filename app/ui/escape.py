"""Escape belongs to what is open, before it stops an answer."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QWidget


class _EscapeKept(QObject):
    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Claim Escape before the window's shortcuts get it."""
        is_escape = isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape
        if not is_escape or event.type() != QEvent.Type.ShortcutOverride:
            return False
        event.accept()
        return True


def keep_escape(widget: QWidget) -> None:
    """Let ``widget`` and what is in it have the Escape key while it has the focus."""
    widget.installEventFilter(_EscapeKept(widget))
