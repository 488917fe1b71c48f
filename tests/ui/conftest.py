"""What all tests with widgets share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent
from PySide6.QtWidgets import QApplication

from app.ui.translation import speak


@pytest.fixture(autouse=True)
def english(qapp: QApplication) -> None:
    """Let each test begin in English, with its plural forms and its numbers, whatever the one before spoke."""
    speak(qapp, "en")


@pytest.fixture(autouse=True)
def no_widgets_left() -> Iterator[None]:
    """Delete what a test let go: without a running event loop Qt would keep it, and each new theme would restyle it."""
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
