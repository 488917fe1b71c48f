"""Where the disk cache lives: showing the folder in the file manager, and what its volume has left."""

from __future__ import annotations

from pathlib import Path

from PySide6.QtCore import QUrl
from PySide6.QtGui import QDesktopServices

from app.files import free_bytes
from app.ui.messages.words import listed
from app.ui.translation import translate
from app.ui.units import size


def existing(folder: Path) -> Path:
    """Return ``folder``, or the nearest folder above it that is there: it is made when first used."""
    return next((place for place in (folder, *folder.parents) if place.is_dir()), Path(folder.anchor or "."))


def show_folder(folder: Path) -> bool:
    """Open the folder in the platform's file manager; ``False`` where that cannot be done."""
    return QDesktopServices.openUrl(QUrl.fromLocalFile(str(existing(folder))))


def place_words(folder: Path, used_bytes: int | None) -> str:
    """Return where the cache is, what it takes and what is free: ``/data/ssd. 1.2 GB used, 80 GB free.``"""
    try:
        free = translate("Place", "{size} free on this volume").format(size=size(free_bytes(folder)))
    except OSError as error:
        free = error.strerror or str(error)
    used = [] if used_bytes is None else [translate("Place", "{size} used").format(size=size(used_bytes))]
    return translate("Place", "{folder}. {room}.").format(folder=folder, room=listed([*used, free]))
