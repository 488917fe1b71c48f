"""Lengths as Qt counts them. No Qt."""

from __future__ import annotations

from typing import Final

_WIDE: Final = 0xFFFF


def utf16_length(text: str) -> int:
    """Return the length of ``text`` as Qt counts it: characters beyond the basic plane are two."""
    return len(text) if text.isascii() else len(text) + sum(ord(character) > _WIDE for character in text)
