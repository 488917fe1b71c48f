"""``docs/settings.md``, made from the declarations."""

from __future__ import annotations

from app.settings.fields import FieldInfo, for_app, for_models, sections
from app.settings.file import as_toml

OPENING = """# Settings

Made by `python -m app settings --docs`; change `app/settings/declarations.py` instead of this page.

The settings file is `settings.toml` in the configuration folder (`python -m app settings` prints where). It holds only
what differs from the defaults; comments in it are kept. A value that does not fit is replaced by its default, and the
app says so.
"""
OWN = """## For single models `[models."owner/model".generation]`

A model can have these of its own (“Settings…” in its row of the page of models); what it does not have is as for all
models. The table is named by the model's reference: `demo`, a repository id, or the whole path of a folder. A chat's
own system prompt goes before that of the model.

"""
HEADER = "| Key | Meaning | Allowed | Default | Change |\n|---|---|---|---|---|\n"


def markdown() -> str:
    """Return the page."""
    fields = for_app()
    parts = [OPENING]
    for section, model in sections().items():
        rows = [_row(field) for field in fields if field.section == section]
        parts.append(f"## {model.__doc__} `[{section}]`\n\n{HEADER}{''.join(rows)}")
    own = [_row(field, f"{field.section}.{field.key}") for field in for_models()]
    return "\n".join([*parts, f"{OWN}{HEADER}{''.join(own)}"])


def _row(field: FieldInfo, key: str = "") -> str:
    meaning = f"**{field.title}.** {field.help}"
    default = as_toml(field.default)
    return f"| `{key or field.key}` | {meaning} | {field.allowed} | `{default}` | {field.takes_hold} |\n"
