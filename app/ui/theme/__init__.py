"""Theme: tokens, colours, fonts and icons. Widgets take from here and define no colour or size of their own.

``tokens`` has distances, radii and data colours; ``colours()`` the surface and text colours in force; ``icon(name)``
and ``set_icon(button, name)`` the line icons of ``resources/icons``; ``font(role)`` the text sizes;
``theme_notifier().changed`` tells of a new theme, and ``apply_theme(app, mode)`` puts one into force.
"""

from app.ui.theme.apply import apply_theme, theme_notifier
from app.ui.theme.colours import Colours, Mode
from app.ui.theme.current import colours
from app.ui.theme.fonts import font, mono_font, number_font, set_app_font
from app.ui.theme.icons import app_icon, icon, icon_pixmap, set_icon
from app.ui.theme.tokens import Data, Radius, Space, TextRole

__all__ = [
    "Colours",
    "Data",
    "Mode",
    "Radius",
    "Space",
    "TextRole",
    "app_icon",
    "apply_theme",
    "colours",
    "font",
    "icon",
    "icon_pixmap",
    "mono_font",
    "number_font",
    "set_app_font",
    "set_icon",
    "theme_notifier",
]
