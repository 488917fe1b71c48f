"""Icons: one set of line drawings, tinted from the theme.

The pixmaps are made here instead of in a ``QIconEngine`` of our own, because icon engines written in Python can be
destroyed after the interpreter (qtawesome #280).
"""

from __future__ import annotations

from functools import cache, lru_cache

from PySide6.QtCore import QByteArray, QObject, QSize, Qt
from PySide6.QtGui import QAction, QGuiApplication, QIcon, QPainter, QPixmap
from PySide6.QtSvg import QSvgRenderer
from PySide6.QtWidgets import QAbstractButton, QApplication

from app.paths import resources_dir
from app.ui.theme import current
from app.ui.theme.tokens import ICON, ICON_SMALL

_NAME, _ROLE = "iconName", "iconRole"
_SCALES = (1, 2)
_SHARPEST = 3


def icon(name: str, colour: str | None = None) -> QIcon:
    """Return the icon ``name`` in ``colour`` (by default the text colour); the style greys it for disabled controls."""
    colours = current.colours()
    made = QIcon()
    for size in (ICON_SMALL, ICON):
        for scale in _scales():
            made.addPixmap(_pixmap(name, colour or colours.text, colours.window, size * scale, scale))
    return made


def icon_pixmap(name: str, size: int, colour: str | None = None, scale: float = 1.0) -> QPixmap:
    """Return the icon ``name`` as a square of ``size`` points for a screen with ``scale`` pixels per point."""
    colours = current.colours()
    return _pixmap(name, colour or colours.text, colours.window, round(size * scale), scale)


def set_icon(target: QAbstractButton | QAction, name: str, role: str = "text") -> None:
    """Give ``target`` an icon that follows the theme; ``role`` names one of :class:`app.ui.theme.colours.Colours`."""
    target.setProperty(_NAME, name)
    target.setProperty(_ROLE, role)
    _refresh(target)


def app_icon() -> QIcon:
    """Return the icon of the application."""
    return QIcon(str(resources_dir() / "icons" / "app.svg"))


def refresh_icons(app: QApplication) -> None:
    """Tint every icon that :func:`set_icon` placed anew; called when the theme changes."""
    for widget in app.allWidgets():
        _refresh(widget)
        for action in widget.actions():
            _refresh(action)


def _refresh(target: QObject) -> None:
    name = target.property(_NAME)
    if name and isinstance(target, QAbstractButton | QAction):
        target.setIcon(icon(name, getattr(current.colours(), target.property(_ROLE))))


def _scales() -> tuple[int, ...]:
    sharper = any(screen.devicePixelRatio() > max(_SCALES) for screen in QGuiApplication.screens())
    return (*_SCALES, _SHARPEST) if sharper else _SCALES


@lru_cache(maxsize=1024)
def _pixmap(name: str, tint: str, background: str, pixels: int, scale: float) -> QPixmap:
    pixmap = QPixmap(QSize(pixels, pixels))
    pixmap.fill(Qt.GlobalColor.transparent)
    painter = QPainter(pixmap)
    _drawing(name, tint, background).render(painter)
    painter.end()
    pixmap.setDevicePixelRatio(scale)
    return pixmap


@lru_cache(maxsize=256)
def _drawing(name: str, tint: str, background: str) -> QSvgRenderer:
    text = _text(name).replace("#fff", background).replace("#000", tint)
    return QSvgRenderer(QByteArray(text.encode()))


@cache
def _text(name: str) -> str:
    return (resources_dir() / "icons" / f"{name}.svg").read_text(encoding="utf-8")
