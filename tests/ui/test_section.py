"""A section opens by key and by click, and its chevron begins where the text above it does."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QLabel

from app.ui.section import Section
from app.ui.theme import apply_theme


def test_it_opens_by_key_and_by_click(qtbot) -> None:
    section = Section("Events", QLabel("content"))
    qtbot.addWidget(section)
    with qtbot.waitActive(section):
        section.show()
        section.activateWindow()
    assert not section.content.isVisible()
    section.button.setFocus()
    qtbot.keyClick(section.button, Qt.Key.Key_Space)
    assert section.content.isVisible()
    qtbot.mouseClick(section.button, Qt.MouseButton.LeftButton)
    assert not section.content.isVisible()


def test_the_chevron_begins_at_the_left_edge(qtbot, qapp: QApplication) -> None:
    apply_theme(qapp, "light")
    section = Section("Events", QLabel("content"))
    qtbot.addWidget(section)
    section.resize(200, 60)
    section.show()
    for is_open in (False, True):
        section.set_open(is_open)
        image = section.button.grab().toImage()
        dark = [
            x
            for x in range(image.width())
            if any(image.pixelColor(x, y).lightness() < 150 for y in range(image.height()))
        ]
        assert dark[0] <= 2
