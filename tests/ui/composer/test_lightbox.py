"""The picture over the whole window."""

from __future__ import annotations

import pytest
from PySide6.QtCore import QPoint, QPointF, QSizeF, Qt
from PySide6.QtGui import QGuiApplication, QWheelEvent
from PySide6.QtWidgets import QApplication, QLineEdit, QVBoxLayout, QWidget

from app.store.records import StoredImage
from app.ui.composer.lightbox import Lightbox
from app.ui.composer.zoom import LARGEST, Zoom
from tests.ui.composer.conftest import png


@pytest.fixture
def window(qtbot):
    made = QWidget()
    qtbot.addWidget(made)
    field = QLineEdit()
    QVBoxLayout(made).addWidget(field)
    made.resize(600, 400)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    field.setFocus()
    return made


@pytest.fixture
def images(image_store):
    sizes = (("red", (1200, 300)), ("blue", (100, 80)), ("green", (50, 400)))
    return [image_store.add(png(colour, size), colour) for colour, size in sizes]


@pytest.fixture
def box(qtbot, window, image_store, images):
    made = Lightbox.open_over(window, image_store, images, 1)
    qtbot.waitUntil(lambda: not made._pixmap.isNull())
    return made


def test_it_covers_the_window_and_says_what_it_shows(qtbot, window, box):
    assert box.size() == window.size()
    assert box.caption().startswith("blue · 100×80 · 2 of 3 · 100")
    window.resize(500, 300)
    qtbot.waitUntil(lambda: box.size() == window.size())


def test_arrows_go_to_the_neighbours_and_stop_at_the_ends(qtbot, box):
    qtbot.keyClick(box, Qt.Key.Key_Right)
    assert box.index == 2
    qtbot.keyClick(box, Qt.Key.Key_Right)
    assert box.index == 2
    assert not box.next_button.isEnabled()
    qtbot.mouseClick(box.previous_button, Qt.MouseButton.LeftButton)
    qtbot.keyClick(box, Qt.Key.Key_Left)
    assert box.index == 0
    assert box.zoom_factor < 1  # wider than the window: fitted


def test_arrows_turn_pages_also_after_a_click_on_a_button(qtbot, box):
    box.zoom_in_button.setFocus()
    qtbot.keyClick(box.zoom_in_button, Qt.Key.Key_Left)
    assert box.index == 0
    qtbot.keyClick(box.zoom_in_button, Qt.Key.Key_Right)
    assert box.index == 1
    assert box.zoom_in_button.hasFocus()
    qtbot.keyClick(box.zoom_in_button, Qt.Key.Key_Space)
    assert box.zoom_factor > 1, "a button is still pressed by keys"


def test_zoom_by_keys_and_wheel(qtbot, box):
    before = box.zoom_factor
    qtbot.keyClick(box, Qt.Key.Key_Plus)
    assert box.zoom_factor > before
    qtbot.keyClick(box, Qt.Key.Key_0)
    assert box.zoom_factor == before
    wheel = QWheelEvent(
        QPointF(300, 200),
        QPointF(box.mapToGlobal(QPoint(300, 200))),
        QPoint(),
        QPoint(0, 240),
        Qt.MouseButton.NoButton,
        Qt.KeyboardModifier.NoModifier,
        Qt.ScrollPhase.NoScrollPhase,
        False,
    )
    QApplication.sendEvent(box, wheel)
    assert box.zoom_factor > before


def test_escape_gives_the_focus_back(qtbot, window, box):
    assert box.hasFocus()
    qtbot.keyClick(box, Qt.Key.Key_Escape)
    assert not box.isVisible()
    assert window.findChild(QLineEdit).hasFocus()


def test_a_click_beside_the_picture_closes(qtbot, box):
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(300, 200))
    assert box.isVisible()
    qtbot.mouseClick(box, Qt.MouseButton.LeftButton, pos=QPoint(60, 100))
    assert not box.isVisible()


def test_tab_stays_inside(qtbot, window, box):
    for _ in range(10):
        qtbot.keyClick(QApplication.focusWidget(), Qt.Key.Key_Tab)
        focused = QApplication.focusWidget()
        assert focused is box or box.isAncestorOf(focused)


def test_copy(qtbot, box):
    qtbot.keyClick(box, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    assert QGuiApplication.clipboard().image().width() == 100


def test_a_picture_that_is_gone_says_so(qtbot, window, image_store):
    box = Lightbox.open_over(window, image_store, [StoredImage("0" * 64, 10, 10, "gone")])
    qtbot.waitUntil(lambda: "gone" in box._message)
    assert not box.previous_button.isVisible()


def test_zoom_keeps_the_point_under_the_pointer():
    zoom = Zoom(QSizeF(1000, 1000), QSizeF(500, 500))
    assert zoom.shown_factor == 0.5
    point = QPointF(100, 400)
    zoom.by(4.0, point)
    place = zoom.place()
    assert ((point - place.topLeft()) / zoom.shown_factor - QPointF(200, 800)).manhattanLength() < 1e-6
    zoom.by(100.0)
    assert zoom.shown_factor == LARGEST
    zoom.move(QPointF(1e6, 1e6))
    assert zoom.place().topLeft() == QPointF(0, 0)
    zoom.by(1e-6)
    assert zoom.shown_factor == 0.5
    assert zoom.place().center() == QPointF(250, 250)
