"""The one place where pictures are decoded: any file becomes upright, opaque, 8-bit RGB, and gets its content digest.

Preview, model input and cache key all use these pixels. A picture that cannot be decoded whole is refused with its
name and the reason; it is never replaced by a guess, and its name is never a key.
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
import stat
import threading
import warnings
from collections import OrderedDict
from collections.abc import Iterable
from dataclasses import dataclass
from os import PathLike, fspath
from pathlib import Path
from typing import TYPE_CHECKING, cast

from app.errors import ImageRefused

if TYPE_CHECKING:
    from PIL.Image import Image

MAX_PIXELS = 200_000_000
ONE_FRAME = "animated: only the first frame is used"
ONE_PAGE = "only the first of {count} pages is used"
ONE_OF_SEVERAL = "only the first of {count} pictures in the file is used"
_ANIMATED = ("GIF", "PNG", "WEBP", "AVIF")
_WHITE = (255, 255, 255, 255)
_HEIF_BRANDS = (b"ftyphei", b"ftyphev", b"ftypmif1", b"ftypmsf1", b"ftypavif", b"ftypavis")
_KNOWN_LIMIT = 4096
_FORMATS = ("PNG", "JPEG", "WEBP", "GIF", "BMP", "DIB", "TIFF", "HEIF", "AVIF", "JPEG2000", "ICO", "ICNS", "PPM", "TGA")
"""What is decoded. Others are not even tried: Pillow hands EPS to another program, for one."""


@dataclass(frozen=True, slots=True)
class NormalisedImage:
    """A decoded picture.

    Attributes:
        image: RGB, 8 bits per channel, upright, opaque.
        digest: hex SHA-256 over mode, width, height and pixels.
        width: pixels.
        height: pixels.
        name: what the user calls it.
        notes: what was decided on the way, in words.
    """

    image: Image
    digest: str
    width: int
    height: int
    name: str
    notes: tuple[str, ...] = ()


def normalise(source: str | PathLike[str] | bytes | Image, name: str = "") -> NormalisedImage:
    """Decode ``source`` (a path, the bytes of a file, a ``data:`` URI or a Pillow image).

    Raises:
        ImageRefused: it cannot be read or decoded whole, or is too large; the message names it and says why.
    """
    shown = printable(name or _name_of(source))
    picture = cast("Image", source) if _is_picture(source) else _opened(_bytes_of(source, shown), shown)
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return _normalised(picture, shown)
    except ImageRefused:
        raise
    except Exception as error:
        raise refused(shown, f"is damaged and cannot be shown whole ({_short(error)})") from error


def digest_pixels(image: Image) -> str:
    """Return the hex SHA-256 over mode, width, height and pixels: 6×4 and 4×6 from the same bytes differ."""
    hasher = hashlib.sha256(f"{image.mode}|{image.width}|{image.height}|".encode())
    hasher.update(image.tobytes())
    return hasher.hexdigest()


def compute_image_hash(source: str | PathLike[str] | bytes | Image) -> str:
    """Return the content digest of a picture: full hex SHA-256 of its normalised pixels.

    Raises:
        ImageRefused: the picture cannot be decoded; there is never a hash of its name.
    """
    if _is_picture(source):
        return normalise(source).digest
    name = printable(_name_of(source))
    content = _bytes_of(source, name)
    key = hashlib.sha256(content).hexdigest()
    digest = _known.get(key)
    if digest is None:
        digest = normalise(content, name).digest
        _known.put(key, digest)
    return digest


def compute_images_hash(images: Iterable[str | PathLike[str] | bytes | Image]) -> str:
    """Return one digest for a list of pictures; their order matters.

    Raises:
        ImageRefused: one of them cannot be decoded.
    """
    return hashlib.sha256("|".join(compute_image_hash(image) for image in images).encode()).hexdigest()


def refused(name: str, reason: str) -> ImageRefused:
    """Return the error for one picture, in a sentence."""
    return ImageRefused(f"“{name}” {reason}.", subject=name)


def printable(name: str) -> str:
    """Return ``name`` without characters that cannot be written (undecodable bytes of a file name, controls)."""
    clean = name.encode("utf-8", "replace").decode("utf-8")
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in clean) or "image"


class _Known:
    """Digests by the hash of the file's bytes, so that a known file is not decoded to be recognised."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._digests: OrderedDict[str, str] = OrderedDict()

    def get(self, key: str) -> str | None:
        with self._lock:
            return self._digests.get(key)

    def put(self, key: str, digest: str) -> None:
        with self._lock:
            self._digests[key] = digest
            if len(self._digests) > _KNOWN_LIMIT:
                self._digests.popitem(last=False)


_known = _Known()


# -- reading -----------------------------------------------------------------------------------------------------------


def _is_picture(source: object) -> bool:
    return hasattr(source, "tobytes") and hasattr(source, "getexif")


def _name_of(source: object) -> str:
    if isinstance(source, str) and source.startswith("data:"):
        return "pasted image"
    if isinstance(source, (str, PathLike)):
        return Path(fspath(source)).name
    return "image"


def _bytes_of(source: object, name: str) -> bytes:
    if isinstance(source, (bytes, bytearray, memoryview)):
        content = bytes(source)
    elif isinstance(source, str) and source.startswith("data:"):
        content = _decoded(source, name)
    elif isinstance(source, (str, PathLike)):
        content = _read(Path(fspath(source)), name)
    else:
        raise refused(name, f"is a {type(source).__name__}, not a picture")
    if not content:
        raise refused(name, "is empty")
    return content


def _read(path: Path, name: str) -> bytes:
    try:
        if not stat.S_ISREG(path.stat().st_mode):  # reading a pipe or a device could go on for ever
            raise refused(name, "is not a file")
        return path.read_bytes()
    except FileNotFoundError as error:
        raise refused(name, "does not exist") from error
    except (OSError, ValueError) as error:
        raise refused(name, f"cannot be read ({_short(error)})") from error


def _decoded(uri: str, name: str) -> bytes:
    head, _, body = uri.partition(",")
    try:
        if not head.endswith(";base64"):
            raise ValueError("it is not base64")
        return base64.b64decode(body, validate=True)
    except (ValueError, binascii.Error) as error:
        raise refused(name, f"is not a valid data URI ({_short(error)})") from error


def _opened(content: bytes, name: str) -> Image:
    from PIL import Image as pil
    from PIL import UnidentifiedImageError

    if content[4:12].startswith(tuple(brand[:7] for brand in _HEIF_BRANDS)):
        _register_heif()
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            pil.init()
            return pil.open(io.BytesIO(content), formats=[name for name in _FORMATS if name in pil.OPEN])
    except UnidentifiedImageError as error:
        raise refused(name, "is not a picture in a format that can be read") from error
    except pil.DecompressionBombError as error:
        raise refused(name, f"has more than {MAX_PIXELS:,} pixels") from error
    except Exception as error:
        raise refused(name, f"is damaged ({_short(error)})") from error


def _register_heif() -> None:
    import pillow_heif

    pillow_heif.register_heif_opener()


def _short(error: BaseException) -> str:
    return (str(error) or type(error).__name__).splitlines()[0][:120]


# -- converting --------------------------------------------------------------------------------------------------------


def _normalised(picture: Image, name: str) -> NormalisedImage:
    from PIL import ImageOps

    if picture.width * picture.height > MAX_PIXELS:
        size = f"{picture.width:,} × {picture.height:,}"
        raise refused(name, f"is {size} pixels, more than the {MAX_PIXELS:,} that can be shown")
    if picture.width == 0 or picture.height == 0:
        raise refused(name, "has no pixels")
    notes = []
    if getattr(picture, "n_frames", 1) > 1:
        picture.seek(0)
        notes.append(_first_of(picture))
    picture.load()
    rgb = _to_rgb(ImageOps.exif_transpose(picture))
    return NormalisedImage(rgb, digest_pixels(rgb), rgb.width, rgb.height, name, tuple(notes))


def _first_of(picture: Image) -> str:
    """Return what is said of a file with several pictures, of which the first is used."""
    count, kind = getattr(picture, "n_frames", 1), picture.format
    if kind in _ANIMATED:
        return ONE_FRAME
    return (ONE_PAGE if kind == "TIFF" else ONE_OF_SEVERAL).format(count=f"{count:,}")


def _to_rgb(picture: Image) -> Image:
    """Return 8-bit RGB; transparency lies on white, deeper channels are scaled instead of clipped."""
    from PIL import Image as pil

    if picture.mode.startswith("I") or picture.mode == "F":
        return _scaled(picture).convert("RGB")
    if picture.mode in {"RGBA", "LA", "PA", "La", "RGBa"} or "transparency" in picture.info:
        layer = picture.convert("RGBA")
        return pil.alpha_composite(pil.new("RGBA", layer.size, _WHITE), layer).convert("RGB")
    if picture.mode == "RGB":
        return picture.copy()
    return picture.convert("RGB")


def _scaled(picture: Image) -> Image:
    """Return ``I;16``, ``I`` or ``F`` as 8-bit grey: 16-bit by its full range, floats by 0..1, 0..255 or their own."""
    import numpy as np
    from PIL import Image as pil

    values = np.nan_to_num(np.asarray(picture, dtype=np.float64), posinf=0.0, neginf=0.0)
    low, high = float(values.min()), float(values.max())
    if picture.mode == "F" and low >= 0 and high <= 1:
        values = values * 255
    elif picture.mode.startswith("I;16") or (picture.mode == "I" and low >= 0 and 255 < high <= 65535):
        values = values / 257
    elif low < 0 or high > 255:
        values = (values - low) * (255 / (high - low))
    return pil.fromarray(np.rint(values).astype(np.uint8), "L")
