"""Bring the translations up to date: ``python packaging/translations.py`` from the checkout.

Puts every text that the user sees into ``resources/translations/*.ts`` (lupdate), and compiles them (lrelease). New
texts are ``unfinished`` until somebody translates them, by hand or with ``pyside6-linguist``.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from marked_texts import all_texts  # noqa: E402 - the checkout's app, not an installed one
from spoken_sentences import templates  # noqa: E402

from app.ui.translation import LANGUAGES  # noqa: E402

FOLDER = ROOT / "resources" / "translations"
SENTENCES = FOLDER / "sentences.json"
OPTIONS = (
    "-no-obsolete",
    "-locations",
    "none",
    "-disable-heuristic",
    "similartext",
    "-source-language",
    "en",
    "-silent",
)


def main() -> None:
    SENTENCES.write_text(sentences(), encoding="utf-8")
    for language in LANGUAGES:
        update(ts(language), language)
        release(ts(language), qm(language))


def sentences() -> str:
    """Return the list of the templates by which the window knows the sentences of rooms without Qt."""
    return json.dumps(templates(), ensure_ascii=False, indent=0) + "\n"


def ts(language: str) -> Path:
    """Return the file in which a language is translated."""
    return FOLDER / f"second_glance_{language}.ts"


def qm(language: str) -> Path:
    """Return the file that the app loads."""
    return FOLDER / f"second_glance_{language}.qm"


def update(target: Path, language: str) -> None:
    """Put all texts of the sources into ``target`` and keep its translations; English has plural forms only."""
    with tempfile.TemporaryDirectory() as folder:
        found = Path(folder) / "texts.py"
        found.write_text("\n".join(text.as_call() for text in all_texts()), encoding="utf-8")
        only = ["-pluralonly"] if language == LANGUAGES[0] else []
        tool("lupdate", *OPTIONS, *only, str(found), "-target-language", language, "-ts", str(target))


def release(source: Path, target: Path) -> None:
    """Compile ``source``."""
    tool("lrelease", "-silent", str(source), "-qm", str(target))


def tool(name: str, *arguments: str) -> None:
    """Run one of Qt's tools, which come with PySide6."""
    subprocess.run([str(Path(sys.executable).with_name(f"pyside6-{name}")), *arguments], check=True)


if __name__ == "__main__":
    main()
