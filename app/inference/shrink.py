"""Pictures made smaller before a model sees them, where the user limits their size."""

from __future__ import annotations

import hashlib
from dataclasses import replace
from typing import TYPE_CHECKING

import PIL

from app.inference.types import ChatRequest, ImageRef

if TYPE_CHECKING:
    from PIL.Image import Image

LEAST_SIDE = 64
"""Pixels: below this, families cannot be relied on to take a picture at all."""


def shrunk(image: ImageRef, side: int) -> ImageRef:
    """Return ``image`` with its longer side at most ``side`` pixels; 0 for no limit.

    A smaller copy has a digest of its own that follows from the picture, the size and the version of the library that
    resizes: nothing has to be decoded to look it up.
    """
    width, height = shrunk_size(image.width, image.height, side)
    if (width, height) == (image.width, image.height):
        return image

    def load() -> Image:
        from PIL.Image import Resampling

        return image.load().resize((width, height), Resampling.LANCZOS)

    named = f"{image.digest} {width}x{height} lanczos {PIL.__version__}"
    digest = hashlib.sha256(named.encode()).hexdigest()
    return replace(image, digest=digest, width=width, height=height, load=load, shrunk_from=image.source)


def shrunk_size(width: int, height: int, side: int) -> tuple[int, int]:
    """Return the size, in pixels, of a picture whose longer side may have ``side`` pixels; 0 for no limit."""
    longest, side = max(width, height), max(side, LEAST_SIDE) if side else 0
    if not side or longest <= side:
        return width, height
    return max(1, round(width * side / longest)), max(1, round(height * side / longest))


def with_shrunk_images(request: ChatRequest, side: int) -> ChatRequest:
    """Return ``request`` with all its pictures :func:`shrunk`."""
    if not side:
        return request
    messages = (replace(m, images=tuple(shrunk(image, side) for image in m.images)) for m in request.messages)
    return replace(request, messages=tuple(messages))
