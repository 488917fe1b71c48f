"""The commands that the documents show, and the way in which each is run by a test."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from tests.packaging.conftest import ROOT, fenced

Way = Literal["as written", "on request", "fresh", "by the checks", "built bundle", "on a Mac"]

WAYS: tuple[tuple[str, Way], ...] = (
    (r"\.venv/bin/python -m app (ask|cache|models|settings)\b.*", "as written"),
    (r"\.venv/bin/python -m pytest .*", "by the checks"),
    (r"\.venv/bin/python packaging/screenshots\.py", "on request"),
    (r"\.venv/bin/python packaging/every_page\.py .*", "on request"),
    (r"\.venv/bin/python packaging/tour\.py", "by the checks"),
    (r"\.venv/bin/python packaging/licences\.py .*", "as written"),
    (r"\.venv/bin/python -m hatchling build.*", "by the checks"),
    (r"\.venv/bin/python -m app bench .*", "on request"),
    (r"python3 packaging/start\.py", "fresh"),
    (r"python3 packaging/start\.py test", "by the checks"),
    (r"\.ci/bundle", "built bundle"),
    (r"packaging/linux/build\.sh.*", "built bundle"),
    (r"\.venv/bin/python packaging/linux/smoke\.py .*", "built bundle"),
    (r"packaging/macos/\w+\.sh.*", "on a Mac"),
)
"""The first pattern that matches the whole command says how it is run."""


@dataclass(frozen=True, slots=True)
class Command:
    """A line of a fenced ``sh`` block, without its comment."""

    document: str
    text: str

    @property
    def way(self) -> Way:
        """How it is run.

        Raises:
            LookupError: nobody has said so yet.
        """
        for pattern, way in WAYS:
            if re.fullmatch(pattern, self.text):
                return way
        raise LookupError(f"{self.document} shows a command that no test runs: {self.text}")


def documents() -> list[Path]:
    """Return all documents of the project."""
    rooms = [path for room in ("docs", "app", "packaging") for path in (ROOT / room).rglob("*.md")]
    return sorted([ROOT / "README.md", *rooms])


def commands(*ways: Way) -> list[Command]:
    """Return the commands of all documents, or those that are run in one of ``ways``."""
    found = dict.fromkeys(command for path in documents() for command in _in(path))
    return [command for command in found if not ways or command.way in ways]


def links(path: Path) -> list[str]:
    """Return the targets of a document's links and pictures that lie in the project."""
    targets = re.findall(r"\]\(([^)#\s]+)[^)]*\)", path.read_text(encoding="utf-8"))
    return [target for target in targets if "://" not in target]


def mentioned(path: Path) -> list[str]:
    """Return the code in a document's running text."""
    text = re.sub(r"^```.*?^```", "", path.read_text(encoding="utf-8"), flags=re.MULTILINE | re.DOTALL)
    found: list[str] = re.findall(r"`([^`\n]+)`", text)
    return list(dict.fromkeys(found))


def _in(path: Path) -> Iterator[Command]:
    for block in fenced("sh", path):
        for line in block.splitlines():
            text = re.sub(r"\s+#\s.*|^#.*", "", line).strip()
            if text:
                yield Command(str(path.relative_to(ROOT)), text)
