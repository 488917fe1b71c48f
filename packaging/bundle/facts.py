"""What the app is called and what it opens, said once for all platforms."""

from __future__ import annotations

from app import __version__ as VERSION
from app.paths import APP_NAME as PROGRAM

NAME = "Second Glance"
SUMMARY = "Chat with pictures on your own computer"
IDENTIFIER = "org.secondglance.SecondGlance"
"""The bundle id on macOS and the component id on Linux. A fork that publishes its own builds changes it."""

MIME_TYPES = (
    "image/png", "image/jpeg", "image/webp", "image/gif", "image/bmp", "image/tiff", "image/heic", "image/heif",
    "image/avif",
)  # fmt: skip
"""What the window's file dialog offers."""

UNIFORM_TYPES = (
    "public.png", "public.jpeg", "org.webmproject.webp", "com.compuserve.gif", "com.microsoft.bmp", "public.tiff",
    "public.heic", "public.heif", "public.avif",
)  # fmt: skip
"""The same in Apple's words."""

__all__ = ["IDENTIFIER", "MIME_TYPES", "NAME", "PROGRAM", "SUMMARY", "UNIFORM_TYPES", "VERSION"]
