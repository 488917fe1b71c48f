"""``settings``: where the settings file is and what is in force; ``--docs`` prints the reference page."""

from __future__ import annotations

import argparse
from typing import Any

from app import paths
from app.cli import config
from app.settings.docs import markdown
from app.settings.fields import for_app, value_of
from app.settings.file import as_toml


def add_to(commands: Any) -> None:
    """Declare the command."""
    command = commands.add_parser("settings", help="show the settings in force")
    command.add_argument("--docs", action="store_true", help="print docs/settings.md")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Print the page, or every setting with its present value."""
    if arguments.docs:
        print(markdown(), end="")
        return
    settings = config.load_settings()
    print(f"# {paths.settings_file()}")
    for field in for_app():
        print(f"{field.name} = {as_toml(value_of(settings, field))}")
