"""Sizes and ages in words, for gauges and lists."""

from __future__ import annotations

from typing import Final

from app.ui.messages.words import THIN, decimal
from app.ui.translation import translate

_MINUTE: Final = 60
_HOUR: Final = 60 * _MINUTE
_DAY: Final = 24 * _HOUR
_UNITS: Final = ("kB", "MB", "GB", "TB")


def size(nbytes: float) -> str:
    """Return a size in steps of 1,024 with three digits that matter: ``512 kB``, ``1.5 GB``, ``212 MB``, ``0 MB``."""
    if nbytes <= 0:
        return f"0{THIN}MB"
    value, unit = nbytes / 1024, _UNITS[0]
    for larger in _UNITS[1:]:
        if value < 999.5:
            break
        value, unit = value / 1024, larger
    return f"{_three_digits(value)}{THIN}{unit}"


def size_pair(used: int, limit: int) -> str:
    """Return how much of a limit is used: ``212 MB of 2 GB``; ``off`` where the limit is 0."""
    if not limit:
        return translate("Units", "off", "a limit of nothing")
    return translate("Units", "{used} of {limit}").format(used=size(used), limit=size(limit))


def ago(seconds: float) -> str:
    """Return how long ago something was: ``just now``, ``5 min ago``, ``3 h ago``, ``2 days ago``."""
    if seconds < _MINUTE:
        return translate("Units", "just now")
    if seconds < _HOUR:
        return translate("Units", "%Ln\u202fmin ago", None, int(seconds // _MINUTE))
    if seconds < _DAY:
        return translate("Units", "%Ln\u202fh ago", None, int(seconds // _HOUR))
    return translate("Units", "%Ln day(s) ago", None, int(seconds // _DAY))


def _three_digits(value: float) -> str:
    digits = 0 if value >= 99.95 or f"{value:.1f}".endswith(".0") else 1
    return decimal(value, digits)
