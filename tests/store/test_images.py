from __future__ import annotations

import io
import os
import stat
import time
from pathlib import Path

import pytest
from PIL import Image

from app.errors import ImageRefused, UserError
from app.store.images import ImageStore


@pytest.fixture
def images(tmp_path: Path) -> ImageStore:
    return ImageStore(tmp_path / "images")


def gradient(width: int = 40, height: int = 30) -> Image.Image:
    return Image.linear_gradient("L").resize((width, height)).convert("RGB")


def png(picture: Image.Image) -> bytes:
    buffer = io.BytesIO()
    picture.save(buffer, "PNG")
    return buffer.getvalue()


def files(folder: Path) -> list[Path]:
    return [file for file in folder.rglob("*") if file.is_file()]


def test_the_original_may_vanish(images: ImageStore, tmp_path: Path) -> None:
    source = tmp_path / "Bildschirmfoto – 截图.png"
    source.write_bytes(png(gradient()))
    kept = images.add(source, source.name)
    source.unlink()
    assert (kept.name, kept.width, kept.height) == (source.name, 40, 30)
    assert images.open(kept.digest).tobytes() == gradient().tobytes()
    assert kept.digest in images


def test_equal_pixels_are_kept_once_whatever_the_file(images: ImageStore, tmp_path: Path) -> None:
    first = images.add(png(gradient()), "a.png")
    buffer = io.BytesIO()
    gradient().save(buffer, "BMP")
    second = images.add(buffer.getvalue(), "b.bmp")
    third = images.add(gradient())
    assert first.digest == second.digest == third.digest
    assert (first.name, second.name, third.name) == ("a.png", "b.bmp", "pasted image")
    (file,) = files(tmp_path / "images")
    assert file == images.path(first.digest)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_equal_bytes_of_another_shape_are_another_picture(images: ImageStore) -> None:
    flat = bytes(range(72))
    wide, tall = (images.add(Image.frombytes("RGB", size, flat)) for size in ((6, 4), (4, 6)))
    assert wide.digest != tall.digest


def test_what_is_no_picture_is_refused_and_leaves_nothing(images: ImageStore, tmp_path: Path) -> None:
    for content in (b"", b"plain text", png(gradient())[:60]):
        with pytest.raises(ImageRefused):
            images.add(content, "bad.png")
    assert files(tmp_path / "images") == []


def test_incognito_pictures_stay_in_memory(images: ImageStore, tmp_path: Path) -> None:
    kept = images.add_temporary(png(gradient()), "secret.png")
    assert images.open(kept.digest).tobytes() == gradient().tobytes()
    assert Image.open(io.BytesIO(images.png(kept.digest))).tobytes() == gradient().tobytes()
    images.thumbnail(kept.digest, 16)
    assert files(tmp_path / "images") == []
    images.forget_temporary({kept.digest})
    assert kept.digest in images
    images.forget_temporary()
    assert kept.digest not in images
    with pytest.raises(ImageRefused):
        images.thumbnail(kept.digest, 16)


def test_a_picture_handed_out_cannot_change_the_kept_one(images: ImageStore) -> None:
    kept = images.add_temporary(gradient())
    images.open(kept.digest).paste("red", (0, 0, 40, 30))
    assert images.open(kept.digest).tobytes() == gradient().tobytes()


def test_thumbnails_fit_and_keep_the_proportions(images: ImageStore) -> None:
    kept = images.add(gradient(400, 100))
    small = Image.open(io.BytesIO(images.thumbnail(kept.digest, 64)))
    assert small.size == (64, 16)
    assert images.thumbnail(kept.digest, 64) == images.thumbnail(kept.digest, 64)
    assert Image.open(io.BytesIO(images.thumbnail(images.add(gradient(8, 4)).digest, 64))).size == (8, 4)


def test_pictures_that_nothing_refers_to_are_collected(images: ImageStore, tmp_path: Path) -> None:
    used, unused, fresh = (images.add(gradient(width)) for width in (10, 20, 30))
    hour_ago = time.time() - 4000
    for old in (used, unused):
        os.utime(images.path(old.digest), (hour_ago, hour_ago))
    rubbish = images.path(unused.digest).with_name(".x.png.tmp")
    rubbish.write_bytes(b"half")
    os.utime(rubbish, (hour_ago, hour_ago))
    assert images.collect({used.digest}) == 1
    assert {used.digest, fresh.digest} == {file.stem for file in files(tmp_path / "images")}


def test_adding_a_picture_again_protects_it_from_collection(images: ImageStore) -> None:
    kept = images.add(gradient())
    hour_ago = time.time() - 4000
    os.utime(images.path(kept.digest), (hour_ago, hour_ago))
    images.add(gradient())
    assert images.collect(set()) == 0


def test_damaged_and_lost_files_are_sentences(images: ImageStore) -> None:
    kept = images.add(gradient())
    images.path(kept.digest).write_bytes(png(gradient())[:60])
    for read in (images.open, images.png):
        with pytest.raises(ImageRefused, match="damaged"):
            read(kept.digest)
    images.path(kept.digest).unlink()
    with pytest.raises(ImageRefused, match="gone"):
        images.open(kept.digest)


@pytest.mark.parametrize("digest", ["", "../../etc/passwd", "AB" * 32, "ab" * 31])
def test_only_digests_lead_to_files(images: ImageStore, digest: str) -> None:
    with pytest.raises(ValueError, match="not a digest"):
        images.open(digest)


def test_a_full_disk_is_a_sentence(images: ImageStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("app.store.images.write_atomically", full)
    with pytest.raises(UserError, match="could not be kept: No space left on device"):
        images.add(gradient(), "a.png")
