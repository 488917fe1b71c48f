"""Markdown as plain words, for one line about an answer. No Qt."""

from __future__ import annotations

import re
from typing import Final

_CODE: Final = re.compile(
    r"^ *(?P<fence>`{3,}|~{3,})[^\n]*\n(?P<block>.*?)(?:^ *(?P=fence)[^\n]*$|\Z)"
    r"|(?P<ticks>`+)(?!`)(?P<span>.+?)(?<!`)(?P=ticks)(?!`)",
    re.DOTALL | re.MULTILINE,
)
_SIGNS: Final = (
    (re.compile(r"^ {0,3}(?:#{1,6}|>+|[-*+]|\d+[.)]) +(?:\[[ xX]\] +)?", re.MULTILINE), ""),
    (re.compile(r"^[ |:-]*-{3,}[ |:-]*$|^ *(?:\*{3,}|_{3,}|={3,}) *$", re.MULTILINE), ""),
    (re.compile(r"^ *\||\| *$", re.MULTILINE), ""),
    (re.compile(r"(?<=\s)\|(?=\s)"), " "),
    (re.compile(r"!?\[([^\]\n]*)\]\([^)\s]*(?: +\"[^\"\n]*\")?\)"), r"\1"),
    (re.compile(r"(\*{1,3})(?=[^\s*])(.+?)(?<=[^\s*])\1", re.DOTALL), r"\2"),
    (re.compile(r"(?<!\w)(_{1,3})(?=[^\s_])(.+?)(?<=[^\s_])\1(?!\w)", re.DOTALL), r"\2"),
    (re.compile(r"~~(?=\S)(.+?)(?<=\S)~~", re.DOTALL), r"\1"),
    (re.compile(r"\\([*_`#\[\]|~>-])"), r"\1"),
)
"""What only says how words look, and what stays of it; in this order."""


def plain(markdown: str) -> str:
    """Return ``markdown`` without its signs; code keeps each of its own, and a formula is its source."""
    pieces, end = [], 0
    for code in _CODE.finditer(markdown):
        pieces += [_without_signs(markdown[end : code.start()]), code["span"] or code["block"] or ""]
        end = code.end()
    return "".join([*pieces, _without_signs(markdown[end:])])


def _without_signs(markdown: str) -> str:
    for sign, stays in _SIGNS:
        markdown = sign.sub(stays, markdown)
    return markdown
