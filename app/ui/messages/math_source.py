r"""Formulas in an answer stay legible as their source: Markdown would eat ``\(``, ``_`` and ``*``. No Qt."""

from __future__ import annotations

import re

_CODE = r"(?P<code>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
_FORMULA = (
    r"(?P<formula>"
    r"\$\$.+?\$\$"
    r"|\\\[.+?\\\]"
    r"|\\\(.+?\\\)"
    r"|(?<![\\$\w])\$(?![\s$])[^$\n]*?(?<![\s\\])\$(?![\d$])"
    r")"
)
_EITHER = re.compile(f"{_CODE}|{_FORMULA}", re.DOTALL)
_RUN = re.compile("`+")


def protect_formulas(markdown: str) -> str:
    r"""Return ``markdown`` with ``$…$``, ``$$…$$``, ``\(…\)`` and ``\[…\]`` as code spans; existing code is left alone.

    A dollar sign before a space, after a letter or before a digit at the end is money, not a formula.
    """
    if "$" not in markdown and "\\" not in markdown:
        return markdown
    return _EITHER.sub(_as_code, markdown)


def _as_code(match: re.Match[str]) -> str:
    formula = match["formula"]
    if formula is None:
        return match[0]
    ticks = "`" * (1 + max((len(run) for run in _RUN.findall(formula)), default=0))
    return f"{ticks}{formula}{ticks}"
