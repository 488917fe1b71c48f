"""The licences of what the app is built on, for the About page."""

from __future__ import annotations

from typing import Final

from app import paths

FILE: Final = "third-party-licences.txt"
"""Among the resources of a bundle; made when the bundle is built."""

INSTALLED: Final = """Second Glance is licensed under Apache-2.0.

It was installed from packages, each of which brought its licence: see the folder “licenses” in each *.dist-info folder
beside the app. Qt and PySide6 are used under the LGPL, version 3.
"""


def third_party() -> str:
    """Return the licence texts that came with this bundle, or where an installation keeps them."""
    file = paths.resources_dir() / FILE
    return file.read_text(encoding="utf-8") if file.is_file() else INSTALLED
