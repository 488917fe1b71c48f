"""The words of the settings, which are declared in English in a room without Qt, in the language of the window."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QLocale

from app.settings.declarations import Section
from app.settings.fields import FieldInfo
from app.ui.translation import translate


def in_words(field: FieldInfo) -> FieldInfo:
    """Return a setting with title, help and unit as they are shown."""
    title, words, unit = (translate("Settings", text) if text else "" for text in (field.title, field.help, field.unit))
    return replace(field, title=title, help=words, unit=unit)


def title_of(section: type[Section]) -> str:
    """Return what a section is called."""
    return translate("Settings", section.__doc__ or "")


def choice_in_words(choice: object) -> str:
    """Return what a choice is called in the dialog; numbers are shown as they are."""
    return {
        "system": translate("Choices", "As the system"),
        "light": translate("Choices", "Light"),
        "dark": translate("Choices", "Dark"),
        "en": "English",
        "de": "Deutsch",
        "zh_CN": "简体中文",
        "memory": translate("Choices", "Whole prompts, by memory"),
        "paged": translate("Choices", "Shared blocks"),
        "simple": translate("Choices", "Whole prompts, by number"),
        "debug": translate("Choices", "Debug"),
        "info": translate("Choices", "Info"),
        "warning": translate("Choices", "Warnings only"),
    }.get(str(choice), str(choice))


def number_in_words(number: float) -> str:
    """Return a number without separators of thousands, with the language's decimal point."""
    return f"{number:g}".replace(".", QLocale().decimalPoint()) if isinstance(number, float) else str(number)


def misfit(field: FieldInfo, value: Any) -> str:
    """Return why a value does not fit a setting, where the setting itself refused it."""
    words = translate("Choices", "{title} must be {allowed}, not “{value}”.")
    given = number_in_words(value) if isinstance(value, float) else value
    return words.format(title=field.title, allowed=_allowed(field), value=given)


def _allowed(field: FieldInfo) -> str:
    if field.minimum is None or field.maximum is None:
        return field.allowed
    low, high = number_in_words(field.minimum), number_in_words(field.maximum)
    return translate("Choices", "{least} to {most}").format(least=low, most=f"{high} {field.unit}".strip())


def whole_path() -> str:
    """Return what is asked for where a path has no beginning."""
    return translate("Choices", "Give the whole path of the folder.")
