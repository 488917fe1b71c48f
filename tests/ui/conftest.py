"""What all tests with widgets share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtGui import QFont
from PySide6.QtWidgets import QApplication

from app.ui.theme import apply_theme, colours, set_app_font
from app.ui.theme.colours import LIGHT
from app.ui.translation import speak


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> None:
    """Let each test begin in English, with its plural forms and its numbers, whatever the one before spoke."""
    speak(qapp, "en")


@pytest.fixture(scope="session")
def usual_font(qapp: QApplication) -> QFont:
    """Return the application's font as it is before any test."""
    return QFont(qapp.font())


@pytest.fixture(autouse=True)
def usual_looks(qapp: QApplication, usual_font: QFont) -> None:
    """Let each test begin in light colours and in the usual size of text, whatever the one before left."""
    if qapp.font() != usual_font:
        set_app_font(qapp, usual_font)
    if colours() is not LIGHT or not qapp.styleSheet():
        apply_theme(qapp, "light")


@pytest.fixture(autouse=True)
def no_widgets_left() -> Iterator[None]:
    """Delete what a test let go: without a running event loop Qt would keep it, and each new theme would restyle it."""
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
