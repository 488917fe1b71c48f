"""The system font in the few sizes that the app uses."""

from __future__ import annotations

from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication

from app.ui.theme.tokens import TextRole


def font(role: TextRole = TextRole.BODY, *, bold: bool = False) -> QFont:
    """Return the application font in the size of ``role``."""
    made = QFont(QApplication.font())
    made.setPointSizeF(made.pointSizeF() * role.value)
    if bold:
        made.setWeight(QFont.Weight.DemiBold)
    return made


def number_font(role: TextRole = TextRole.BODY) -> QFont:
    """Return :func:`font` with tabular figures, for numbers that change in place or stand in columns."""
    made = font(role)
    made.setFeature(QFont.Tag("tnum"), 1)
    return made


def mono_font(role: TextRole = TextRole.BODY) -> QFont:
    """Return the system's monospace font in the size of ``role``."""
    made = QFontDatabase.systemFont(QFontDatabase.SystemFont.FixedFont)
    made.setPointSizeF(QApplication.font().pointSizeF() * role.value)
    return made
