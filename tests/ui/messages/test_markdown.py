"""Rendering of prose: what is shown, what is never interpreted, in which direction it runs."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt, QUrl
from PySide6.QtGui import QDesktopServices, QTextDocument, QTextTable

from app.ui.messages import block_text
from app.ui.messages.block_text import open_outside
from app.ui.messages.markdown import render_markdown
from app.ui.messages.prose import Prose
from app.ui.theme import Space

pytestmark = pytest.mark.usefixtures("qapp")


def rendered(markdown: str) -> QTextDocument:
    document = QTextDocument()
    render_markdown(document, markdown)
    return document


def blocks(document: QTextDocument):
    block = document.begin()
    while block.isValid():
        yield block
        block = block.next()


@pytest.mark.parametrize("tag", ["<b>bold</b>", "<script>alert(1)</script>", "<for example>", "<img src=x>"])
def test_tags_are_shown_not_interpreted(tag):
    assert tag in rendered(f"see {tag} here").toPlainText()


def test_headings_are_larger_and_marks_are_gone():
    document = rendered("# One\n\nplain **strong**")
    title, plain = list(blocks(document))[:2]
    assert title.text() == "One"
    assert title.begin().fragment().charFormat().fontPointSize() > document.defaultFont().pointSizeF()
    assert plain.text() == "plain strong"


def test_a_table_is_a_table_with_bold_heads():
    document = rendered("> quote\n\n| Name | N |\n|---|--:|\n| a | 1 |\n")
    (table,) = [frame for frame in document.rootFrame().childFrames() if isinstance(frame, QTextTable)]
    assert (table.rows(), table.columns()) == (2, 2)
    head = table.cellAt(0, 0).firstCursorPosition()
    assert head.block().text() == "Name"  # Qt's reader leaves an empty paragraph before it after a quote
    assert head.block().begin().fragment().charFormat().fontWeight() >= 600


def test_pictures_are_named_and_never_loaded(tmp_path):
    secret = tmp_path / "secret.png"
    secret.write_bytes(b"x")
    document = rendered(f"before ![a chart]({secret.as_uri()}) ![web](https://example.org/x.png) after")
    assert document.toPlainText() == "before [a chart] [web] after"
    hrefs = {
        fragment.charFormat().anchorHref()
        for block in blocks(document)
        for fragment in [entry.fragment() for entry in block]
        if fragment.charFormat().isAnchor()
    }
    assert hrefs == {"https://example.org/x.png"}


@pytest.mark.parametrize(
    ("text", "direction"),
    [
        ("hello", Qt.LayoutDirection.LeftToRight),
        ("שלום עולם", Qt.LayoutDirection.RightToLeft),
        ("مرحبا", Qt.LayoutDirection.RightToLeft),
    ],
)
def test_each_paragraph_has_its_own_direction(qtbot, text, direction):
    prose = Prose(f"first\n\n{text}")
    qtbot.addWidget(prose)
    assert prose.document().lastBlock().textDirection() == direction


@pytest.mark.parametrize(
    ("url", "opened"),
    [("https://example.org", True), ("mailto:a@b.c", True), ("file:///etc/passwd", False), ("javascript:x", False)],
)
def test_links_open_outside_if_they_are_links(monkeypatch, url, opened):
    seen: list[QUrl] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", seen.append)
    open_outside(QUrl(url))
    assert bool(seen) is opened


def test_the_height_follows_from_the_width(qtbot):
    prose = Prose("many words " * 80)
    qtbot.addWidget(prose)
    assert prose.heightForWidth(200) > 2 * prose.heightForWidth(600)
    assert block_text.BlockText.hasHeightForWidth(prose)


@pytest.mark.parametrize(("words", "left", "right"), [("quoted", Space.L, 0), ("ציטוט", 0, Space.L)])
def test_a_quote_is_set_in_where_its_lines_begin(qtbot, words, left, right):
    block = Prose(f"> {words}")
    qtbot.addWidget(block)
    shape = block.document().begin().blockFormat()
    assert (shape.leftMargin(), shape.rightMargin()) == (left, right)


def test_words_in_a_table_stay_whole_where_that_fits(qtbot):
    block = Prose("| Property | First | Second | Notes that take a little more room |\n|---|---|---|---|\n|1|2|3|4|\n")
    qtbot.addWidget(block)
    cell = block.document().find("Property").block().layout()
    block.heightForWidth(260)
    assert cell.lineCount() == 1
    block.heightForWidth(120)
    assert cell.lineCount() > 1
    assert block.document().size().width() <= 120


def test_a_table_that_is_too_wide_does_not_move_sideways(qtbot):
    block = Prose("|" + "a|" * 30 + "\n|" + "---|" * 30 + "\n|" + "1|" * 30 + "\n")
    qtbot.addWidget(block)
    block.resize(200, 100)
    block.show()
    assert block.document().size().width() > block.viewport().width()
    block.horizontalScrollBar().setValue(50)
    assert block.horizontalScrollBar().value() == 0
