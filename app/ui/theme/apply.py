"""Put a theme into force: palette, stylesheet, icons; follow the system's scheme in ``system`` mode."""

from __future__ import annotations

from PySide6.QtCore import QObject, Qt, Signal
from PySide6.QtGui import QColor, QPalette
from PySide6.QtWidgets import QApplication, QStyleFactory

from app.ui.theme import current
from app.ui.theme.colours import DARK, LIGHT, Colours, Mode, contrast
from app.ui.theme.fonts import restore_shares
from app.ui.theme.icons import refresh_icons
from app.ui.theme.stylesheet import stylesheet


class ThemeNotifier(QObject):
    """Tells widgets that cache something drawn that the colours have changed."""

    changed = Signal()


_notifier: ThemeNotifier | None = None
_mode: Mode = "system"
_system_accent: str | None = None
LEAST_CONTRAST = 3.0


def theme_notifier() -> ThemeNotifier:
    """Return the one notifier; it lives as long as the application."""
    global _notifier  # noqa: PLW0603 - made on first use, when there is an application to own it
    if _notifier is None:
        _notifier = ThemeNotifier()
        QApplication.styleHints().colorSchemeChanged.connect(_follow_system)
    return _notifier


def apply_theme(app: QApplication, mode: Mode) -> None:
    """Show the whole application in ``mode`` from now on."""
    global _mode, _system_accent  # noqa: PLW0603 - one theme per process
    _mode = mode
    if _system_accent is None:
        is_told = app.platformName() == "cocoa"
        _system_accent = app.palette().accent().color().name() if is_told else ""
    if not app.styleSheet():  # with a sheet, the style is Qt's wrapper around ours
        app.setStyle(QStyleFactory.create("Fusion"))
    _put_in_force(app, DARK if _is_dark(app, mode) else LIGHT)


def _follow_system() -> None:
    app = QApplication.instance()
    if _mode == "system" and isinstance(app, QApplication):
        _put_in_force(app, DARK if _is_dark(app, "system") else LIGHT)


def _is_dark(app: QApplication, mode: Mode) -> bool:
    if mode == "system":
        return app.styleHints().colorScheme() == Qt.ColorScheme.Dark
    return mode == "dark"


def _with_system_accent(colours: Colours) -> Colours:
    """Only macOS tells its accent reliably; elsewhere, and where it would be illegible, ours is used."""
    if _system_accent and contrast(_system_accent, colours.window) >= LEAST_CONTRAST:
        return colours.with_accent(_system_accent)
    return colours


def _put_in_force(app: QApplication, colours: Colours) -> None:
    colours = _with_system_accent(colours)
    current.set_colours(colours)
    app.setPalette(_palette(colours))
    app.setStyleSheet(stylesheet(colours))
    restore_shares(app)
    refresh_icons(app)
    theme_notifier().changed.emit()


def _palette(colours: Colours) -> QPalette:
    roles = {
        QPalette.ColorRole.Window: colours.window,
        QPalette.ColorRole.WindowText: colours.text,
        QPalette.ColorRole.Base: colours.card,
        QPalette.ColorRole.AlternateBase: colours.window,
        QPalette.ColorRole.Text: colours.text,
        QPalette.ColorRole.Button: colours.card,
        QPalette.ColorRole.ButtonText: colours.text,
        QPalette.ColorRole.BrightText: colours.danger,
        QPalette.ColorRole.ToolTipBase: colours.card,
        QPalette.ColorRole.ToolTipText: colours.text,
        QPalette.ColorRole.PlaceholderText: colours.meta,
        QPalette.ColorRole.Highlight: colours.accent,
        QPalette.ColorRole.HighlightedText: colours.accent_text,
        QPalette.ColorRole.Accent: colours.accent,
        QPalette.ColorRole.Link: colours.accent,
        QPalette.ColorRole.LinkVisited: colours.accent,
        QPalette.ColorRole.Light: colours.hover,
        QPalette.ColorRole.Midlight: colours.hover,
        QPalette.ColorRole.Mid: colours.hairline,
        QPalette.ColorRole.Dark: colours.hairline,
        QPalette.ColorRole.Shadow: colours.hairline,
    }
    palette = QPalette()
    for role, colour in roles.items():
        palette.setColor(role, QColor(colour))
    for role in (QPalette.ColorRole.Text, QPalette.ColorRole.WindowText, QPalette.ColorRole.ButtonText):
        palette.setColor(QPalette.ColorGroup.Disabled, role, QColor(colours.disabled))
    return palette
