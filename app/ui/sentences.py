"""Sentences of rooms that know nothing of Qt, in the language of the window.

Errors, refusals and reasons are made there, cross the worker's signals and lie in stored chats as plain English. The
window knows each by its template: ``There is no folder {ref}.`` fits ``There is no folder /models.``, so the template
is translated and the value put back. Values may be such sentences themselves, or numbers.
"""

from __future__ import annotations

import json
import re
from functools import cache
from typing import Final

from PySide6.QtCore import QLocale

from app.paths import resources_dir
from app.ui.translation import translate

CONTEXT: Final = "Sentences"
_VALUE: Final = re.compile(r"\{(\w+)\}")
_NUMBER: Final = re.compile(r"\d{1,3}(?:,\d{3})+|\d+\.(\d+)")


def translated(sentence: str) -> str:
    """Return a sentence in the language in force; one that nobody knows stays as it is."""
    if not sentence or QLocale().language() == QLocale.Language.English:
        return sentence
    for template, pattern in _known():
        if found := pattern.fullmatch(sentence):
            values = {name: _value(value) for name, value in found.groupdict().items()}
            return translate(CONTEXT, template).format(**values)
    about, colon, rest = sentence.partition(": ")
    return f"{about}{colon}{translated(rest)}"


def _value(text: str) -> str:
    if found := _NUMBER.fullmatch(text):
        return QLocale().toString(float(text.replace(",", "")), "f", len(found[1] or ""))
    own = translate("Settings", text) if text else ""
    return own if own != text else translated(text)


@cache
def _known() -> list[tuple[str, re.Pattern[str]]]:
    """Return each template with the pattern of what is made of it, those with most words of their own first."""
    templates = json.loads((resources_dir() / "translations" / "sentences.json").read_text(encoding="utf-8"))
    templates.sort(key=lambda template: len(_VALUE.sub("", template)), reverse=True)
    return [(template, _pattern(template)) for template in templates]


def _pattern(template: str) -> re.Pattern[str]:
    pieces = _VALUE.split(template)
    words = (f"(?P<{piece}>.*?)" if number % 2 else re.escape(piece) for number, piece in enumerate(pieces))
    return re.compile("".join(words), re.DOTALL)
