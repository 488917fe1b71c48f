"""Cutting answers into blocks: whole, growing, and with code inside lists."""

from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from app.ui.messages.blocks import PROSE_LIMIT, Block, BlockStream, split

LINES = [
    "# Title",
    "plain words *with* marks",
    "second line",
    "",
    "- item",
    "  - nested",
    "1. one",
    "2. two",
    "```python",
    "```",
    "~~~~",
    "~~~",
    "  ```bash",
    "  ```",
    "    indented",
    "def f(): return 1",
    "| a | b |",
    "|---|---|",
    "| 1 | 2 |",
    "> quote",
    "> ```",
    "<div>",
    "---",
    "===",
    "   after",
    "\u2028odd\x0bbreaks",
]


def test_code_stands_alone_with_its_language():
    assert split("Run:\n\n```Python\nprint(1)\n```\nThen stop.") == [
        Block("prose", "Run:\n\n"),
        Block("code", "print(1)", "python"),
        Block("prose", "Then stop."),
    ]


def test_code_inside_a_list_keeps_its_place_and_the_numbering():
    blocks = split("1. Install:\n   ```bash\n   pip install x\n   ```\n   It takes a while.\n2. Run it\n")
    assert blocks == [
        Block("prose", "1. Install:\n"),
        Block("code", "pip install x", "bash", indent=1),
        Block("prose", "It takes a while.\n", indent=1),
        Block("prose", "2. Run it\n"),
    ]


def test_code_inside_a_quote_stays_in_the_quote():
    assert [block.kind for block in split("> see\n> ```\n> x\n> ```\n")] == ["prose"]


def test_html_is_words_not_structure():
    assert split("<div>\n```\nx\n```\n</div>") == [
        Block("prose", "<div>\n"),
        Block("code", "x"),
        Block("prose", "</div>"),
    ]


def test_long_prose_is_cut_between_blocks_only():
    paragraph = "word " * 100
    blocks = split("\n\n".join([paragraph] * 20))
    assert len(blocks) > 4
    assert all(block.text.startswith("word") for block in blocks)
    assert all(len(block.text) < PROSE_LIMIT + len(paragraph) + 2 for block in blocks)


def test_a_long_list_is_cut_between_items():
    blocks = split("".join(f"{i}. item number {i}\n" for i in range(1, 400)))
    assert len(blocks) > 2
    assert blocks[1].text.split(".")[0].isdigit()


def test_code_that_is_still_open_is_code_already():
    assert BlockStream().feed("Text\n\n```js\nlet x") == [Block("prose", "Text\n\n"), Block("code", "let x", "js")]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_line_endings_do_not_matter(ending):
    assert split(f"a{ending}{ending}```{ending}x{ending}```{ending}") == [Block("prose", "a\n\n"), Block("code", "x")]


@given(lines=st.lists(st.sampled_from(LINES), max_size=25), cuts=st.lists(st.integers(1, 12), min_size=1))
@example(lines=["```python", "def f(): return 1", "", "```"], cuts=[1])
def test_a_growing_answer_has_the_blocks_of_the_whole(lines, cuts):
    text = "\n".join(lines)
    stream, at, turn = BlockStream(), 0, 0
    blocks: list[Block] = []
    while at < len(text):
        step = cuts[turn % len(cuts)]
        blocks = stream.feed(text[at : at + step])
        at, turn = at + step, turn + 1
    assert blocks == split(text)


@given(st.lists(st.sampled_from(LINES), max_size=25).map("\n".join))
def test_no_word_is_lost(text):
    kept = "".join(block.text for block in split(text))
    for word in ("Title", "plain", "second", "item", "nested", "one", "quote", "after", "div"):
        assert kept.count(word) == text.count(word)
