"""What the first answer would wait for, done while nobody waits."""

from __future__ import annotations

import threading
from functools import cache
from typing import Final

from app.ui.messages.blocks import split
from app.ui.messages.highlight import highlighted_lines

_SAMPLE: Final = "*Words* and `code`.\n\n- an item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nprint(1)\n```\n"


@cache
def warm_up() -> threading.Thread:
    """Import and compile, once per process and off the GUI thread, what parses Markdown and colours code.

    Most of it is regular expressions, a tenth of a second of them: the first code block of an answer made the window
    stand still for as long.
    """
    thread = threading.Thread(target=_read_and_colour, name="warm-up")
    thread.start()
    return thread


def _read_and_colour() -> None:
    for block in split(_SAMPLE):
        if block.kind == "code":
            list(highlighted_lines(block.text, block.language))
