"""Which editor a setting gets."""

from __future__ import annotations

from typing import Final

from app.settings.fields import FieldInfo
from app.ui.preferences.budget import BudgetEditor
from app.ui.preferences.editors import (
    BoolEditor,
    ChoiceEditor,
    Editor,
    FolderEditor,
    LineEditor,
    MultilineEditor,
    NumberEditor,
    PlaceEditor,
)

_BY_WIDGET: Final[dict[str, type[Editor]]] = {
    "budget": BudgetEditor,
    "folder": PlaceEditor,
    "model": FolderEditor,
    "adapter": FolderEditor,
    "multiline": MultilineEditor,
    "list": MultilineEditor,
}
_BY_TYPE: Final[dict[str, type[Editor]]] = {
    "bool": BoolEditor,
    "choice": ChoiceEditor,
    "int": NumberEditor,
    "float": NumberEditor,
    "list": MultilineEditor,
}


def make_editor(field: FieldInfo) -> Editor:
    """Return the editor for a setting: the one its hint asks for, else the one of its type."""
    return (_BY_WIDGET.get(field.widget) or _BY_TYPE.get(field.type) or LineEditor)(field)
