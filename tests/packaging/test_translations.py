"""The translations are complete, hold what their sources hold, and are the files that the app loads."""

from __future__ import annotations

import ast
import re
import shutil
import xml.etree.ElementTree as ET
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
import translations
from marked_texts import SEEN, Text, all_texts, marked
from spoken_sentences import templates

from app.ui.translation import LANGUAGES

OTHERS = LANGUAGES[1:]
FORMS = {"en": 2, "de": 2, "zh_CN": 1}
PLACEHOLDER = re.compile(r"\{\w*\}|%Ln|\*\.\w+")


def messages(language: str) -> dict[Text, list[str]]:
    """Return what a language's file holds: the translation, or one per plural form."""
    found = {}
    for context in ET.parse(translations.ts(language)).getroot().iter("context"):
        for message in context.iter("message"):
            translation = message.find("translation")
            assert translation is not None
            assert translation.get("type") is None, f"{language}: {message.findtext('source')!r} is unfinished"
            forms = [form.text or "" for form in translation.iter("numerusform")]
            counted = message.get("numerus") == "yes"
            names = (context.findtext("name"), message.findtext("source"), message.findtext("comment"))
            text = Text(*(name or "" for name in names), counted)
            found[text] = forms if counted else [translation.text or ""]
    return found


def placeholders(text: str) -> Counter[str]:
    return Counter(PLACEHOLDER.findall(text))


@pytest.mark.parametrize("language", OTHERS)
def test_every_text_of_the_app_is_translated_and_nothing_else_is(language: str) -> None:
    assert set(messages(language)) == set(all_texts()), "run: python packaging/translations.py, and translate"


def test_english_has_the_plural_forms_and_nothing_else() -> None:
    assert set(messages("en")) == {text for text in all_texts() if text.counted}


@pytest.mark.parametrize("language", LANGUAGES)
def test_translations_hold_the_values_that_their_sources_hold(language: str) -> None:
    for text, forms in messages(language).items():
        assert len(forms) == (FORMS[language] if text.counted else 1), text
        for form in forms:
            assert form.strip(), text
            wanted = placeholders(text.source)
            if len(forms) > 1 and form == forms[0]:
                wanted -= Counter({"%Ln": "%Ln" not in form})  # “once” instead of “1 times”
            assert placeholders(form) == wanted, text
            assert form == form.strip() or text.source != text.source.strip(), text
            assert form.count("\n") == text.source.count("\n"), text


def test_no_text_counts_by_a_word_in_front_of_an_s() -> None:
    assert not [text for text in all_texts() if "(s)" in text.source and not text.counted]


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_that_are_loaded_are_compiled_from_these(language: str, tmp_path: Path) -> None:
    compiled = tmp_path / "compiled.qm"
    translations.release(translations.ts(language), compiled)
    assert compiled.read_bytes() == translations.qm(language).read_bytes(), "run: python packaging/translations.py"


@pytest.mark.parametrize("language", LANGUAGES)
def test_collecting_again_changes_nothing(language: str, tmp_path: Path) -> None:
    copy = tmp_path / "copy.ts"
    shutil.copy(translations.ts(language), copy)
    translations.update(copy, language)
    assert copy.read_text(encoding="utf-8") == translations.ts(language).read_text(encoding="utf-8")


def test_the_sentences_of_other_rooms_are_known() -> None:
    assert translations.SENTENCES.read_text(encoding="utf-8") == translations.sentences()
    known = templates()
    assert "“{picture}” is empty." in known
    assert "first {common} {noun}; then {cause}" in known
    assert "There is no folder {ref}." in known
    assert "animated: only the first frame is used" in known


NAMES = re.compile("Second Glance|Python|English|Deutsch")
"""What is called the same in all languages, or in its own."""
SEVERAL_WORDS = re.compile(r"[A-Za-z]{2,} [a-z]{2,}|^ [a-z]{2,}")
CAPITAL_WORD = re.compile(r"[A-Z][a-z]{2,}")
SHOWN = frozenset(
    [
        "addAction",
        "addButton",
        "addItem",
        "caption",
        "heading",
        "say",
        "setAccessibleDescription",
        "setAccessibleName",
        "setPlaceholderText",
        "setText",
        "setToolTip",
        "setWindowTitle",
        "QLabel",
        "QPushButton",
    ]
)
NOT_SHOWN = frozenset(
    [
        "tr",
        "translate",
        "QT_TRANSLATE_NOOP",
        "debug",
        "info",
        "warning",
        "error",
        "critical",
        "UserError",
        "ValueError",
        "TypeError",
        "PermissionError",
        "removeprefix",
        "startswith",
    ]
)
NOT_IN = ("probe.py", "crash.py", "logs.py", "theme/", "warm.py")
"""Files whose words are for us, not for users: measurements, reports, style sheets, a text that is never seen."""


def unmarked(node: ast.AST, shown: bool = False) -> Iterator[str]:
    """Yield texts that users see and nobody can translate: capital words in what is shown, several words anywhere."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.Call):
            name = getattr(child.func, "attr", getattr(child.func, "id", ""))
            if name not in NOT_SHOWN:
                yield from unmarked(child, name in SHOWN)
        elif isinstance(child, ast.Constant) and isinstance(child.value, str):
            words = NAMES.sub("", child.value)
            if SEVERAL_WORDS.search(words) or (shown and CAPITAL_WORD.search(words)):
                yield child.value
        elif not (isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant)):
            yield from unmarked(child, shown)


def test_no_text_is_shown_without_a_mark() -> None:
    files = [path for path in sorted(SEEN.rglob("*.py")) if not any(part in path.as_posix() for part in NOT_IN)]
    found = {path.name: list(unmarked(ast.parse(path.read_text(encoding="utf-8")))) for path in files}
    assert {name: texts for name, texts in found.items() if texts} == {"receipt_text.py": ["then the rest is new"]}


@pytest.mark.parametrize(
    "line", ['say("Not so")', 'label.setText("Delete" if many else word)', 'words = f"{size} now"']
)
def test_a_text_without_a_mark_is_found(line: str) -> None:
    assert len(list(unmarked(ast.parse(line)))) == 1


def test_texts_are_found_wherever_they_are_marked() -> None:
    source = (
        "class Row(QWidget):\n"
        "    def show(self):\n"
        "        self.setText(f\"{self.tr('one')} {self.tr('%Ln two', '', number)}\")\n"
        "TABLE = {1: QT_TRANSLATE_NOOP('Table', 'three')}\n"
        "words = translate('Room', 'four' 'five', 'a note', count)\n"
        "shown = translate('Table', TABLE[1])\n"
    )
    assert list(marked(source)) == [
        Text("Row", "one"),
        Text("Row", "%Ln two", counted=True),
        Text("Table", "three"),
        Text("Room", "fourfive", "a note", True),
    ]


@pytest.mark.parametrize("source", ["class A:\n    def f(self): self.tr(words)\n", "translated = tr('text')\n"])
def test_a_text_that_cannot_be_found_is_an_error(source: str) -> None:
    with pytest.raises(ValueError, match="tr needs a class and a text as it is"):
        list(marked(source))
