"""Numbered upgrades of the settings file: each takes the document of version n to n + 1.

A file without a version is of version 1, the first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from tomlkit import TOMLDocument

Migration = Callable[[TOMLDocument], None]

MIGRATIONS: dict[int, Migration] = {}
"""``MIGRATIONS[n]`` changes a document of version n, in place, to version n + 1."""


def upgrade(document: TOMLDocument, version: int, migrations: Mapping[int, Migration]) -> None:
    """Bring ``document`` to ``version``, step by step."""
    for step in range(version_of(document), version):
        migrations[step](document)
    document["version"] = version


def version_of(document: TOMLDocument) -> int:
    """Return the version a document says it has; the first where it says nothing sensible."""
    version = document.get("version", 1)
    return int(version) if isinstance(version, int) and version >= 1 else 1
