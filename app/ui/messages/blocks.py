"""Cut a Markdown answer into blocks that can each be a widget, whole or while it grows. No Qt.

An answer is prose and code in turn. Prose is cut between top-level blocks and list items into pieces of at most about
:data:`PROSE_LIMIT` characters, so that while an answer streams only its last piece is parsed and drawn anew. Code
fences stand alone, also those inside list items, because they get a language, a copy button and their own scroll bar.
"""

from __future__ import annotations

import re
import textwrap
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal

from markdown_it import MarkdownIt
from markdown_it.token import Token

PROSE_LIMIT = 1500
"""Characters of one prose block; a longer single paragraph stays whole."""

_FENCE_OPEN = re.compile(r" {0,3}(`{3,}|~{3,})[^\S\n]*([^`\n]*)\n")
_ITEM = "list_item_open"


@dataclass(frozen=True, slots=True)
class Block:
    """A piece of an answer: Markdown source, or the code inside a fence. ``indent`` counts the lists around it."""

    kind: Literal["prose", "code"]
    text: str
    language: str = ""
    indent: int = 0


_Fence = tuple[int, Token, int]


@dataclass(frozen=True, slots=True)
class _Unit:
    """A top-level block or list item; ``start`` is its first line."""

    start: int
    blocks: tuple[Block, ...]


def split(markdown: str) -> list[Block]:
    """Return the blocks of a finished answer."""
    blocks: list[Block] = []
    for unit in _units(_with_unix_lines(markdown)):
        _append(blocks, unit.blocks)
    return blocks


class BlockStream:
    """The blocks of an answer that grows at its end.

    ``blocks`` after any number of :meth:`feed` calls equals ``split`` of the whole text (property-tested); what lies
    before the last top-level block is never parsed again.
    """

    def __init__(self) -> None:
        self._settled: list[Block] = []
        self._tail = ""
        self._parsed: tuple[str, list[_Unit]] = ("", [])
        self._fence: _OpenFence | None = None

    def feed(self, text: str) -> list[Block]:
        """Take the next piece of the answer and return all blocks, the last ones still open."""
        self._tail += _with_unix_lines(text)
        while self._advance():
            pass
        blocks = self._settled.copy()
        for unit in self._open_units():
            _append(blocks, unit.blocks)
        return blocks

    def _open_units(self) -> list[_Unit]:
        if self._fence is not None:
            return [_Unit(0, (self._fence.block(self._tail),))]
        return self._tail_units()

    def _tail_units(self) -> list[_Unit]:
        """Return the units of the tail, parsed once for each piece."""
        if self._parsed[0] != self._tail:
            self._parsed = (self._tail, _units(self._tail))
        return self._parsed[1]

    def _advance(self) -> bool:
        """Settle what can no longer change; true if there may be more."""
        if self._fence is not None:
            return self._leave_fence(self._fence)
        units = self._tail_units()
        if len(units) > 1:
            self._settle_before(units)
        if opened := _OpenFence.at_start_of(self._tail):
            self._fence = opened
            return True
        return False

    def _settle_before(self, units: Sequence[_Unit]) -> None:
        for unit in units[:-1]:
            _append(self._settled, unit.blocks)
        self._tail = "".join(_lines(self._tail)[units[-1].start :])

    def _leave_fence(self, fence: _OpenFence) -> bool:
        end = fence.end(self._tail)
        if end is None:
            return False
        _append(self._settled, (fence.block(self._tail[:end]),))
        self._tail = self._tail[end:]
        self._fence = None
        return True


class _OpenFence:
    """A top-level code fence at the start of the tail: only new lines are searched for its end."""

    def __init__(self, opening: re.Match[str]) -> None:
        marker = opening[1]
        self._start = opening.end()
        self._searched = opening.end()
        self._indent = len(opening[0]) - len(opening[0].lstrip(" "))
        self._language = _language(opening[2])
        self._close = re.compile(rf"^ {{0,3}}{re.escape(marker[0])}{{{len(marker)},}}[ \t]*$", re.MULTILINE)

    @classmethod
    def at_start_of(cls, text: str) -> _OpenFence | None:
        opening = _FENCE_OPEN.match(text)
        return cls(opening) if opening else None

    def end(self, text: str) -> int | None:
        """Return where the closing line ends, or ``None`` while it is not there as a whole line."""
        complete = text.rfind("\n") + 1
        found = self._close.search(text, self._searched, complete)
        self._searched = max(self._searched, complete)
        return found.end() + 1 if found else None

    def block(self, text: str) -> Block:
        code = text[self._start :]
        lines = _lines(code)
        if lines and self._close.fullmatch(lines[-1].rstrip("\n")):
            code = "".join(lines[:-1])
        if self._indent:
            code = re.sub(rf"^ {{1,{self._indent}}}", "", code, flags=re.MULTILINE)
        return Block("code", _code(code), self._language)


@cache
def _parser() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}).enable("table")
    parser.core.ruler.enableOnly(["normalize", "block"])
    return parser


def _with_unix_lines(text: str) -> str:
    return text.replace("\r", "").replace("\0", "\ufffd")


def _lines(text: str) -> list[str]:
    """Return the lines with their ends, by the parser's idea of a line (``str.splitlines`` knows eight more)."""
    return re.findall(r"[^\n]*\n|[^\n]+", text)


def _code(content: str) -> str:
    return content.rstrip()


def _language(info: str) -> str:
    words = info.split()
    return words[0].strip("{}.").lower() if words else ""


def _units(markdown: str) -> list[_Unit]:
    if not markdown.strip():
        return []
    lines = _lines(markdown)
    tokens = _parser().parse(markdown)
    starts = [token for token in tokens if token.map and (token.level == 0 or _is_top_item(token))]
    starts = [token for token in starts if token.nesting >= 0 and not token.type.endswith("list_open")]
    bounds = [*(token.map[0] for token in starts if token.map), len(lines)]
    fences = _fences_in_lists(tokens)
    lines_of_fences = [line for line, _, _ in fences]
    units = []
    for token, start, end in zip(starts, bounds, bounds[1:], strict=False):
        inside = fences[bisect_left(lines_of_fences, start) : bisect_left(lines_of_fences, end)]
        units.append(_Unit(start, tuple(_blocks(token, inside, lines, start, end))))
    return units


def _is_top_item(token: Token) -> bool:
    return token.type == _ITEM and token.level == 1


def _blocks(unit: Token, fences: Iterable[_Fence], lines: Sequence[str], start: int, end: int) -> Iterable[Block]:
    """Return the blocks of the unit on lines ``start`` to ``end``, which has these ``fences`` in its lists."""
    if unit.type in ("fence", "code_block"):
        yield Block("code", _code(unit.content), _language(unit.info))
        return
    if unit.type != _ITEM:
        yield Block("prose", "".join(lines[start:end]))
        return
    indent, at = 0, start
    for line, fence, depth in fences:
        yield from _item_prose(lines[at:line], indent)
        yield Block("code", _code(fence.content), _language(fence.info), depth)
        indent, at = depth, fence.map[1] if fence.map else line
    yield from _item_prose(lines[at:end], indent)


def _item_prose(lines: Sequence[str], indent: int) -> Iterable[Block]:
    text = "".join(lines)
    if text.strip():
        yield Block("prose", textwrap.dedent(text) if indent else text, indent=indent)


def _fences_in_lists(tokens: Sequence[Token]) -> list[_Fence]:
    """Return the fences that have only lists around them: first line, token, depth of lists."""
    found: list[_Fence] = []
    around: list[str] = []
    for token in tokens:
        if token.nesting == 1:
            around.append(token.type)
        elif token.nesting == -1:
            around.pop()
        elif token.type == "fence" and token.map and "blockquote_open" not in around:
            found.append((token.map[0], token, around.count(_ITEM)))
    return found


def _append(blocks: list[Block], more: Iterable[Block]) -> None:
    """Add ``more``, joining prose to the prose before it up to the limit."""
    for block in more:
        last = blocks[-1] if blocks else None
        if last and block.kind == last.kind == "prose" and block.indent == last.indent and len(last.text) < PROSE_LIMIT:
            blocks[-1] = replace(last, text=last.text + block.text)
        else:
            blocks.append(block)
