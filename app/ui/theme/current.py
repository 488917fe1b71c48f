"""The colours in force now. Written by :func:`app.ui.theme.apply.apply_theme` only."""

from __future__ import annotations

from app.ui.theme.colours import LIGHT, Colours

_colours: Colours = LIGHT


def colours() -> Colours:
    """Return the colours in force; a widget that paints asks each time it paints."""
    return _colours


def set_colours(new: Colours) -> None:
    """Replace the colours in force."""
    global _colours  # noqa: PLW0603 - one theme per process, as one QApplication
    _colours = new
