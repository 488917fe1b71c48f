"""Messages and pictures for tests of the families."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from PIL.Image import Image

from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import ImageLayout, pixels_digest
from app.inference.types import ImageRef, Message


def reference(image: Image) -> ImageRef:
    """Return the :class:`ImageRef` of an RGB picture."""
    digest = hashlib.sha256(f"{image.size}".encode() + image.tobytes()).hexdigest()
    return ImageRef(digest, image.width, image.height, load=lambda: image)


def unit_digests(adapter: FamilyAdapter) -> Callable[[ImageRef, ImageLayout], Sequence[str]]:
    """Return what the engine uses to name an image's units: tiles by their own pixels, joint units by the image's."""

    def name(ref: ImageRef, layout: ImageLayout) -> Sequence[str]:
        if adapter.tiles == "joint":
            return [ref.digest] * len(layout.units)
        return [pixels_digest(pixels) for pixels in adapter.preprocess(ref.load())]

    return name


def conversation(*images: Image) -> list[Message]:
    """Return a chat whose first message holds all ``images``."""
    return [
        Message("user", "What is in the picture?", tuple(reference(image) for image in images)),
        Message("assistant", "Waves."),
        Message("user", "And what colour are they?"),
    ]
