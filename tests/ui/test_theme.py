"""The theme: legible in both modes, icons that follow it."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QColor, QImage
from PySide6.QtWidgets import QApplication, QToolButton

from app.paths import resources_dir
from app.ui.theme import apply_theme, colours, icon, set_icon, theme_notifier
from app.ui.theme.colours import DARK, LIGHT, Colours, contrast

ICONS = sorted(path.stem for path in (resources_dir() / "icons").glob("*.svg"))


@pytest.fixture
def light_again(qapp: QApplication):
    yield
    apply_theme(qapp, "light")


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_is_legible_on_every_surface(theme: Colours) -> None:
    for surface in (theme.window, theme.card, theme.sidebar, theme.code, theme.hover):
        assert contrast(theme.text, surface) >= 4.5
        assert contrast(theme.meta, surface) >= 4.5
        assert contrast(theme.danger, surface) >= 4.5
    assert contrast(theme.accent_text, theme.accent) >= 4.5


def test_black_on_white_has_the_highest_contrast() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21.0)


def test_an_accent_from_the_system_gets_legible_text() -> None:
    assert LIGHT.with_accent("#ffd60a").accent_text != "#ffffff"
    assert LIGHT.with_accent("#0a3d91").accent_text == "#ffffff"


@pytest.mark.parametrize("name", ICONS)
def test_every_icon_draws_something(qapp: QApplication, name: str) -> None:
    image = icon(name).pixmap(20, 20).toImage()
    assert any(image.pixelColor(x, y).alpha() > 0 for x in range(image.width()) for y in range(image.height()))


def test_icons_follow_the_theme(qtbot, light_again) -> None:
    button = QToolButton()
    qtbot.addWidget(button)
    apply_theme(QApplication.instance(), "light")
    set_icon(button, "stop")
    light = _middle(button)
    with qtbot.waitSignal(theme_notifier().changed):
        apply_theme(QApplication.instance(), "dark")
    assert light == QColor(LIGHT.text)
    assert _middle(button) == QColor(DARK.text)
    assert colours() is DARK


def _middle(button: QToolButton) -> QColor:
    image: QImage = button.icon().pixmap(20, 20).toImage()
    return image.pixelColor(image.width() // 2, image.height() // 2)
