"""A chat on paper: everything is on it, in the light colours, on pages that fit."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtGui import QColor, QTextDocument
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication, QWidget

from app.errors import ImageRefused
from app.store.images import ImageStore
from app.store.records import StoredMessage
from app.ui.paper.document import PaperDocument, paper_document
from app.ui.paper.output import pdf, print_with_dialog
from app.ui.theme import apply_theme
from app.ui.theme.colours import LIGHT

ANSWER = """The root is $\\sqrt{2}$:

| a | b |
|---|---|
| 1 | 2 |

```python
def f():
    return "x"
```

1. one
   ```
   inside
   ```
"""


@pytest.fixture
def images(tmp_path: Path) -> ImageStore:
    return ImageStore(tmp_path / "images")


@pytest.fixture
def messages(images: ImageStore) -> list[StoredMessage]:
    buffer = io.BytesIO()
    Image.new("RGB", (900, 500), "navy").save(buffer, "PNG")
    picture = images.add(buffer.getvalue(), "blue.png")
    return [
        StoredMessage("q", "c", None, "user", "What is\n  <b>this</b>?", 0.0, images=(picture, picture)),
        StoredMessage("a", "c", "q", "assistant", ANSWER, 1.0),
    ]


def blocks(document: QTextDocument) -> list[str]:
    found, block = [], document.begin()
    while block.isValid():
        found.append(block.text())
        block = block.next()
    return found


def test_everything_said_is_on_paper(qapp: QApplication, messages, images) -> None:
    document = paper_document("A title", messages, images)
    lines = [line for line in blocks(document) if line.strip()]
    assert lines[:3] == ["A title", "You", "\ufffc  \ufffc  "]
    assert lines[3:6] == ["What is", "  <b>this</b>?", "Second Glance"]
    assert lines[6] == "The root is \ufffc:"
    for words in ("def f():", '    return "x"', "one", "inside", "1", "2"):
        assert words in lines
    assert len(document.images) == 2, "one picture, one formula"
    assert not any(image.isNull() for image in document.images.values())


def test_pictures_fit_beside_each_other(qapp: QApplication, messages, images) -> None:
    document = paper_document("A title", messages, images)
    cursor = document.find("\ufffc")
    shape = cursor.charFormat().toImageFormat()
    assert (shape.width(), round(shape.height())) == (280.0, 156)


def test_paper_is_light_in_the_dark_theme(qapp: QApplication, messages, images) -> None:
    apply_theme(qapp, "dark")
    document = paper_document("A title", messages, images)
    apply_theme(qapp, "light")
    code = document.find("def f")
    assert code.blockFormat().background().color() == QColor(LIGHT.code)
    formula = next(image for name, image in document.images.items() if name.startswith("formula"))
    darkest = min(
        formula.pixelColor(x, y).lightness()
        for x in range(formula.width())
        for y in range(formula.height())
        if formula.pixelColor(x, y).alpha() == 255
    )
    assert darkest < 60


def test_a_picture_that_is_gone_is_said(qapp: QApplication, messages, images) -> None:
    images.path(messages[0].images[0].digest).unlink()
    with pytest.raises(ImageRefused, match="gone"):
        paper_document("A title", messages, images)


def pages(file: bytes) -> int:
    return file.count(b"/Type /Page\n") or file.count(b"/Type /Page") - file.count(b"/Type /Pages")


def test_the_pdf_has_as_many_pages_as_it_needs(qapp: QApplication, messages, images) -> None:
    short = pdf(paper_document("Short", messages, images), "Short")
    assert short.startswith(b"%PDF-")
    assert short.rstrip().endswith(b"%%EOF")
    assert pages(short) == 1
    assert pages(pdf(paper_document("Long", messages * 20, images), "Long")) > 5


def test_printing_goes_where_the_user_says(qtbot, messages, images, tmp_path: Path, monkeypatch) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    asked: list[str] = []

    def accept(dialog: QPrintDialog) -> QPrintDialog.DialogCode:
        asked.append(dialog.printer().docName())
        dialog.printer().setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        dialog.printer().setOutputFileName(str(tmp_path / "printed.pdf"))
        return QPrintDialog.DialogCode.Accepted

    monkeypatch.setattr(QPrintDialog, "exec", accept)
    assert print_with_dialog(paper_document("A title", messages, images), "A title", over)
    assert asked == ["A title"]
    assert (tmp_path / "printed.pdf").read_bytes().startswith(b"%PDF-")
    monkeypatch.setattr(QPrintDialog, "exec", lambda dialog: QPrintDialog.DialogCode.Rejected)
    assert not print_with_dialog(PaperDocument(), "A title", over)
