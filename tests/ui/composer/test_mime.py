"""What counts as a picture in a drop or paste, and how it is read."""

from __future__ import annotations

import base64
from pathlib import Path

import pytest
from PySide6.QtCore import QByteArray, QMimeData, QUrl
from PySide6.QtGui import QColor, QImage

from app.ui.composer import mime as mime_module
from app.ui.composer.mime import Picture, Refusal, offers_pictures, read_pictures, why_not
from tests.ui.composer.conftest import file_mime, png

pytestmark = pytest.mark.usefixtures("qapp")


def pixels(colour: str = "red") -> QImage:
    image = QImage(8, 6, QImage.Format.Format_RGB32)
    image.fill(QColor(colour))
    return image


def with_image(mime: QMimeData) -> QMimeData:
    mime.setImageData(pixels())
    return mime


def test_files_keep_order_and_names(make_picture):
    first, second = make_picture("b.png", "red"), make_picture("снимок экрана 1.png", "blue")
    found = read_pictures(file_mime(first, second))
    assert [one.name for one in found] == ["b.png", "снимок экрана 1.png"]
    assert [one.source for one in found if isinstance(one, Picture)] == [first.read_bytes(), second.read_bytes()]


def test_the_same_file_named_twice_is_one_picture(make_picture):
    path = make_picture()
    assert len(read_pictures(file_mime(path, path))) == 1


def test_pixels_alone():
    (found,) = read_pictures(with_image(QMimeData()))
    assert isinstance(found, Picture)
    assert QImage.fromData(found.encoded()).pixelColor(1, 1) == QColor("red")


def test_encoded_data_is_taken_as_it_is():
    mime, data = QMimeData(), png()
    mime.setData("image/png", QByteArray(data))
    assert offers_pictures(mime)
    assert read_pictures(mime) == [Picture(data, "pasted image")]


def test_file_and_pixels_are_one_picture_from_the_file(make_picture, monkeypatch):
    monkeypatch.setattr(mime_module, "_TEMPORARY", ())
    path = make_picture("kept.png", "green")
    assert read_pictures(with_image(file_mime(path))) == [Picture(path.read_bytes(), "kept.png")]


@pytest.mark.parametrize("exists", [True, False])
def test_pixels_win_over_a_file_in_a_temporary_folder(make_picture, exists):
    path = make_picture("Screenshot.png", "green")  # pytest's folders are temporary ones
    if not exists:
        path.unlink()
    (found,) = read_pictures(with_image(file_mime(path)))
    assert isinstance(found, Picture)
    assert isinstance(found.source, QImage)
    assert found.name == "Screenshot.png"


def test_the_folder_of_macos_screenshots_is_temporary():
    folder = Path("/Users/me/Library/TemporaryItems/NSIRD_screencaptureui_x/Screenshot.png")
    assert mime_module._is_temporary(folder)
    assert not mime_module._is_temporary(Path("/Users/me/Desktop/Screenshot.png"))


def test_pixels_help_out_where_the_file_cannot_be_read(make_picture, monkeypatch):
    monkeypatch.setattr(mime_module, "_TEMPORARY", ())
    path = make_picture("gone.png")
    path.unlink()
    (found,) = read_pictures(with_image(file_mime(path)))
    assert isinstance(found, Picture)
    assert isinstance(found.source, QImage)


def test_html_with_a_picture_inside():
    mime, data = QMimeData(), png()
    mime.setHtml(f'<meta charset="utf-8"><img src="data:image/png;base64,{base64.b64encode(data).decode()}">')
    assert offers_pictures(mime)
    assert read_pictures(mime) == [Picture(data, "pasted image")]


def test_html_that_names_a_local_file(make_picture):
    path, mime = make_picture("page.png"), QMimeData()
    mime.setHtml(f'<p><img src="{QUrl.fromLocalFile(str(path)).toString()}"></p>')
    assert read_pictures(mime) == [Picture(path.read_bytes(), "page.png")]


def test_html_of_a_browser_with_pixels_beside_it():
    mime = with_image(QMimeData())
    mime.setHtml('<img src="https://example.org/x.png">')
    assert offers_pictures(mime)
    assert len(read_pictures(mime)) == 1


def test_text_that_comes_with_a_rendering_is_text():
    mime = with_image(QMimeData())
    mime.setText("Total 12")
    mime.setHtml("<style>td {color: red}</style><table><td>Total 12</td></table>")
    assert not offers_pictures(mime)


@pytest.mark.parametrize("kind", ["text", "html", "web link", "web picture"])
def test_other_things_are_not_pictures(kind):
    mime = QMimeData()
    if kind == "text":
        mime.setText("hello")
    elif kind == "html":
        mime.setHtml("<b>hello</b>")
    elif kind == "web link":
        mime.setUrls([QUrl("https://example.org/x.png")])
    else:
        mime.setHtml('<img src="https://example.org/x.png">')
    assert not offers_pictures(mime)
    assert why_not(mime).endswith(".")


def test_refusals_name_the_file_and_the_reason(tmp_path, monkeypatch, make_picture):
    monkeypatch.setattr(mime_module, "LARGEST_FILE", 10)
    found = read_pictures(file_mime(tmp_path, tmp_path / "gone.png", make_picture("big.png")))
    assert all(isinstance(one, Refusal) for one in found)
    reasons = [one.reason for one in found if isinstance(one, Refusal)]
    assert "is a folder" in reasons[0]
    assert reasons[1].startswith("“gone.png” is no longer there")
    assert reasons[2].startswith("“big.png” has ")


def test_damaged_html_data_is_refused():
    mime = QMimeData()
    mime.setHtml('<img src="data:image/svg+xml,%3Csvg/%3E">')
    (found,) = read_pictures(mime)
    assert isinstance(found, Refusal)
