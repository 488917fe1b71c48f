"""What can be said about a value beyond its type and range, before it is put into force."""

from __future__ import annotations

import tempfile
from pathlib import Path
from typing import Any

from app.settings.fields import FieldInfo
from app.ui.preferences.words import whole_path
from app.ui.translation import translate


def problem(field: FieldInfo, value: Any) -> str:
    """Return why a value of the right type will not work, as a sentence; empty if nothing speaks against it."""
    if field.widget == "folder" and value:
        return _folder_problem(Path(value).expanduser())
    return _adapter_problem(Path(value).expanduser()) if field.widget == "adapter" and value else ""


def _adapter_problem(folder: Path) -> str:
    if not folder.is_absolute():
        return whole_path()
    words = translate("Checks", "{folder} has no adapter_config.json.").format(folder=folder)
    return "" if (folder / "adapter_config.json").is_file() else words


def _folder_problem(folder: Path) -> str:
    if not folder.is_absolute():
        return whole_path()
    existing = next(parent for parent in (folder, *folder.parents) if parent.exists())
    if not existing.is_dir():
        return translate("Checks", "{path} is a file, not a folder.").format(path=existing)
    try:
        tempfile.TemporaryFile(dir=existing).close()
    except OSError as error:
        words = translate("Checks", "{folder} cannot be written ({reason}). Choose another folder.")
        return words.format(folder=existing, reason=error.strerror)
    return ""
