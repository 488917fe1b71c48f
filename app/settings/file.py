"""The settings file: readable TOML of which the user's comments and unknown entries survive.

Only what differs from the defaults is written, each with its unit, range and default in a comment. What cannot be used
never stops the app: the default is taken, and a sentence says so.
"""

from __future__ import annotations

from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Item

from app.errors import UserError
from app.files import write_atomically
from app.paths import private_folder
from app.settings.declarations import VERSION, Settings
from app.settings.fields import BadSetting, FieldInfo, changed, describe, value_of
from app.settings.migrations import MIGRATIONS, Migration, upgrade, version_of

HEADER = "Settings of Second Glance. What is not here has its default; docs/settings.md lists everything."


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings as they are in force, and one sentence for everything in the file that could not be used."""

    settings: Settings
    notices: tuple[str, ...] = ()


def load(path: Path, version: int = VERSION, migrations: Mapping[int, Migration] = MIGRATIONS) -> LoadedSettings:
    """Read the settings; never raises for what the file holds, and a missing file means defaults."""
    try:
        document = _read(path)
    except UserError as error:
        return LoadedSettings(Settings(), (f"{error} The default settings are used.",))
    notices = []
    if version_of(document) > version:
        notices.append(f"{path.name} was written by a newer version of Second Glance; what is unknown is left alone.")
    else:
        upgrade(document, version, migrations)
    settings = Settings()
    for field, value, problem in _entries(document):
        if field is None:
            notices.append(problem)
            continue
        try:
            settings = changed(settings, field.section, field.key, value)
        except BadSetting as error:
            notices.append(f"{path.name}: {error} The default is used.")
    return LoadedSettings(settings, tuple(notices))


def save(path: Path, settings: Settings) -> None:
    """Write what differs from the defaults and keep the user's comments; a file that is no TOML is kept aside.

    Raises:
        UserError: the file cannot be written.
    """
    try:
        private_folder(path.parent)
        document = _document_to_change(path)
        for field in describe():
            _put(document, field, value_of(settings, field))
        write_atomically(path, tomlkit.dumps(document).encode())
    except OSError as error:
        raise UserError(f"The settings could not be saved: {error}.", str(path)) from error


def as_toml(value: Any) -> str:
    """Return a value as it stands in the file."""
    return _item(value).as_string()


def _read(path: Path) -> tomlkit.TOMLDocument:
    try:
        return tomlkit.parse(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        return tomlkit.document()
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", str(path)) from error
    except (TOMLKitError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is not valid TOML: {error}.", str(path)) from error


def _document_to_change(path: Path) -> tomlkit.TOMLDocument:
    try:
        document = _read(path)
    except UserError:
        path.replace(path.with_suffix(".damaged.toml"))
        document = tomlkit.document()
    if not document:
        document.add(tomlkit.comment(HEADER))
    if version_of(document) <= VERSION:
        upgrade(document, VERSION, MIGRATIONS)
    return document


def _entries(document: tomlkit.TOMLDocument) -> list[tuple[FieldInfo | None, Any, str]]:
    """Every entry of the file with its setting, or with the sentence that there is none."""
    known = {field.name: field for field in describe()}
    entries: list[tuple[FieldInfo | None, Any, str]] = []
    for section, content in document.unwrap().items():
        if section == "version":
            continue
        named = {f"{section}.{key}": value for key, value in content.items()} if isinstance(content, dict) else None
        for name, value in (named if named is not None else {section: content}).items():
            field = known.get(name)
            entries.append((field, value, "" if field else f"There is no setting {name}; it is ignored."))
    return entries


def _put(document: tomlkit.TOMLDocument, field: FieldInfo, value: Any) -> None:
    table = document.get(field.section)
    if value == field.default:
        if isinstance(table, MutableMapping):
            table.pop(field.key, None)
        return
    if not isinstance(table, MutableMapping):
        document[field.section] = tomlkit.table()
        table = document[field.section]
    item = _item(value)
    if table.get(field.key) == item:
        return
    if not isinstance(table, InlineTable):
        item.comment(f"{field.title}: {field.allowed}, default {as_toml(field.default)}")
    table[field.key] = item


def _item(value: Any) -> Item:
    item: Item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
    return item
