"""What reads, colours and draws is ready before the first answer."""

from __future__ import annotations

import subprocess
import sys

WARMED = """
import gc
import sys
from app.ui.messages.blocks import _parser
from app.ui.messages.warm import warm_up
assert _parser.cache_info().currsize == 0
warm_up().join()
assert warm_up() is warm_up()
assert gc.get_freeze_count() > 0
print(_parser.cache_info().currsize, "pygments.lexers.python" in sys.modules, "ziamath" in sys.modules)
"""


def test_parser_lexer_and_formulas_are_there_afterwards() -> None:
    done = subprocess.run([sys.executable, "-c", WARMED], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["1", "True", "True"]
