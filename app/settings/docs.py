"""``docs/settings.md``, made from the declarations."""

from __future__ import annotations

from app.settings.fields import FieldInfo, describe, sections
from app.settings.file import as_toml

OPENING = """# Settings

Made by `python -m app settings --docs`; change `app/settings/declarations.py` instead of this page.

The settings file is `settings.toml` in the configuration folder (`python -m app settings` prints where). It holds only
what differs from the defaults; comments in it are kept. A value that does not fit is replaced by its default, and the
app says so.
"""
HEADER = "| Key | Meaning | Allowed | Default | Change |\n|---|---|---|---|---|\n"


def markdown() -> str:
    """Return the page."""
    fields = describe()
    parts = [OPENING]
    for section, model in sections().items():
        rows = [_row(field) for field in fields if field.section == section]
        parts.append(f"## {model.__doc__} `[{section}]`\n\n{HEADER}{''.join(rows)}")
    return "\n".join(parts)


def _row(field: FieldInfo) -> str:
    change = "at once" if field.live else "at the next start"
    meaning = f"**{field.title}.** {field.help}"
    return f"| `{field.key}` | {meaning} | {field.allowed} | `{as_toml(field.default)}` | {change} |\n"
