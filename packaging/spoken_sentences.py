"""The sentences of rooms that know nothing of Qt: errors, refusals, reasons, as templates.

``f"{name} is empty."`` in the source is the template ``{name} is empty.`` here. The window knows a sentence by its
template (:mod:`app.ui.sentences`); those rooms, the command line and the stored chats stay English.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ROOMS = ("cache", "inference", "settings", "store", "worker")
FIRST_ERROR = "UserError"
"""This class, and all that descend from it, are handed a sentence first."""
HANDED = {"refused": (1, "“{{picture}}” {}."), "bypass": (0, "{}"), "_report": (3, "{}"), "Lookup": (3, "{}"),
          "OSError": (1, "{}")}  # fmt: skip
"""Functions that are handed a sentence or a part of one: its place among the arguments, and what they make of it."""
NAMED = "note"
"""A named argument that is one."""
WHOLE = ("cache/why.py", "cache/ssd.py", "cache/disk/telling.py", "inference/hub/failures.py", "settings/file.py",
         "settings/per_model.py", "store/lock.py", "worker/host.py")  # fmt: skip
"""Modules in which every text with several words is one, or a part of one."""
CONSTANTS = ("cache/pixels.py", "inference/guarded.py", "inference/opening.py")
"""Modules whose constants of several words are."""
NOT_SHOWN = ("HEADER", "debug", "info", "warning", "error", "exception", "ValueError", "TypeError", "KeyError")
"""Names of what is handed, or holds, texts for others: the log, the settings file, ourselves."""


def templates() -> list[str]:
    """Return the templates, each once, in the order of the files and in them."""
    files = sorted(path for room in ROOMS for path in (ROOT / "app" / room).rglob("*.py"))
    modules = {path.relative_to(ROOT / "app").as_posix(): ast.parse(path.read_text("utf-8")) for path in files}
    errors = _errors(modules.values())
    found = [text for name, tree in modules.items() for text in _in(tree, errors, name)]
    return list(dict.fromkeys(text for text in found if is_sentence(text)))


def is_sentence(text: str) -> bool:
    """Whether a text has several words of its own beside what is filled in."""
    own = re.sub(r"\{\w+\}", " ", text)
    return len(re.findall(r"[A-Za-z]{2,}", own)) > 1 and " " in own.strip()


def template(node: ast.AST) -> str:
    """Return a text or f-string as a template; empty where it is neither."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if not isinstance(node, ast.JoinedStr):
        return ""
    names: list[str] = []
    parts = []
    for part in node.values:
        if isinstance(part, ast.FormattedValue):
            names.append(_new(_word(part.value), names))
        parts.append(str(part.value) if isinstance(part, ast.Constant) else f"{{{names[-1]}}}")
    return "".join(parts)


def _errors(trees: Iterable[ast.Module]) -> set[str]:
    classes = [node for tree in trees for node in ast.walk(tree) if isinstance(node, ast.ClassDef)]
    classes += [n for n in ast.parse((ROOT / "app/errors.py").read_text("utf-8")).body if isinstance(n, ast.ClassDef)]
    known = {FIRST_ERROR}
    while new := {c.name for c in classes if {getattr(b, "id", "") for b in c.bases} & known} - known:
        known |= new
    return known


def _in(tree: ast.Module, errors: set[str], module: str) -> Iterator[str]:
    if module in WHOLE:
        yield from _shown(tree)
    if module in CONSTANTS:
        yield from (template(node.value) for node in tree.body if isinstance(node, ast.Assign))
    for call in (node for node in ast.walk(tree) if isinstance(node, ast.Call)):
        place, frame = (0, "{}") if _called(call) in errors else HANDED.get(_called(call), (len(call.args), ""))
        yield from (frame.format(template(argument)) for argument in call.args[place : place + 1])
        yield from (template(keyword.value) for keyword in call.keywords if keyword.arg == NAMED)


def _shown(node: ast.AST) -> Iterator[str]:
    """Yield every text in ``node`` that is no docstring and not for others."""
    if text := template(node):
        yield text
        return
    for child in ast.iter_child_nodes(node):
        is_docstring = isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)
        for_others = isinstance(child, ast.Assign | ast.Call) and _called(child) in NOT_SHOWN
        if not is_docstring and not for_others:
            yield from _shown(child)


def _called(node: ast.Call | ast.Assign) -> str:
    named = node.func if isinstance(node, ast.Call) else node.targets[0]
    return getattr(named, "attr", getattr(named, "id", ""))


def _word(expression: ast.expr) -> str:
    """Return a name for what is filled in: the first name in the expression, seen from outside."""
    names = (getattr(node, "attr", getattr(node, "id", "")) for node in ast.walk(expression))
    return next((name.strip("_").lower() for name in names if name and name != "str"), "value")


def _new(name: str, names: list[str]) -> str:
    return next(new for new in (name, *(f"{name}_{number}" for number in range(2, 9))) if new not in names)
