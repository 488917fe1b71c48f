"""Which characters of a piece of code are keywords, strings, comments …, by Pygments. No Qt."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

from pygments.lexer import Lexer
from pygments.lexers import get_lexer_by_name
from pygments.token import Comment, Generic, Keyword, Name, Number, String, _TokenType
from pygments.token import Literal as LiteralToken
from pygments.util import ClassNotFound

Kind = Literal["keyword", "string", "number", "comment", "name", "builtin", "added", "removed"]

_KINDS: tuple[tuple[_TokenType, Kind], ...] = (
    (Comment, "comment"),
    (Keyword.Constant, "number"),
    (Keyword, "keyword"),
    (Number, "number"),
    (String, "string"),
    (LiteralToken, "string"),
    (Name.Builtin, "builtin"),
    (Name.Function, "name"),
    (Name.Class, "name"),
    (Name.Decorator, "builtin"),
    (Name.Tag, "keyword"),
    (Name.Attribute, "name"),
    (Generic.Inserted, "added"),
    (Generic.Deleted, "removed"),
    (Generic.Heading, "keyword"),
)


@dataclass(frozen=True, slots=True)
class Span:
    """``length`` characters of one kind from column ``start`` of a line, counted as Python counts them."""

    start: int
    length: int
    kind: Kind


def highlighted_lines(code: str, language: str) -> Iterator[tuple[Span, ...]]:
    """Yield the spans of each line of ``code``; nothing at all for a language that is not known.

    Lazy: who iterates decides how long to go on.
    """
    lexer = _lexer(language)
    if lexer is None:
        return
    spans: list[Span] = []
    column = 0
    for _, token, text in lexer.get_tokens_unprocessed(f"{code}\n"):  # some lexers know no line without its end
        kind = _kind(token)
        for i, part in enumerate(text.split("\n")):
            if i:
                yield tuple(spans)
                spans, column = [], 0
            if kind and part:
                spans.append(Span(column, len(part), kind))
            column += len(part)


@lru_cache(maxsize=64)
def _lexer(language: str) -> Lexer | None:
    try:
        return get_lexer_by_name(language) if language else None
    except ClassNotFound:
        return None


@lru_cache(maxsize=512)
def _kind(token: _TokenType) -> Kind | None:
    return next((kind for parent, kind in _KINDS if token in parent), None)
