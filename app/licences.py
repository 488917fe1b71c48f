"""The licences of the app and of what it is built on, for the About page."""

from __future__ import annotations

import re
from importlib.metadata import Distribution, PackageNotFoundError, distribution
from typing import Final

from app import paths

NAME: Final = "Apache-2.0"
FILE: Final = "third-party-licences.txt"
"""Among the resources of a bundle; made when the bundle is built."""

INSTALLED: Final = """Second Glance is licensed under Apache-2.0.

It was installed from packages, each of which brought its licence: see the folder “licenses” in
each *.dist-info folder beside the app. Qt and PySide6 are used under the LGPL, version 3.

Second Glance asks for these packages:

"""
_DISTRIBUTION: Final = "second-glance"


def own() -> str:
    """Return the licence of Second Glance."""
    try:
        text = distribution(_DISTRIBUTION).read_text("licenses/LICENSE")
    except PackageNotFoundError:
        text = None
    if text:
        return text
    places = (folder / "LICENSE" for folder in paths.resources_dir().parents[:2])
    return next((place.read_text(encoding="utf-8") for place in places if place.is_file()), f"{NAME}\n")


def third_party() -> str:
    """Return the licence texts that came with this bundle, or what an installation is built on and where its are."""
    file = paths.resources_dir() / FILE
    return file.read_text(encoding="utf-8") if file.is_file() else INSTALLED + "\n".join(_direct()) + "\n"


def _direct() -> list[str]:
    """Return the packages that the app asks for, each with its version and the short name of its licence."""
    try:
        wanted = distribution(_DISTRIBUTION).requires or []
    except PackageNotFoundError:
        return []
    names = sorted({re.split(r"[^\w.-]", line, maxsplit=1)[0] for line in wanted if "extra ==" not in line})
    return [_line(found) for name in names if (found := _found(name)) is not None]


def _found(name: str) -> Distribution | None:
    try:
        return distribution(name)
    except PackageNotFoundError:
        return None  # for another platform


def _line(found: Distribution) -> str:
    stated = found.metadata.get_all("License-Expression") or found.metadata.get_all("License") or [""]
    terms = str(stated[0])
    return f"{found.name} {found.version}{f' ({terms})' if terms and len(terms) < 80 else ''}"
