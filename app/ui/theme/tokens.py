"""Sizes, distances and data colours that every widget shares."""

from __future__ import annotations

from enum import Enum
from typing import Final


class Space:
    """Distances on the 4-pixel grid."""

    XS: Final = 4
    S: Final = 8
    M: Final = 12
    L: Final = 16
    XL: Final = 24
    XXL: Final = 32


class Radius:
    """Corner radii in pixels."""

    CONTROL: Final = 6
    CARD: Final = 8


class Data:
    """Data colours (Okabe-Ito, safe for colour-blind eyes); the same meaning everywhere, never alone."""

    REUSED: Final = "#009E73"
    DISK: Final = "#0072B2"
    VISION: Final = "#56B4E9"
    RUN: Final = "#E69F00"
    EVICTED: Final = "#D55E00"


class TextRole(Enum):
    """Text sizes, relative to the system font."""

    CAPTION = 0.85
    BODY = 1.0
    LEAD = 1.15
    TITLE = 1.35


ICON_SMALL: Final = 16
ICON: Final = 20
THUMBNAIL: Final = 64
COLUMN_WIDTH: Final = 760
SIDEBAR_WIDTH: Final = 240
PANEL_WIDTH: Final = 300
OVERLAY_BELOW: Final = 900
MOTION_MS: Final = 150
LINE_HEIGHT: Final = 1.45
THIN_SPACE: Final = "\u2009"
