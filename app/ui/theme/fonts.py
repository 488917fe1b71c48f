"""The system font in the few sizes that the app uses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from PySide6.QtCore import Qt
from PySide6.QtGui import QFont, QFontDatabase
from PySide6.QtWidgets import QApplication, QWidget

from app.ui.theme.tokens import TextRole

_SHARE: Final = "shareOfFontSize"


def set_app_font(app: QApplication, wanted: QFont) -> None:
    """Give the whole application another font size; what has a size of its own keeps its share of it."""
    size = app.font().pointSizeF()
    for widget in app.allWidgets():
        if widget.testAttribute(Qt.WidgetAttribute.WA_SetFont) and widget.property(_SHARE) is None:
            widget.setProperty(_SHARE, widget.font().pointSizeF() / size)
    app.setFont(wanted)
    app.setStyleSheet(app.styleSheet())  # with a sheet, widgets ask for the application's font only then
    restore_shares(app)


def restore_shares(app: QApplication) -> None:
    """Give what has a size of its own its share of the application's again: a new sheet takes it back to its first."""
    _restore(app.allWidgets())


def keep_shares(part: QWidget) -> None:
    """Give ``part``, and all that is in it, its share again: another parent takes it back to its first as well."""
    _restore([part, *part.findChildren(QWidget)])


def _restore(widgets: Iterable[QWidget]) -> None:
    for widget in widgets:
        if (share := widget.property(_SHARE)) is not None:
            own = widget.font()
            own.setPointSizeF(QApplication.font().pointSizeF() * share)
            widget.setFont(own)


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
