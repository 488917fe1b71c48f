"""Decoding: every mode and orientation gives the same upright pixels, every broken file a sentence with its name."""

from __future__ import annotations

import base64
import io
import struct
import zlib

import numpy as np
import pytest
from PIL import Image, ImageOps

from app.cache.pixels import ONE_FRAME, compute_image_hash, compute_images_hash, normalise
from app.errors import ImageRefused


def noise(width: int = 6, height: int = 4, seed: int = 0, channels: int = 3) -> np.ndarray:
    return np.random.default_rng(seed).integers(0, 256, (height, width, channels), dtype=np.uint8)


def encoded(image: Image.Image, kind: str = "PNG", **options) -> bytes:
    out = io.BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()


@pytest.mark.parametrize("orientation", range(1, 9))
def test_every_orientation_gives_the_same_upright_pixels(orientation):
    image = Image.fromarray(noise(16, 8))
    exif = Image.Exif()
    exif[0x0112] = orientation
    tagged = encoded(image, "JPEG", exif=exif, quality=95)
    expected = ImageOps.exif_transpose(Image.open(io.BytesIO(tagged)))
    found = normalise(tagged)
    assert (found.width, found.height) == expected.size
    assert np.array_equal(np.asarray(found.image), np.asarray(expected))
    baked = encoded(expected.convert("RGB"))
    assert compute_image_hash(baked) == found.digest


def test_equal_pixels_are_one_image_wherever_they_lie(tmp_path):
    content = encoded(Image.fromarray(noise()))
    one, two = tmp_path / "bild ä 日本語 \N{SMILING FACE WITH SUNGLASSES}.png", tmp_path / "b.bmp"
    one.write_bytes(content)
    two.write_bytes(encoded(Image.open(io.BytesIO(content)), "BMP"))
    uri = "data:image/png;base64," + base64.b64encode(content).decode()
    digests = {compute_image_hash(s) for s in (one, str(two), content, uri, Image.open(one))}
    assert len(digests) == 1
    assert normalise(one).name == one.name
    assert normalise(uri).name == "pasted image"


def test_one_path_with_new_bytes_is_another_image(tmp_path):
    path = tmp_path / "frame.png"
    seen = set()
    for seed in range(5):
        path.write_bytes(encoded(Image.fromarray(noise(seed=seed)), "BMP"))
        seen.add(compute_image_hash(path))
    assert len(seen) == 5


def test_the_same_bytes_in_another_shape_and_one_changed_pixel_are_other_images():
    flat = noise().tobytes()
    wide, high = (Image.frombytes("RGB", size, flat) for size in ((6, 4), (4, 6)))
    assert compute_image_hash(wide) != compute_image_hash(high)
    changed = noise()
    changed[3, 5, 2] ^= 1
    assert compute_image_hash(Image.fromarray(changed)) != compute_image_hash(wide)
    assert len({compute_image_hash(Image.fromarray(noise(seed=s))) for s in range(1000)}) == 1000
    assert len(compute_image_hash(wide)) == 64


def test_large_pictures_that_differ_in_their_last_pixel_only_are_two():
    page = np.full((400, 300, 3), 250, np.uint8)
    other = page.copy()
    other[0, -1] = 0  # rows of a BMP stand upside down: the last bytes of the file
    contents = [encoded(Image.fromarray(pixels), "BMP") for pixels in (page, other)]
    assert contents[0][:100_000] == contents[1][:100_000]
    assert compute_image_hash(contents[0]) != compute_image_hash(contents[1])


def test_the_order_of_images_matters():
    a, b = (Image.fromarray(noise(seed=seed)) for seed in (1, 2))
    assert compute_images_hash([a, b]) != compute_images_hash([b, a])
    assert compute_images_hash([a]) != compute_images_hash([a, a])


def pixel(image: Image.Image) -> tuple[int, ...]:
    return normalise(encoded(image, "TIFF" if image.mode in {"F", "CMYK", "YCbCr"} else "PNG")).image.getpixel((0, 0))


@pytest.mark.parametrize(
    ("mode", "value", "expected"),
    [
        ("1", 1, (255, 255, 255)),
        ("L", 100, (100, 100, 100)),
        ("LA", (0, 0), (255, 255, 255)),
        ("LA", (0, 255), (0, 0, 0)),
        ("RGBA", (0, 0, 0, 0), (255, 255, 255)),
        ("RGBA", (200, 0, 0, 255), (200, 0, 0)),
        ("CMYK", (0, 0, 0, 0), (255, 255, 255)),
        ("YCbCr", (255, 128, 128), (255, 255, 255)),
        ("I;16", 40000, (156, 156, 156)),
        ("I;16", 65535, (255, 255, 255)),
        ("F", 0.5, (128, 128, 128)),
        ("F", 128.0, (128, 128, 128)),
    ],
    ids=str,
)
def test_every_mode_becomes_opaque_rgb(mode, value, expected):
    assert pixel(Image.new(mode, (2, 2), value)) == expected


def test_palettes_with_transparency_lie_on_white():
    image = Image.new("P", (2, 2), 0)
    image.putpalette([10, 20, 30, 40, 50, 60])
    image.putpixel((1, 1), 1)
    found = normalise(encoded(image, "PNG", transparency=0)).image
    assert found.getpixel((0, 0)) == (255, 255, 255)
    assert found.getpixel((1, 1)) == (40, 50, 60)


def test_deep_and_signed_greys_are_scaled_by_their_own_range():
    deep = Image.fromarray(np.array([[0, 1 << 20]], np.int32), "I")
    assert [normalise(deep).image.getpixel((x, 0))[0] for x in (0, 1)] == [0, 255]
    signed = Image.fromarray(np.array([[-1.0, 0.0, 1.0, np.nan, np.inf]], np.float32), "F")
    assert [normalise(signed).image.getpixel((x, 0))[0] for x in range(5)] == [0, 128, 255, 128, 128]
    narrow = Image.fromarray(np.array([[0, 200]], np.int32), "I")
    assert normalise(narrow).image.getpixel((1, 0)) == (200, 200, 200)
    middle = Image.fromarray(np.array([[0, 40000]], np.int32), "I")
    assert normalise(middle).image.getpixel((1, 0)) == (156, 156, 156)


@pytest.mark.parametrize("kind", ["GIF", "WEBP", "PNG"])
def test_of_an_animation_the_first_frame_is_used_and_said(kind):
    frames = [Image.new("RGB", (8, 8), color) for color in ("red", "blue")]
    content = encoded(
        frames[0], kind, save_all=True, append_images=frames[1:], **({"lossless": True} if kind == "WEBP" else {})
    )
    found = normalise(content)
    assert found.image.getpixel((0, 0)) == (255, 0, 0) or kind == "WEBP"
    assert found.image.getpixel((0, 0))[0] > 240
    assert found.notes == (ONE_FRAME,)


@pytest.mark.parametrize(
    ("kind", "note"),
    [("TIFF", "only the first of 3 pages is used"), ("MPO", "only the first of 3 pictures in the file is used")],
)
def test_pages_and_pictures_of_one_file_are_no_animation(kind, note):
    pages = [Image.new("RGB", (8, 8), color) for color in ("red", "blue", "green")]
    found = normalise(encoded(pages[0], kind, save_all=True, append_images=pages[1:]))
    assert found.image.getpixel((0, 0))[0] > 240
    assert found.notes == (note,)


@pytest.mark.parametrize("kind", ["HEIF", "AVIF"])
def test_phone_formats_are_read(kind):
    import pillow_heif

    pillow_heif.register_heif_opener()
    content = encoded(Image.new("RGB", (64, 48), (200, 30, 30)), kind, quality=90)
    found = normalise(content, "photo.heic")
    assert (found.width, found.height) == (64, 48)
    assert abs(found.image.getpixel((32, 24))[0] - 200) < 12


def png_chunk(kind: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


def bomb(width: int = 50_000, height: int = 50_000) -> bytes:
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", zlib.compress(b""))
        + png_chunk(b"IEND", b"")
    )


def zeroed_second_part() -> bytes:
    content = encoded(Image.fromarray(noise(200, 200)))
    at = content.index(b"IDAT") + 4000
    return content[:at] + bytes(6000) + content[at + 6000 :]


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"", "is empty"),
        (b"hello, I am text", "not a picture"),
        (encoded(Image.fromarray(noise(64, 64)), "JPEG")[:500], "damaged"),
        (zeroed_second_part(), "damaged"),
        (bomb(), "pixels"),
        (bomb(15_000, 14_000), "pixels"),
        (b"\x00\x00\x00\x18ftypheic" + bytes(50), "not a picture|damaged"),
    ],
    ids=["zero bytes", "text", "truncated", "zeroed", "bomb", "large", "broken heic"],
)
def test_broken_files_are_refused_by_name(content, reason, tmp_path):
    path = tmp_path / "Ferien ä.jpg"
    path.write_bytes(content)
    with pytest.raises(ImageRefused, match=reason) as caught:
        normalise(path)
    assert caught.value.subject == "Ferien ä.jpg"
    assert "Ferien ä.jpg" in str(caught.value)
    with pytest.raises(ImageRefused):
        compute_image_hash(path)


def test_a_wrong_extension_does_not_matter(tmp_path):
    path = tmp_path / "really.jpg"
    path.write_bytes(encoded(Image.fromarray(noise())))
    assert normalise(path).digest == compute_image_hash(Image.fromarray(noise()))


def test_what_is_no_source_is_refused(tmp_path):
    for source, reason in (
        (tmp_path / "gone.png", "does not exist"),
        (tmp_path, "is not a file"),
        ("a\0b", "cannot be read"),
        ("data:image/png,abc", "data URI"),
        ("data:image/png;base64,???", "data URI"),
        (3, "not a picture"),
    ):
        with pytest.raises(ImageRefused, match=reason):
            normalise(source)
    with pytest.raises(ImageRefused, match="no pixels"):
        normalise(Image.new("RGB", (0, 3)))
    with pytest.raises(ImageRefused) as caught:
        normalise(b"", "bad\udcff\nname")
    assert "\udcff" not in str(caught.value)


def test_a_large_photo_is_read(recwarn):
    found = normalise(encoded(Image.new("RGB", (5712, 4284), "white"), "JPEG"))
    assert found.width == 5712
    big = Image.new("L", (10_000, 9_500))
    assert normalise(encoded(big)).height == 9_500
    assert not recwarn.list


def test_known_files_are_forgotten_in_order(monkeypatch):
    from app.cache import pixels

    monkeypatch.setattr(pixels, "_KNOWN_LIMIT", 2)
    known = pixels._Known()
    for key in "abc":
        known.put(key, key)
    assert [known.get(key) for key in "abc"] == [None, "b", "c"]


def test_formats_that_would_start_another_program_are_not_tried(tmp_path, monkeypatch):
    from PIL import EpsImagePlugin

    monkeypatch.setattr(EpsImagePlugin, "Ghostscript", lambda *_a, **_k: pytest.fail("another program was started"))
    drawing = tmp_path / "holiday.png"
    drawing.write_bytes(b"%!PS-Adobe-3.0 EPSF-3.0\n%%BoundingBox: 0 0 10 10\n%%EndComments\nshowpage\n%%EOF\n")
    with pytest.raises(ImageRefused, match="not a picture in a format"):
        normalise(drawing)
