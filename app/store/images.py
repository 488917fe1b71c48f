"""Attachments by content: each picture is kept once, as lossless PNG under the digest of its pixels.

The file the user dropped may vanish. Pictures of incognito chats stay in memory.
"""

from __future__ import annotations

import io
import os
import threading
import time
from collections import OrderedDict
from collections.abc import Iterator, Set
from contextlib import contextmanager
from pathlib import Path

from PIL import Image

from app.cache.pixels import NormalisedImage, normalise
from app.errors import ImageRefused, UserError
from app.files import write_atomically
from app.paths import private_folder
from app.store.records import StoredImage

PASTED = "pasted image"
FAST_COMPRESSION = 1
THUMBNAILS_KEPT = 512
GRACE_SECONDS = 3600.0
DIGEST_LENGTH = 64

Source = bytes | Path | Image.Image


class ImageStore:
    """Pictures in ``folder``, each in ``<first two digits>/<digest>.png``, readable by the user alone.

    Safe from any thread.
    """

    def __init__(self, folder: Path) -> None:
        self._folder = private_folder(folder)
        self._lock = threading.Lock()
        self._temporary: dict[str, Image.Image] = {}
        self._thumbnails: OrderedDict[tuple[str, int], bytes] = OrderedDict()

    def add(self, source: Source, name: str = PASTED) -> StoredImage:
        """Keep a picture and return its record; equal pixels are kept once, whatever the files were called.

        Raises:
            ImageRefused: the picture cannot be used; the message says why.
            UserError: the data folder cannot be written.
        """
        picture = normalise(source, name)
        target = self.path(picture.digest)
        try:
            if target.exists():
                os.utime(target)  # in use from now on, should anybody collect what is not
            else:
                private_folder(target.parent)
                write_atomically(target, _encoded(picture.image))
        except OSError as error:
            raise UserError(f"{name} could not be kept: {error.strerror or error}.", name) from error
        return _record(picture)

    def add_temporary(self, source: Source, name: str = PASTED) -> StoredImage:
        """Keep a picture in memory only, until :meth:`forget_temporary` or the end of the process.

        Raises:
            ImageRefused: the picture cannot be used; the message says why.
        """
        picture = normalise(source, name)
        with self._lock:
            self._temporary[picture.digest] = picture.image
        return _record(picture)

    def forget_temporary(self, used: Set[str] = frozenset()) -> Set[str]:
        """Let go of the pictures of incognito chats that are not ``used`` any more, with their thumbnails.

        Returns:
            The digests of those that went.
        """
        with self._lock:
            gone = self._temporary.keys() - used
            for key in [key for key in self._thumbnails if key[0] in gone]:
                del self._thumbnails[key]
            for digest in gone:
                del self._temporary[digest]
        return gone

    def path(self, digest: str) -> Path:
        """Return where the picture is kept, or would be.

        Raises:
            ValueError: ``digest`` is no hex SHA-256, as could come from an imported file.
        """
        if len(digest) != DIGEST_LENGTH or not set(digest) <= set("0123456789abcdef"):
            raise ValueError(f"not a digest: {digest!r}")
        return self._folder / digest[:2] / f"{digest}.png"

    def __contains__(self, digest: str) -> bool:
        with self._lock:
            if digest in self._temporary:
                return True
        return self.path(digest).exists()

    def open(self, digest: str) -> Image.Image:
        """Return the normalised RGB picture, decoded.

        Raises:
            ImageRefused: its file is gone or damaged.
        """
        with self._lock:
            if digest in self._temporary:
                return self._temporary[digest].copy()
        file = self.path(digest)
        with _in_words(digest), Image.open(file) as picture:
            return picture.convert("RGB")

    def png(self, digest: str) -> bytes:
        """Return the picture as a PNG file, whose checksums are looked at: that is quicker than decoding it.

        Raises:
            ImageRefused: its file is gone or damaged.
        """
        with self._lock:
            temporary = self._temporary.get(digest)
        if temporary is not None:
            return _encoded(temporary)
        file = self.path(digest)
        with _in_words(digest):
            content = file.read_bytes()
            with Image.open(io.BytesIO(content)) as picture:
                picture.verify()
        return content

    def thumbnail(self, digest: str, px: int) -> bytes:
        """Return a PNG of the picture that fits ``px`` by ``px`` pixels.

        Raises:
            ImageRefused: its file is gone or damaged.
        """
        with self._lock:
            if (digest, px) in self._thumbnails:
                self._thumbnails.move_to_end((digest, px))
                return self._thumbnails[digest, px]
        picture = self.open(digest)
        picture.thumbnail((px, px), Image.Resampling.LANCZOS, reducing_gap=2.0)
        encoded = _encoded(picture)
        with self._lock:
            self._thumbnails[digest, px] = encoded
            if len(self._thumbnails) > THUMBNAILS_KEPT:
                self._thumbnails.popitem(last=False)
        return encoded

    def collect(self, used: Set[str], grace_seconds: float = GRACE_SECONDS) -> int:
        """Remove the pictures that are not ``used`` and return how many those were.

        Younger ones stay for ``grace_seconds``: a picture is kept before the message that will refer to it. What a
        crash left of unfinished writes goes too.
        """
        before = time.time() - grace_seconds
        removed = 0
        for file in self._folder.glob("*/*"):
            if file.stem not in used and file.stat().st_mtime <= before:
                file.unlink(missing_ok=True)
                removed += file.suffix == ".png"
        return removed


@contextmanager
def _in_words(digest: str) -> Iterator[None]:
    try:
        yield
    except FileNotFoundError as error:
        raise ImageRefused("A picture of this chat is gone from the data folder. Add it again.", digest) from error
    except (OSError, SyntaxError, ValueError) as error:
        raise ImageRefused(f"A picture of this chat is damaged ({error}). Add it again.", digest) from error


def _record(picture: NormalisedImage) -> StoredImage:
    return StoredImage(picture.digest, picture.width, picture.height, picture.name, tuple(picture.notes))


def _encoded(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG", compress_level=FAST_COMPRESSION)
    return buffer.getvalue()
