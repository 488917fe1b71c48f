r"""Formulas in an answer: where they are, and how they pass through Markdown, which would eat ``\(``, ``_`` and ``*``.

No Qt. Only a formula that is closed counts, so that nothing half is drawn while an answer grows.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

MARK: Final = "\u2063"
"""Begins the code span that a formula travels in: an invisible character that no answer has there by chance."""

_CODE = r"(?P<code>(?P<ticks>`+)(?!`).*?(?<!`)(?P=ticks)(?!`))"
_FORMULA = (
    r"(?P<formula>"
    r"\$\$.+?\$\$"
    r"|\\\[.+?\\\]"
    r"|\\\(.+?\\\)"
    r"|\\begin\{(?P<env>(?:equation|align|gather|multline|alignat|eqnarray)\*?)\}.+?\\end\{(?P=env)\}"
    r"|(?<![\\$\w])\$(?![\s$])[^$\n]*?(?<![\s\\])\$(?![\d$])"
    r")"
)
_EITHER = re.compile(f"{_CODE}|{_FORMULA}", re.DOTALL)
_RUN = re.compile("`+")
_FENCES: Final = (("$$", "$$", True), ("\\[", "\\]", True), ("\\(", "\\)", False), ("$", "$", False))


@dataclass(frozen=True, slots=True)
class Formula:
    """The LaTeX of a formula without the signs around it; ``display`` asks for a line of its own."""

    latex: str
    display: bool


def protect_formulas(markdown: str) -> str:
    r"""Return ``markdown`` with each formula as a code span that begins with :data:`MARK`; code is left alone.

    Formulas are ``$…$``, ``$$…$$``, ``\(…\)``, ``\[…\]`` and the environments of amsmath. A dollar sign before a space,
    after a letter or before a digit at the end is money. One that has its lines for itself becomes a paragraph.
    """
    if "$" not in markdown and "\\" not in markdown:
        return markdown
    return _EITHER.sub(_as_code, markdown)


def formula_of(source: str) -> Formula:
    """Return the formula that is written as ``source``, with the signs around it."""
    for opening, closing, display in _FENCES:
        if source.startswith(opening) and source.endswith(closing):
            return Formula(source[len(opening) : -len(closing)].strip(), display)
    return Formula(source, source.startswith("\\begin"))


def _as_code(match: re.Match[str]) -> str:
    formula = match["formula"]
    if formula is None:
        return match[0]
    ticks = "`" * (1 + max((len(run) for run in _RUN.findall(formula)), default=0))
    code = f"{ticks}{MARK}{' '.join(formula.split())}{ticks}"
    return _own_paragraph(match, code) if formula_of(formula).display else code


def _own_paragraph(match: re.Match[str], code: str) -> str:
    """Set the formula off where it stands on lines of its own, indented as these are, so that lists stay lists."""
    text = match.string
    before = text[text.rfind("\n", 0, match.start()) + 1 : match.start()]
    line_end = text.find("\n", match.end())
    after = text[match.end() : line_end if line_end >= 0 else len(text)]
    if before.strip() or after.strip():
        return code
    return f"\n{before}{code}\n"
