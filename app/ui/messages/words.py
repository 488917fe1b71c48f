"""Numbers in words and with units, for the sentences around an answer. No Qt."""

from __future__ import annotations

THIN = "\u202f"
"""Narrow no-break space, between a number and its unit."""


def count(number: int) -> str:
    """Return ``number`` with thousands separated: ``1,612``."""
    return f"{number:,}"


def plural(number: int, noun: str, many: str = "") -> str:
    """Return ``number`` and the noun in its right form: ``1 image``, ``2 images``, ``1 entry``, ``2 entries``."""
    return f"{count(number)} {noun if number == 1 else many or noun + 's'}"


def seconds(value: float) -> str:
    """Return a duration in the precision that matters at its size: ``0.21 s``, ``12.3 s``, ``2 min 5 s``."""
    if value < 0.005:
        return f"under 0.01{THIN}s"
    if value < 9.995:
        return f"{value:.2f}{THIN}s"
    if value < 59.95:
        return f"{value:.1f}{THIN}s"
    minutes, rest = divmod(round(value), 60)
    return f"{minutes}{THIN}min {rest}{THIN}s" if rest else f"{minutes}{THIN}min"


def percent(done: float, total: float) -> str:
    """Return how much of ``total`` is done, rounded down so that 100 % means finished."""
    return f"{int(100 * done / total) if total > 0 else 0}{THIN}%"


def rate(tokens_per_second: float) -> str:
    """Return a decoding speed: ``38 tokens/s``, below ten with one decimal."""
    digits = 0 if tokens_per_second >= 9.95 else 1
    return f"{tokens_per_second:.{digits}f} tokens/s"


def sentence(text: str) -> str:
    """Return ``text`` as a sentence: first letter large, a full stop at the end; empty stays empty."""
    text = text.strip()
    if not text:
        return ""
    return text[0].upper() + text[1:] + ("" if text[-1] in ".?…" else ".")
