"""The frame around the window while something is dragged over it."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QMimeData, QPoint, Qt, QUrl
from PySide6.QtGui import QDragEnterEvent, QDragLeaveEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from app.ui.composer.drop_overlay import DropOverlay
from tests.ui.composer.conftest import drop, file_mime


@pytest.fixture
def window(qtbot, composer):
    made = QWidget()
    qtbot.addWidget(made)
    column = QVBoxLayout(made)
    column.addStretch()
    column.addWidget(composer)
    made.resize(800, 500)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    return made


@pytest.fixture
def overlay(window, composer):
    made = DropOverlay(window, composer.take)
    made.watch(*composer.drop_targets())
    return made


def enter(target, mime):
    event = QDragEnterEvent(
        QPoint(5, 5), Qt.DropAction.CopyAction, mime, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    QApplication.sendEvent(target, event)
    return event.isAccepted()


def test_a_picture_over_the_window_is_announced_and_taken(window, overlay, composer, loaded, make_picture):
    mime = file_mime(make_picture())
    assert enter(window, mime)
    assert overlay.isVisible()
    assert overlay.words() == "Drop to attach"
    assert overlay.size() == window.size()
    assert drop(window, mime)
    assert not overlay.isVisible()
    loaded(composer, 1)


def test_the_frame_shows_over_the_composer_too(overlay, composer, loaded, make_picture):
    mime = file_mime(make_picture())
    assert enter(composer.edit.viewport(), mime)
    assert overlay.isVisible()
    drop(composer.edit.viewport(), mime)
    assert not overlay.isVisible()
    loaded(composer, 1)


def test_leaving_takes_the_frame_away_but_not_between_widgets(qtbot, window, overlay, composer, make_picture):
    mime = file_mime(make_picture())
    enter(window, mime)
    QApplication.sendEvent(window, QDragLeaveEvent())
    enter(composer.edit.viewport(), mime)
    assert overlay.isVisible()
    assert not overlay._leaving.isActive()
    QApplication.sendEvent(composer.edit.viewport(), QDragLeaveEvent())
    qtbot.waitUntil(lambda: not overlay.isVisible())


def test_foreign_content_says_why_not(window, overlay, composer):
    mime = QMimeData()
    mime.setUrls([QUrl("https://example.org/page")])
    enter(window, mime)
    assert overlay.isVisible()
    assert "from this computer" in overlay.words()
    drop(window, mime)
    assert composer.strip.items() == []
    assert not overlay.isVisible()


def test_the_frame_follows_the_window(qtbot, window, overlay, make_picture):
    enter(window, file_mime(make_picture()))
    window.resize(600, 400)
    qtbot.waitUntil(lambda: overlay.size() == window.size())
    assert not overlay.grab().isNull()
