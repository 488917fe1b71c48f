"""Settings that a single model has of its own; everything else is as for all models.

A model is named by its reference; what is kept of it is a value by full name, ``generation.temperature``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from app.settings.declarations import Settings
from app.settings.fields import BadSetting, FieldInfo, changed, describe, for_models, value_of

OwnSettings = Mapping[str, Any]


def applied(settings: Settings, own: OwnSettings) -> Settings:
    """Return the settings in force for a model that has ``own``."""
    for name, value in own.items():
        section, key = name.split(".")
        settings = changed(settings, section, key, value)
    return settings


def with_own(settings: Settings, own: OwnSettings, field: FieldInfo, value: Any) -> dict[str, Any]:
    """Return ``own`` with another value; one that is that of all models is kept no longer.

    Raises:
        BadSetting: the value does not fit.
    """
    fitting = value_of(changed(settings, field.section, field.key, value), field)
    others = {name: kept for name, kept in own.items() if name != field.name}
    return others if fitting == value_of(settings, field) else {**others, field.name: fitting}


def read(tables: Any) -> tuple[dict[str, dict[str, Any]], list[str]]:
    """Return what the file's ``models`` table says of each model, and a sentence for all that cannot be used."""
    models: dict[str, dict[str, Any]] = {}
    notices: list[str] = []
    for ref, name, value in _entries(tables):
        try:
            models.setdefault(ref, {})[name] = _fitting(ref, name, value)
        except BadSetting as error:
            notices.append(str(error))
    return {ref: own for ref, own in models.items() if own}, notices


def _fitting(ref: str, name: str, value: Any) -> Any:
    field = next((field for field in for_models() if field.name == name), None)
    if field is not None:
        try:
            return value_of(changed(Settings(), field.section, field.key, value), field)
        except BadSetting as error:
            raise BadSetting(f"For {ref}: {error} The setting for all models is used.", name) from None
    if any(field.name == name for field in describe()):
        raise BadSetting(f"{name} cannot be set for {ref} alone; it is ignored.", name)
    raise BadSetting(f"For {ref}: there is no setting {name}; it is ignored.", name)


def _entries(tables: Any) -> Iterator[tuple[str, str, Any]]:
    """Yield model, full name and value of whatever stands there, tables or not."""
    if not isinstance(tables, dict):
        yield "models", str(tables), None
        return
    for ref, sections in tables.items():
        for section, content in sections.items() if isinstance(sections, dict) else [(str(sections), None)]:
            keys = content.items() if isinstance(content, dict) else [("", content)]
            for key, value in keys:
                yield ref, f"{section}.{key}" if key else section, value
