"""The settings file: readable TOML of which the user's comments and unknown entries survive.

Only what differs from the defaults is written, each with its unit, range and default in a comment. What cannot be used
never stops the app: the default is taken, and a sentence says so. What a model has of its own stands in a table of its
own, ``[models."owner/model".generation]``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, MutableMapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError
from tomlkit.items import InlineTable, Item

from app.errors import UserError
from app.files import write_atomically
from app.paths import private_folder
from app.settings import per_model
from app.settings.declarations import VERSION, Settings
from app.settings.fields import BadSetting, FieldInfo, changed, for_app, for_models, value_of
from app.settings.migrations import MIGRATIONS, Migration, upgrade, version_of

MODELS = "models"
HEADER = "Settings of Second Glance. What is not here has its default; docs/settings.md lists everything."


@dataclass(frozen=True, slots=True)
class LoadedSettings:
    """Settings as they are in force, and one sentence for everything in the file that could not be used.

    ``models`` holds what single models have of their own, by reference, see :mod:`app.settings.per_model`.
    """

    settings: Settings
    notices: tuple[str, ...] = ()
    models: dict[str, dict[str, Any]] = field(default_factory=dict)


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
    for known, value, problem in _entries(document):
        if known is None:
            notices.append(problem)
            continue
        try:
            settings = changed(settings, known.section, known.key, value)
        except BadSetting as error:
            notices.append(f"{path.name}: {error} The default is used.")
    models, problems = per_model.read(document.unwrap().get(MODELS, {}))
    notices += (f"{path.name}: {problem}" for problem in problems)
    return LoadedSettings(settings, tuple(notices), models)


def save(path: Path, settings: Settings) -> None:
    """Write what differs from the defaults and keep the user's comments; a file that is no TOML is kept aside.

    Raises:
        UserError: the file cannot be written.
    """
    with _changing(path) as document:
        for known in for_app():
            value = value_of(settings, known)
            _put(document, known, None if value == known.default else value)


def save_model(path: Path, ref: str, own: per_model.OwnSettings) -> None:
    """Write what the model ``ref`` has of its own, and nothing else.

    Raises:
        UserError: the file cannot be written.
    """
    with _changing(path) as document:
        model = _table(_table(document, MODELS), ref)
        for known in for_models():
            _put(model, known, own.get(known.name))
        _prune(document, MODELS, ref)


def as_toml(value: Any) -> str:
    """Return a value as it stands in the file."""
    return _item(value).as_string()


@contextmanager
def _changing(path: Path) -> Iterator[tomlkit.TOMLDocument]:
    try:
        private_folder(path.parent)
        document = _document_to_change(path)
        yield document
        write_atomically(path, tomlkit.dumps(document).encode())
    except OSError as error:
        raise UserError(f"The settings could not be saved: {error}.", str(path)) from error


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
    known = {known.name: known for known in for_app()}
    entries: list[tuple[FieldInfo | None, Any, str]] = []
    for section, content in document.unwrap().items():
        if section in ("version", MODELS):
            continue
        named = {f"{section}.{key}": value for key, value in content.items()} if isinstance(content, dict) else None
        for name, value in (named if named is not None else {section: content}).items():
            found = known.get(name)
            entries.append((found, value, "" if found else f"There is no setting {name}; it is ignored."))
    return entries


def _put(document: MutableMapping[str, Any], known: FieldInfo, value: Any) -> None:
    """Write a value into the table of its section; ``None`` takes it out."""
    table = document.get(known.section)
    if value is None:
        if isinstance(table, MutableMapping):
            table.pop(known.key, None)
        return
    table = _table(document, known.section)
    item = _item(value)
    if table.get(known.key) == item:
        return
    if not isinstance(table, InlineTable):
        item.comment(f"{known.title}: {known.allowed}, default {as_toml(known.default)}")
    table[known.key] = item


def _table(document: MutableMapping[str, Any], name: str) -> MutableMapping[str, Any]:
    """Return the table ``name``, made if need be; what stands there and is none goes."""
    if not isinstance(document.get(name), MutableMapping):
        document[name] = tomlkit.table()
    table: MutableMapping[str, Any] = document[name]
    return table


def _prune(document: MutableMapping[str, Any], *path: str) -> None:
    """Take out the tables of ``path`` that hold nothing any more, and the empty ones in the last of them."""
    if path:
        _prune(document[path[0]], *path[1:])
    for name in [name for name, inner in document.items() if isinstance(inner, MutableMapping) and not inner]:
        if not path or name == path[0]:
            del document[name]


def _item(value: Any) -> Item:
    item: Item = tomlkit.item(list(value) if isinstance(value, tuple) else value)
    return item
