"""Code blocks: colours, copying, growing."""

from __future__ import annotations

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAccessible, QGuiApplication

from app.ui.messages.code_block import CodeBlock
from app.ui.messages.highlight import highlighted_lines


def kinds(code: str, language: str):
    return [
        [(code.split("\n")[i][s.start : s.start + s.length], s.kind) for s in line]
        for i, line in enumerate(highlighted_lines(code, language))
    ]


def test_python_is_understood():
    (line,) = kinds("def f(): return 'x'  # y", "python")
    assert ("def", "keyword") in line
    assert ("f", "name") in line
    assert ("# y", "comment") in line


def test_strings_run_over_lines():
    lines = kinds('"""one\ntwo"""\nx = 1', "python")
    assert lines[0][0] == ('"""one', "string")
    assert lines[1][0] == ('two"""', "string")
    assert ("1", "number") in lines[2]


def test_the_last_line_needs_no_end():
    assert kinds("- old\n+ new", "diff") == [[("- old", "removed")], [("+ new", "added")]]


@pytest.mark.parametrize("language", ["", "no-such-language"])
def test_an_unknown_language_has_no_colours_and_no_guess(language):
    assert list(highlighted_lines("def f(): pass", language)) == []


def formats(block: CodeBlock, line: int):
    return block.text.document().findBlockByNumber(line).layout().formats()


@pytest.fixture
def make(qtbot):
    def make(code, language="python"):
        block = CodeBlock(code, language)
        qtbot.addWidget(block)
        block.resize(300, 200)
        return block

    return make


def test_colours_stand_on_the_right_characters(qtbot, make):
    block = make("x = '😀'  # note")
    qtbot.waitUntil(lambda: bool(formats(block, 0)))
    comment = formats(block, 0)[-1]
    assert comment.start == len("x = '😀'  ") + 1  # Qt counts the emoji as two
    assert comment.length == len("# note")


def test_copy(qtbot, make):
    block = make("a\nb")
    qtbot.mouseClick(block.copy_button, Qt.MouseButton.LeftButton)
    assert QGuiApplication.clipboard().text() == "a\nb"
    assert block.copy_button.accessibleName() == "Copy code"


def test_a_screen_reader_is_told_the_code(qtbot, make):
    block = make("x = 1")
    block.set_code("x = 1\ny = 2")
    told = QAccessible.queryAccessibleInterface(block.text)
    assert told.text(QAccessible.Text.Name) == f"Code, {block.language}\nx = 1\ny = 2"


def test_growing_code_keeps_what_is_there(qtbot, make):
    block = make("x = 1")
    document = block.text.document()
    first = document.firstBlock()
    block.set_code("x = 1\ny = 'two")
    block.set_code("x = 1\ny = 'two'\nz")
    assert document.toPlainText() == "x = 1\ny = 'two'\nz"
    assert document.firstBlock() == first
    qtbot.waitUntil(lambda: bool(formats(block, 1)))
    block.set_code("other")
    assert document.toPlainText() == "other"


def test_long_code_is_coloured_in_slices(qtbot, make):
    code = "\n".join(f"value_{i} = {i}" for i in range(1500))
    block = make("")
    block.set_code(code)
    assert not formats(block, 1499)
    qtbot.waitUntil(lambda: bool(formats(block, 1499)))


def test_settling_makes_good_what_context_got_wrong(qtbot, make):
    start = '"""\n' + "words\n" * 100
    block = make(start)
    block.set_code(start + "def f(): pass")  # far below its opening the string is taken for code …
    qtbot.waitUntil(lambda: len(formats(block, 101)) > 1)
    block.settle()  # … until the whole is read again
    qtbot.waitUntil(lambda: len(formats(block, 101)) == 1)


def test_a_wide_line_gets_a_scroll_bar_and_room_for_it(make):
    narrow, wide = make("x"), make("x" * 200)
    assert wide.text.heightForWidth(200) > narrow.text.heightForWidth(200)
