"""Real pictures, a real image store, and a composer in a window."""

from __future__ import annotations

import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragMoveEvent, QDropEvent
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.store.images import ImageStore
from app.ui.composer.composer import Composer

Make = Callable[..., Path]


@pytest.fixture
def make_picture(tmp_path: Path) -> Make:
    """Return ``name, colour, size → file``."""

    def make(name: str = "shot.png", colour: str = "navy", size: tuple[int, int] = (48, 32)) -> Path:
        path = tmp_path / name
        Image.new("RGB", size, colour).save(path)
        return path

    return make


@pytest.fixture
def image_store(tmp_path: Path) -> ImageStore:
    return ImageStore(tmp_path / "images")


@pytest.fixture
def composer(qtbot: QtBot, image_store: ImageStore) -> Composer:
    made = Composer(image_store)
    qtbot.addWidget(made)
    made.resize(700, 200)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    made.focus_input()
    return made


@pytest.fixture
def loaded(qtbot: QtBot) -> Callable[[Composer, int], None]:
    """Return a function that waits until ``count`` pictures are there and none is being opened."""

    def wait(composer: Composer, count: int) -> None:
        qtbot.waitUntil(lambda: len(composer.strip.items()) == count and not composer.strip.is_loading())

    return wait


def png(colour: str = "navy", size: tuple[int, int] = (48, 32)) -> bytes:
    buffer = io.BytesIO()
    Image.new("RGB", size, colour).save(buffer, "PNG")
    return buffer.getvalue()


def file_mime(*paths: Path) -> QMimeData:
    mime = QMimeData()
    mime.setUrls([QUrl.fromLocalFile(str(path)) for path in paths])
    return mime


def drop(target: QWidget, mime: QMimeData) -> bool:
    """Drag ``mime`` over the middle of ``target`` and let go, as a user would; return whether it was taken."""
    where = QPoint(target.width() // 2, target.height() // 2)
    copy, left, none = Qt.DropAction.CopyAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(where, copy, mime, left, none)
    QApplication.sendEvent(target, enter)
    if not enter.isAccepted():
        return False
    QApplication.sendEvent(target, QDragMoveEvent(where, copy, mime, left, none))
    event = QDropEvent(QPointF(where), copy, mime, left, none)
    QApplication.sendEvent(target, event)
    return event.isAccepted()
