"""Every setting does something: its key is read where the app acts, beside its section."""

from __future__ import annotations

import ast
from functools import cache
from pathlib import Path

import pytest

from app.settings.fields import FieldInfo, describe

APP = Path(__file__).parents[2] / "app"
CONVERSION = APP / "settings" / "convert.py"
"""The one file of app/settings that reads values instead of describing them."""
BESIDE: dict[str, str] = {}
"""Settings that are read where their section is not named: full name to file, with a reason each. None at present."""


@cache
def attributes_read() -> dict[str, frozenset[str]]:
    """Return the names after a dot that each file reads."""
    files = [file for file in APP.rglob("*.py") if APP / "settings" not in file.parents] + [CONVERSION]
    return {str(file.relative_to(APP)): _attributes(file) for file in files}


def _attributes(file: Path) -> frozenset[str]:
    nodes = ast.walk(ast.parse(file.read_text(encoding="utf-8")))
    return frozenset(n.attr for n in nodes if isinstance(n, ast.Attribute) and isinstance(n.ctx, ast.Load))


def is_read(section: str, key: str) -> bool:
    beside = BESIDE.get(f"{section}.{key}")
    return any(key in names and (section in names or file == beside) for file, names in attributes_read().items())


@pytest.mark.parametrize("field", describe(), ids=lambda field: field.name)
def test_the_setting_is_read_somewhere(field: FieldInfo) -> None:
    assert is_read(field.section, field.key), f"nothing reads {field.name}: use it, or do not offer it"


def test_a_setting_that_nothing_reads_would_be_found() -> None:
    assert not is_read("general", "language")
    assert not is_read("appearance", "prefix_mb"), "another section's key does not count"
