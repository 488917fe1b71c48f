"""Files from the desktop are attached, whenever they come."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QUrl
from PySide6.QtGui import QFileOpenEvent
from PySide6.QtWidgets import QApplication

from app.ui.opened_files import OpenedFiles


@pytest.fixture
def picture(tmp_path: Path) -> Path:
    (tmp_path / "a picture.png").touch()
    return tmp_path / "a picture.png"


@pytest.fixture
def start(qapp: QApplication, picture: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], list[Path]]]:
    """Return a function that starts to take files in an app that was started with the picture."""
    monkeypatch.setattr(qapp, "arguments", lambda: ["second-glance", str(picture), "-style", "fusion"], raising=False)
    openers: list[OpenedFiles] = []

    def start_() -> list[Path]:
        attached: list[Path] = []
        openers.append(OpenedFiles(qapp, attached.extend))
        return attached

    yield start_
    for opener in openers:
        qapp.removeEventFilter(opener)


def open_with(app: QApplication, file: Path) -> None:
    QApplication.sendEvent(app, QFileOpenEvent(QUrl.fromLocalFile(str(file))))


def test_files_at_the_start_wait_until_the_window_has_its_draft(
    qapp: QApplication, start: Callable[[], list[Path]], picture: Path
) -> None:
    attached = start()
    open_with(qapp, picture)
    assert attached == []
    qapp.processEvents()
    assert attached == [picture, picture]


def test_a_file_that_is_opened_later_is_attached_at_once(
    qapp: QApplication, start: Callable[[], list[Path]], picture: Path
) -> None:
    attached = start()
    qapp.processEvents()
    open_with(qapp, picture)
    assert attached == [picture, picture]
