"""Surface and text colours of the light and the dark theme."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

Mode = Literal["light", "dark", "system"]


@dataclass(frozen=True, slots=True)
class Colours:
    """Colours by purpose, as ``#rrggbb``.

    ``text`` has a contrast of at least 4.5:1 on every surface, ``meta`` and ``danger`` too; ``free`` is the empty part
    of a gauge; ``accent_text`` is legible on ``accent``.
    """

    dark: bool
    window: str
    card: str
    sidebar: str
    hairline: str
    hover: str
    pressed: str
    text: str
    meta: str
    disabled: str
    danger: str
    free: str
    code: str
    accent: str = "#2a6fdb"
    accent_text: str = "#ffffff"

    def with_accent(self, accent: str) -> Colours:
        """Return these colours with another accent and the text colour that is legible on it."""
        return replace(self, accent=accent, accent_text=_legible_on(accent))


LIGHT = Colours(
    dark=False,
    window="#f8f8f9",
    card="#ffffff",
    sidebar="#f0f0f2",
    hairline="#dadadf",
    hover="#e7e7ea",
    pressed="#dcdce1",
    text="#1d1d1f",
    meta="#5e5e66",
    disabled="#a3a3aa",
    danger="#a83c00",
    free="#e3e3e7",
    code="#f1f1f3",
)
DARK = Colours(
    dark=True,
    window="#1e1f22",
    card="#27282c",
    sidebar="#191a1c",
    hairline="#393a40",
    hover="#303136",
    pressed="#3a3b41",
    text="#e9e9eb",
    meta="#a3a4ab",
    disabled="#66676d",
    danger="#ff9a66",
    free="#3d3e44",
    code="#191a1d",
    accent="#5b9bf5",
    accent_text="#10151c",
)


def luminance(colour: str) -> float:
    """Return the relative luminance of ``#rrggbb``, 0.0 to 1.0 (WCAG 2.2)."""
    channels = (int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5))
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(first: str, second: str) -> float:
    """Return the contrast ratio of two colours, 1.0 to 21.0 (WCAG 2.2)."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def _legible_on(colour: str) -> str:
    return max(("#ffffff", "#10151c"), key=lambda text: contrast(colour, text))
