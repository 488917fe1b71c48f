"""What the first answer would wait for, done while nobody waits."""

from __future__ import annotations

import gc
import threading
from functools import cache
from typing import Final

from app.ui.messages.blocks import split
from app.ui.messages.formulas import Wanted, draw
from app.ui.messages.highlight import highlighted_lines
from app.ui.messages.math_source import Formula

_SAMPLE: Final = "*Words* and `code`.\n\n- an item\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```python\nprint(1)\n```\n"

_FORMULA: Final = r"\frac{a}{\sqrt{b}}"
_FORMULA_PIXELS: Final = 16.0


@cache
def warm_up() -> threading.Thread:
    """Import and compile, once per process and off the GUI thread, what parses Markdown, colours code, draws formulas.

    Most of it is regular expressions and a font, some tenths of a second of them: the first code block of an answer
    made the window stand still for as long, and the first formula made it stumble.
    """
    thread = threading.Thread(target=_warm_up, name="warm-up")
    thread.start()
    return thread


def _warm_up() -> None:
    _read_colour_and_draw()
    # Modules and their tables stay as long as the app. To look through them for garbage stops all threads for 40 ms.
    gc.freeze()


def _read_colour_and_draw() -> None:
    for block in split(_SAMPLE):
        if block.kind == "code":
            list(highlighted_lines(block.text, block.language))
    draw(Wanted(Formula(_FORMULA, False), _FORMULA_PIXELS))
