"""What a drop or a paste holds: pictures in any of the ways that programs hand them over.

Bytes are read here and now, inside the drop: the floating thumbnail of a macOS screenshot hands over a path that is
gone a moment later.
"""

from __future__ import annotations

import base64
import binascii
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Final

from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QMimeData, QUrl
from PySide6.QtGui import QImage, QImageWriter

from app.ui.translation import translate
from app.ui.units import size as size_in_words

LARGEST_FILE: Final = 256 * 1024 * 1024
_UNCOMPRESSED: Final = 100
_ENCODED_FORMATS: Final = (
    "image/png",
    "image/jpeg",
    "image/webp",
    "image/avif",
    "image/heic",
    "image/gif",
    "image/tiff",
)
_TEMPORARY: Final = ("/tmp", "/private/tmp", "/var/folders", "/private/var/folders", tempfile.gettempdir())


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture as it was handed over: the bytes of a file, or pixels."""

    source: bytes | QImage
    name: str

    def encoded(self) -> bytes:
        """Return it as an encoded file; pixels become an uncompressed PNG, which takes a while for large ones."""
        if isinstance(self.source, bytes):
            return self.source
        buffer = QBuffer()
        buffer.open(QIODevice.OpenModeFlag.WriteOnly)
        _write(QImageWriter(buffer, QByteArray(b"png")), self.source)  # the writer goes before the buffer does
        return bytes(buffer.data().data())


def _write(writer: QImageWriter, image: QImage) -> None:
    writer.setQuality(_UNCOMPRESSED)
    writer.write(image)


@dataclass(frozen=True, slots=True)
class Refusal:
    """Something that cannot be attached, and why, as a sentence."""

    name: str
    reason: str


Found = Picture | Refusal


def offers_pictures(mime: QMimeData) -> bool:
    """Return whether ``mime`` holds something to attach, without reading it.

    A rendering that comes along with text, as word processors copy it, does not count: the text is meant.
    """
    if _local_files(mime):
        return True
    page = _Page.of(mime)
    if page.text.strip():
        return False
    return _has_image_data(mime) or any(_is_readable(source) for source in page.images)


def why_not(mime: QMimeData) -> str:
    """Return why there is nothing to attach in ``mime``, as a sentence."""
    if mime.hasUrls():
        return translate(
            "Mime",
            "Only pictures from this computer can be attached. Save the picture first, or copy the picture itself.",
        )
    return translate("Mime", "Only pictures can be attached here.")


def pasted() -> str:
    """Return what a picture without a name is called."""
    return translate("Mime", "pasted image")


def read_pictures(mime: QMimeData) -> list[Found]:
    """Read everything there is to attach, each picture once, in the order given."""
    files = _local_files(mime)
    if len(files) == 1 and _has_image_data(mime):
        return [_file_or_data(files[0], mime)]
    if files:
        return [read_file(path) for path in files]
    if _has_image_data(mime):
        return [_image_data(mime, pasted())]
    return [_html_image(source) for source in _Page.of(mime).images if _is_readable(source)]


def read_file(path: Path) -> Found:
    """Read a file, or say why that is not possible."""
    name = path.name or str(path)
    try:
        if path.is_dir():
            return _refusal(name, translate("Mime", "“{name}” is a folder. Add the pictures inside it."))
        size = path.stat().st_size
        if size > LARGEST_FILE:
            words = translate("Mime", "“{name}” has {size}; files up to {most} can be attached.")
            return _refusal(name, words, size=size_in_words(size), most=size_in_words(LARGEST_FILE))
        return Picture(path.read_bytes(), name)
    except FileNotFoundError:
        return _refusal(name, translate("Mime", "“{name}” is no longer there. Add it again from where it is now."))
    except OSError as error:
        words = translate("Mime", "“{name}” could not be read: {reason}.")
        return _refusal(name, words, reason=str(error.strerror or error))


def _refusal(name: str, words: str, **values: str) -> Refusal:
    return Refusal(name, words.format(name=name, **values))


def _file_or_data(path: Path, mime: QMimeData) -> Found:
    """Prefer the file, except in a temporary folder, where it may be gone before it has been read."""
    if _is_temporary(path):
        return _image_data(mime, path.name)
    found = read_file(path)
    return found if isinstance(found, Picture) else _image_data(mime, path.name)


def _is_temporary(path: Path) -> bool:
    return "TemporaryItems" in path.parts or any(path.is_relative_to(folder) for folder in _TEMPORARY)


def _local_files(mime: QMimeData) -> list[Path]:
    files = [Path(url.toLocalFile()) for url in mime.urls() if url.isLocalFile()]
    return list(dict.fromkeys(files))


def _has_image_data(mime: QMimeData) -> bool:
    return mime.hasImage() or any(mime.hasFormat(kind) for kind in _ENCODED_FORMATS)


def _image_data(mime: QMimeData, name: str) -> Found:
    """Return encoded bytes where the other program offers them: reading those costs nothing on this thread."""
    for kind in _ENCODED_FORMATS:
        if mime.hasFormat(kind) and (data := bytes(mime.data(kind).data())):
            return Picture(data, name)
    image = mime.imageData()
    if isinstance(image, QImage) and not image.isNull():
        return Picture(image, name)
    words = translate(
        "Mime", "The other program offered a picture but did not hand it over. Save it as a file and add that."
    )
    return Refusal(name, words)


def _is_readable(source: str) -> bool:
    return source.startswith("data:image/") or QUrl(source).isLocalFile()


def _html_image(source: str) -> Found:
    if not source.startswith("data:"):
        return read_file(Path(QUrl(source).toLocalFile()))
    head, _, data = source.partition(",")
    try:
        if not head.endswith(";base64"):
            words = translate("Mime", "The picture in the copied page is in a form that cannot be read. Copy it alone.")
            return Refusal(pasted(), words)
        return Picture(base64.b64decode(data, validate=False), pasted())
    except binascii.Error:
        words = translate("Mime", "The picture in the copied page is damaged. Copy the picture itself.")
        return Refusal(pasted(), words)


class _Page(HTMLParser):
    """The addresses of the pictures and the visible words of a piece of HTML."""

    def __init__(self) -> None:
        super().__init__()
        self.images: list[str] = []
        self.text = ""
        self._hidden = 0

    @classmethod
    def of(cls, mime: QMimeData) -> _Page:
        page = cls()
        if mime.hasHtml():
            page.feed(mime.html())
            page.images = list(dict.fromkeys(page.images))
        return page

    def handle_starttag(self, tag: str, attrs: Iterable[tuple[str, str | None]]) -> None:
        if tag == "img":
            self.images.extend(value for name, value in attrs if name == "src" and value)
        self._hidden += tag in ("style", "script", "title")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("style", "script", "title")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.text += data
