"""The declarations as plain descriptions, and changing one value with an explanation when it does not fit."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal, cast, get_args, get_origin

from annotated_types import Ge, Le
from pydantic import ValidationError
from pydantic.fields import FieldInfo as Declaration

from app.errors import UserError
from app.settings.declarations import Scope, Section, Settings

FieldType = Literal["bool", "int", "float", "text", "choice", "list"]
TYPES: dict[object, FieldType] = {bool: "bool", int: "int", float: "float", str: "text"}


class BadSetting(UserError):
    """A value does not fit its setting; ``subject`` is ``section.key``."""


@dataclass(frozen=True, slots=True)
class FieldInfo:
    """One setting, as the dialog, the file and the documentation show it.

    Attributes:
        section: name in the file, for example ``caches``.
        key: name inside the section.
        title: label.
        help: one or two sentences.
        unit: ``MB``, ``GB``, ``tokens``, ``pixels``, ``days``, ``%``, ``bits`` or empty.
        type: kind of value.
        default: value where nothing is set.
        minimum, maximum: inclusive range of numbers, else ``None``.
        choices: allowed values of a ``choice``.
        live: whether a change takes hold at once; otherwise see :attr:`takes_hold`.
        widget: hint for the dialog: ``budget``, ``folder``, ``model``, ``adapter``, ``multiline``, ``list`` or empty.
        scope: whether it can be made for all models, for single ones, or for either.
    """

    section: str
    key: str
    title: str
    help: str
    unit: str
    type: FieldType
    default: Any
    minimum: float | None
    maximum: float | None
    choices: tuple[Any, ...]
    live: bool
    widget: str = ""
    scope: Scope = "app"

    @property
    def name(self) -> str:
        """The full name, ``section.key``."""
        return f"{self.section}.{self.key}"

    @property
    def allowed(self) -> str:
        """What may be written, in words: ``0 to 100 MB``, ``system, light or dark``."""
        unit = f" {self.unit}" if self.unit else ""
        if self.choices:
            return _either(self.choices) + unit
        if self.minimum is not None and self.maximum is not None:
            return f"{_plain(self.minimum)} to {_plain(self.maximum)}{unit}"
        return {"bool": "true or false", "list": "a list of texts"}.get(self.type, "a text")

    @property
    def takes_hold(self) -> str:
        """When a change is in force: ``at once``, ``at the next start``."""
        if self.live:
            return "at once"
        return "when the model is loaded next" if self.scope == "model" else "at the next start"


def for_app() -> list[FieldInfo]:
    """Return the settings that can be made for all models."""
    return [field for field in describe() if field.scope != "model"]


def for_models() -> list[FieldInfo]:
    """Return the settings that a single model can have of its own."""
    return [field for field in describe() if field.scope != "app"]


def describe() -> list[FieldInfo]:
    """Return all settings in the order of their declaration."""
    return [
        _info(section, key, declaration)
        for section, model in sections().items()
        for key, declaration in model.model_fields.items()
    ]


def sections() -> dict[str, type[Section]]:
    """Return the sections by their name in the file; the docstring of each is its title."""
    return {name: type(field.default) for name, field in Settings.model_fields.items()}


def value_of(settings: Settings, field: FieldInfo) -> Any:
    """Return the present value of one setting."""
    return getattr(getattr(settings, field.section), field.key)


def changed(settings: Settings, section: str, key: str, value: Any) -> Settings:
    """Return a copy with one value replaced.

    Raises:
        BadSetting: the value does not fit; the message says what would.
        KeyError: there is no such setting.
    """
    field = next((f for f in describe() if (f.section, f.key) == (section, key)), None)
    if field is None:
        raise KeyError(f"{section}.{key}")
    part: Section = getattr(settings, section)
    if isinstance(value, list):
        value = tuple(value)
    try:
        fresh = type(part).model_validate({**part.model_dump(), key: value})
    except ValidationError:
        raise BadSetting(f"{field.title} must be {field.allowed}, not {value!r}.", field.name) from None
    return settings.model_copy(update={section: fresh})


def differences(old: Settings, new: Settings) -> Iterator[FieldInfo]:
    """Yield the settings whose value differs."""
    return (field for field in describe() if value_of(old, field) != value_of(new, field))


def _info(section: str, key: str, declaration: Declaration) -> FieldInfo:
    annotation = declaration.annotation
    choices = get_args(annotation) if get_origin(annotation) is Literal else ()
    kind: FieldType = "choice" if choices else TYPES.get(annotation, "list")
    extra = declaration.json_schema_extra
    assert isinstance(extra, dict)
    return FieldInfo(
        section=section,
        key=key,
        title=declaration.title or key,
        help=declaration.description or "",
        unit=str(extra["unit"]),
        type=kind,
        default=declaration.default,
        minimum=_bound(declaration.metadata, Ge, "ge"),
        maximum=_bound(declaration.metadata, Le, "le"),
        choices=choices,
        live=bool(extra["live"]),
        widget=str(extra["widget"]),
        scope=cast("Scope", extra["scope"]),
    )


def _bound(metadata: Sequence[object], kind: type, name: str) -> float | None:
    return next((getattr(limit, name) for limit in metadata if isinstance(limit, kind)), None)


def _either(choices: Sequence[Any]) -> str:
    words = [str(choice) for choice in choices]
    return " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]


def _plain(number: float) -> str:
    return f"{number:g}" if isinstance(number, float) else str(number)
