"""Numbers in words and with units, as the language in force writes them."""

from __future__ import annotations

from collections.abc import Iterable
from functools import reduce

from PySide6.QtCore import QLocale

from app.ui.translation import translate

THIN = "\u202f"
"""Narrow no-break space, between a number and its unit."""


def count(number: int) -> str:
    """Return ``number`` with thousands separated: ``1,612``."""
    return QLocale().toString(number)


def decimal(number: float, digits: int) -> str:
    """Return ``number`` with so many digits after the point: ``1,024.5``."""
    return QLocale().toString(float(number), "f", digits)


def tokens(number: int) -> str:
    """Return ``1 token``, ``1,612 tokens``."""
    return translate("Words", "%Ln token(s)", None, number)


def prompt_tokens(number: int) -> str:
    """Return ``1 prompt token``, ``1,612 prompt tokens``."""
    return translate("Words", "%Ln prompt token(s)", None, number)


def images(number: int) -> str:
    """Return ``1 image``, ``2 images``."""
    return translate("Words", "%Ln image(s)", None, number)


def entries(number: int) -> str:
    """Return ``1 entry``, ``2 entries``, of a cache."""
    return translate("Words", "%Ln entries", None, number)


def seconds(value: float) -> str:
    """Return a duration in the precision that matters at its size: ``0.21 s``, ``12.3 s``, ``2 min 5 s``."""
    if value < 0.005:
        return translate("Words", "under {seconds}\u202fs").format(seconds=decimal(0.01, 2))
    if value < 59.95:
        return whole_seconds(decimal(value, 2 if value < 9.995 else 1))
    minutes, rest = divmod(round(value), 60)
    if rest:
        return translate("Words", "{minutes}\u202fmin {seconds}\u202fs").format(minutes=count(minutes), seconds=rest)
    return whole_minutes(count(minutes))


def whole_seconds(number: str) -> str:
    """Return seconds with their unit: ``40 s``."""
    return translate("Words", "{seconds}\u202fs").format(seconds=number)


def whole_minutes(number: str) -> str:
    """Return minutes with their unit: ``3 min``."""
    return translate("Words", "{minutes}\u202fmin").format(minutes=number)


def percent(done: float, total: float) -> str:
    """Return how much of ``total`` is done, rounded down so that 100 % means finished."""
    return percent_of(int(100 * done / total) if total > 0 else 0)


def percent_of(hundredths: int) -> str:
    """Return a number of hundredths with the sign: ``62 %``."""
    return translate("Words", "{number}\u202f%").format(number=count(hundredths))


def rate(tokens_per_second: float) -> str:
    """Return a decoding speed: ``38 tokens/s``, below ten with one decimal."""
    digits = 0 if tokens_per_second >= 9.95 else 1
    return translate("Words", "{number} tokens/s").format(number=decimal(tokens_per_second, digits))


def listed(parts: Iterable[str]) -> str:
    """Return the parts one after the other: ``one, two, three``."""
    return translate("Words", ", ", "between the parts of a list").join(parts)


def together(sentences: Iterable[str]) -> str:
    """Return sentences one after the other, as the language sets them."""
    joint = translate("Words", "{first} {second}", "one sentence after the other")
    return reduce(lambda first, second: joint.format(first=first, second=second) if first else second, sentences, "")


def sentence(text: str) -> str:
    """Return ``text`` as a sentence: first letter large, a full stop at the end; empty stays empty."""
    text = text.strip()
    if not text:
        return ""
    stop = "" if text[-1] in ".?…。？" else translate("Words", ".", "full stop")
    return text[0].upper() + text[1:] + stop
