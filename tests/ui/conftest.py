"""What all tests with widgets share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication, QEvent


@pytest.fixture(autouse=True)
def no_widgets_left() -> Iterator[None]:
    """Delete what a test let go: without a running event loop Qt would keep it, and each new theme would restyle it."""
    yield
    if QCoreApplication.instance() is not None:
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
