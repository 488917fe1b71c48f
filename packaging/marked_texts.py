"""Every text of the app that the user sees, found in the source by the calls that mark it, and what is declared.

Qt's own lupdate reads Python too, but misses calls in f-strings, and that ``translate`` has a number where it is a
variable; so it is given what was found here.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from spoken_sentences import templates

from app.inference.hub.curated import suggestions
from app.settings.fields import describe, sections

ROOT = Path(__file__).resolve().parent.parent
SEEN = ROOT / "app" / "ui"


@dataclass(frozen=True, slots=True)
class Text:
    """A text as Qt knows it; ``counted`` where a number decides between singular and plural."""

    context: str
    source: str
    note: str = ""
    counted: bool = False

    def as_call(self) -> str:
        """Return a line of Python that marks this text for lupdate."""
        return f"translate({self.context!r}, {self.source!r}, {self.note!r}{', 1' if self.counted else ''})"


def all_texts() -> list[Text]:
    """Return the texts, each once, in the order of the files and in them."""
    found = [text for path in sorted(SEEN.rglob("*.py")) for text in marked(path.read_text(encoding="utf-8"))]
    return list(dict.fromkeys([*found, *declared()]))


def declared() -> Iterator[Text]:
    """Yield what settings and suggested models say of themselves, and the sentences of rooms without Qt."""
    settings = describe()
    titles = [section.__doc__ or "" for section in sections().values()]
    words = [word for field in settings for word in (field.title, field.help, field.unit)]
    offered = [word for suggestion in suggestions() for word in (suggestion.title, suggestion.good_for)]
    for context, texts in (("Settings", [*titles, *words]), ("Models", offered), ("Sentences", templates())):
        yield from (Text(context, text) for text in texts if text)


def marked(source: str) -> Iterator[Text]:
    """Yield the texts that a module marks."""
    yield from _in(ast.parse(source), "")


def _in(node: ast.AST, owner: str) -> Iterator[Text]:
    if isinstance(node, ast.ClassDef):
        owner = node.name
    if isinstance(node, ast.Call) and (text := _of(node, owner)):
        yield text
    for child in ast.iter_child_nodes(node):
        yield from _in(child, owner)


def _of(call: ast.Call, owner: str) -> Text | None:
    name = call.func.attr if isinstance(call.func, ast.Attribute) else getattr(call.func, "id", "")
    words = _literals(call.args)
    if name == "tr":
        if not words or not words[0] or not owner:
            raise ValueError(f"line {call.lineno}: tr needs a class and a text as it is")
        return Text(owner, words[0], words[1] if len(words) > 1 else "", len(words) > 2)
    if name in ("translate", "QT_TRANSLATE_NOOP") and len(words) > 1 and words[0] and words[1]:
        return Text(words[0], words[1], words[2] if len(words) > 2 else "", len(words) > 3)
    return None


def _literals(arguments: Iterable[ast.expr]) -> list[str]:
    """Return the arguments that are texts; others are empty."""
    return [
        argument.value if isinstance(argument, ast.Constant) and isinstance(argument.value, str) else ""
        for argument in arguments
    ]
