"""A chat on paper: everything is on it, in the light colours, on pages that fit."""

from __future__ import annotations

import io
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image
from PySide6.QtCore import QBuffer, Qt, QTimer
from PySide6.QtGui import QColor, QImage, QPageRanges, QPainter, QPdfWriter, QTextDocument
from PySide6.QtPrintSupport import QPrintDialog, QPrinter
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from app.errors import UserError
from app.store.images import ImageStore
from app.store.records import StoredMessage
from app.ui.messages.formulas import formulas
from app.ui.paper.document import DOTS_PER_INCH, MARGIN, RESOLUTION, PaperDocument, write_chat
from app.ui.paper.output import choose_printer, print_chat, write_pdf
from app.ui.paper.pages import paint_page
from app.ui.paper.pictures import PaperPictures
from app.ui.paper.progress import ProgressDialog
from app.ui.paper.slices import Slices, Step, Steps
from app.ui.theme import Space, apply_theme
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


def through(qtbot: QtBot, steps: Steps) -> None:
    work = Slices(steps)
    with qtbot.waitSignals([work.ended, work.finished], timeout=60_000):
        work.start()


@pytest.fixture
def written(qtbot: QtBot, messages, images) -> Callable[[], PaperDocument]:
    """Return a function that writes the messages on A4."""
    buffer = QBuffer()
    device = QPdfWriter(buffer)
    device.setResolution(RESOLUTION)

    def write() -> PaperDocument:
        document = PaperDocument(device)
        through(qtbot, write_chat(document, "A title", messages, images))
        assert buffer.size() == 0, "nothing is painted yet"
        return document

    return write


def test_everything_said_is_on_paper(written) -> None:
    document = written()
    lines = [line for line in blocks(document) if line.strip()]
    assert lines[:3] == ["A title", "You", "\ufffc  \ufffc  "]
    assert lines[3:6] == ["What is", "  <b>this</b>?", "Second Glance"]
    assert lines[6] == "The root is \ufffc:"
    for words in ("def f():", '    return "x"', "one", "inside", "1", "2"):
        assert words in lines
    assert len(document.images) == 2, "one picture, one formula"
    assert not any(image.isNull() for image in document.images.values())


def test_pictures_fit_beside_each_other_and_keep_their_colour(written) -> None:
    document = written()
    shape = document.find("\ufffc").charFormat().toImageFormat()
    assert (shape.width(), round(shape.height())) == (280.0, 156)
    assert document.images[shape.name()].pixelColor(3, 3) == QColor("navy")


def test_what_is_set_in_is_so_in_dots_of_the_paper(written, messages) -> None:
    messages[1] = replace(messages[1], text="> quoted\n\n- one\n  ```\n  inside\n  ```\n")
    document = written()
    for words, pixels in (("quoted", Space.L), ("inside", Space.XL)):
        margin = document.find(words).blockFormat().leftMargin()
        assert margin == pytest.approx(pixels * RESOLUTION / DOTS_PER_INCH)


def test_a_large_picture_is_no_larger_than_paper_shows(qtbot: QtBot, images: ImageStore) -> None:
    picture = images.add(Image.new("RGB", (4001, 1999), "navy"), "large.png")
    loader = PaperPictures(images, (1120, 880))
    loader.ask(picture.digest)
    found: list[QImage | None] = []
    qtbot.waitUntil(lambda: found.append(loader.take(picture.digest)) or found[-1] is not None)
    assert (found[-1].width(), found[-1].height()) == (1120, 560)
    assert found[-1].pixelColor(1119, 559) == QColor("navy")


def test_a_block_with_more_formulas_than_are_kept_is_written(written, messages, monkeypatch) -> None:
    monkeypatch.setattr("app.ui.messages.formulas.KEPT", 4)
    messages[1] = replace(
        messages[1], text="| " + " | ".join(f"$q_{{{number}}}$" for number in range(9)) + " |\n" + "|---" * 9 + "|\n"
    )
    document = written()
    assert sum(name.startswith("formula") for name in document.images) == 9
    assert len(formulas()._pictures) == 4, "what was held is let go"


def test_paper_is_light_in_the_dark_theme(qapp: QApplication, written) -> None:
    apply_theme(qapp, "dark")
    document = written()
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


def test_a_picture_that_is_gone_is_said(qtbot: QtBot, messages, images, tmp_path: Path) -> None:
    images.path(messages[0].images[0].digest).unlink()
    work = Slices(write_pdf(tmp_path / "chat.pdf", "A title", messages, images))
    with qtbot.waitSignal(work.failed) as failed:
        work.start()
    assert "gone" in failed.args[0]
    assert not (tmp_path / "chat.pdf").exists()


def test_the_event_loop_turns_between_the_steps(qtbot: QtBot, messages, images, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("app.ui.paper.slices.SLICE_SECONDS", 0.0)  # a fast machine would be done in three slices
    turns: list[float] = []
    timer = QTimer(interval=0)
    work = Slices(write_pdf(tmp_path / "chat.pdf", "A title", messages * 10, images), seconds=0.0)
    done: list[float] = []
    work.progressed.connect(done.append)
    timer.timeout.connect(lambda: turns.append(done[-1] if done else 0.0))
    timer.start()
    with qtbot.waitSignal(work.finished, timeout=60_000):
        work.start()
    assert done == sorted(done)
    assert len(set(done)) > 5
    assert set(turns) >= set(done[:-1]), "the loop turned after each slice"


def test_what_is_cancelled_leaves_nothing(qtbot: QtBot, messages, images, tmp_path: Path) -> None:
    target = tmp_path / "chat.pdf"
    target.write_bytes(b"before")
    work = Slices(write_pdf(target, "A title", messages * 10, images), seconds=0.0)
    work.progressed.connect(work.cancel)
    with qtbot.waitSignal(work.ended), qtbot.assertNotEmitted(work.finished):
        work.start()
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == ["chat.pdf"]
    assert target.read_bytes() == b"before"


def test_a_mistake_of_ours_ends_the_work_and_is_not_swallowed(qtbot: QtBot) -> None:
    def steps() -> Steps:
        yield Step(0.1, waits=True)
        raise ZeroDivisionError

    work = Slices(steps())
    with qtbot.captureExceptions() as errors, qtbot.waitSignal(work.ended):
        work.start()
    assert [kind for kind, _, _ in errors] == [ZeroDivisionError]


def pages(file: bytes) -> int:
    return file.count(b"/Type /Page\n") or file.count(b"/Type /Page") - file.count(b"/Type /Pages")


def test_the_pdf_has_as_many_pages_as_it_needs(qtbot: QtBot, messages, images, tmp_path: Path) -> None:
    for name, times in (("short", 1), ("long", 20)):
        through(qtbot, write_pdf(tmp_path / f"{name}.pdf", name, messages * times, images))
    short = (tmp_path / "short.pdf").read_bytes()
    assert short.startswith(b"%PDF-")
    assert short.rstrip().endswith(b"%%EOF")
    assert pages(short) == 1
    assert pages((tmp_path / "long.pdf").read_bytes()) > 5


def test_what_lies_under_code_ends_with_the_text_of_a_page(written, messages) -> None:
    line = "a + " * 8000  # one line goes on over several pages
    messages[1] = replace(messages[1], text=f"```python\n{line}\n```")
    document = written()
    assert document.pageCount() > 3
    scale = 0.1
    page = QImage((document.pageSize() * scale).toSize(), QImage.Format.Format_RGB32)
    page.fill(Qt.GlobalColor.white)
    painter = QPainter(page)
    painter.scale(scale, scale)
    paint_page(painter, document, 2)
    painter.end()
    margin = MARGIN * document.density * scale
    middle = page.width() // 2
    white = QColor(Qt.GlobalColor.white)
    assert page.pixelColor(middle, page.height() // 2) != white
    assert page.pixelColor(middle, int(margin / 2)) == white
    assert page.pixelColor(middle, page.height() - int(margin / 2)) == white


@pytest.fixture
def printer(qtbot: QtBot, tmp_path: Path, monkeypatch) -> QPrinter:
    """Return the printer of a user who prints into a file."""

    def accept(dialog: QPrintDialog) -> QPrintDialog.DialogCode:
        dialog.printer().setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        dialog.printer().setOutputFileName(str(tmp_path / "printed.pdf"))
        return QPrintDialog.DialogCode.Accepted

    monkeypatch.setattr(QPrintDialog, "exec", accept)
    over = QWidget()
    qtbot.addWidget(over)
    chosen = choose_printer("A title", over)
    assert chosen is not None
    assert chosen.docName() == "A title"
    return chosen


def test_printing_goes_where_the_user_says(qtbot: QtBot, printer, messages, images, tmp_path: Path) -> None:
    printer.setPageRanges(QPageRanges.fromString("2-3"))
    through(qtbot, print_chat(printer, "A title", messages * 20, images))
    file = (tmp_path / "printed.pdf").read_bytes()
    assert file.startswith(b"%PDF-")
    assert pages(file) == 2


def test_printing_that_is_cancelled_leaves_nothing(qtbot: QtBot, printer, messages, images, tmp_path: Path) -> None:
    work = Slices(print_chat(printer, "A title", messages * 20, images), seconds=0.0)
    begun: list[list[str]] = []

    def cancel_while_painting(done: float) -> None:
        begun.append([file.name for file in tmp_path.glob(".*.pdf")])
        if begun[-1]:
            work.cancel()

    work.progressed.connect(cancel_while_painting)
    with qtbot.waitSignal(work.ended, timeout=60_000), qtbot.assertNotEmitted(work.finished):
        work.start()
    assert begun[-1], "the printing had begun"
    assert [file.name for file in tmp_path.iterdir() if file.is_file()] == []


class Sending(QPrinter):
    """Takes pages as a printer does: what is painted is sent, here into a file that only the test knows."""

    def __init__(self, sent: Path) -> None:
        super().__init__(QPrinter.PrinterMode.HighResolution)
        self.setOutputFormat(QPrinter.OutputFormat.PdfFormat)
        self.setOutputFileName(str(sent))
        self.aborted_while: list[QPrinter.PrinterState] = []

    def outputFileName(self) -> str:
        return ""

    def abort(self) -> bool:
        self.aborted_while.append(self.printerState())
        return False


def test_a_printer_gets_the_whole_chat_or_nothing(qtbot: QtBot, messages, images, tmp_path: Path) -> None:
    through(qtbot, print_chat(Sending(tmp_path / "whole.pdf"), "A title", messages * 20, images))
    whole = pages((tmp_path / "whole.pdf").read_bytes())
    assert whole > 5
    for after, expected in ((0.0, 0), (0.85, whole)):
        target = tmp_path / f"{after}.pdf"
        work = Slices(print_chat(Sending(target), "A title", messages * 20, images), seconds=0.0)
        work.progressed.connect(lambda done, after=after, work=work: work.cancel() if done > after else None)
        finished: list[bool] = []
        work.finished.connect(lambda finished=finished: finished.append(True))
        with qtbot.waitSignal(work.ended, timeout=60_000):
            work.start()
        assert (pages(target.read_bytes()) if target.exists() else 0) == expected
        assert bool(finished) is bool(expected)


def test_no_button_promises_to_stop_what_a_printer_gets(qtbot: QtBot, messages, images, tmp_path: Path) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    work = Slices(print_chat(Sending(tmp_path / "sent.pdf"), "A title", messages * 20, images), seconds=0.0)
    dialog = ProgressDialog("Printing…", work, over)
    dialog.show()
    seen: list[bool] = []

    def press_escape_at_the_printer(done: float) -> None:
        seen.append(dialog.cancel_button.isEnabled())
        if not seen[-1]:
            assert "go to the printer" in dialog.label.text()
            qtbot.keyClick(dialog, Qt.Key.Key_Escape)
            assert dialog.isVisible()

    work.progressed.connect(press_escape_at_the_printer)
    with qtbot.waitSignals([work.ended, work.finished], timeout=60_000):
        work.start()
    assert set(seen) == {True, False}
    assert seen == sorted(seen, reverse=True)


def test_printing_that_fails_is_aborted_before_its_end_sends_it(images, tmp_path: Path, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr("app.ui.paper.pages.paint_page", fail)
    printer = Sending(tmp_path / "sent.pdf")
    with pytest.raises(ZeroDivisionError):
        list(print_chat(printer, "A title", PLAIN, images))
    assert printer.aborted_while == [QPrinter.PrinterState.Active]


PLAIN = [StoredMessage("q", "c", None, "user", "Hello", 0.0)]
"""Nothing that has to be waited for."""


def test_a_printer_that_takes_no_pages_is_told(images) -> None:
    class Broken(QPrinter):
        def paintEngine(self):
            return None

    with pytest.raises(UserError, match="The printer cannot be used"):
        list(print_chat(Broken(), "A title", PLAIN, images))


def test_why_a_file_cannot_be_printed_is_told(printer, images, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    printer.setOutputFileName(str(tmp_path / "file" / "printed.pdf"))
    with pytest.raises(UserError, match="cannot be written: Not a directory"):
        list(print_chat(printer, "A title", PLAIN, images))


def test_printing_that_is_not_wanted(qtbot: QtBot, monkeypatch) -> None:
    over = QWidget()
    qtbot.addWidget(over)
    monkeypatch.setattr(QPrintDialog, "exec", lambda dialog: QPrintDialog.DialogCode.Rejected)
    assert choose_printer("A title", over) is None
