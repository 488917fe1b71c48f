"""Time until the window stands, gaps of its event loop while an answer streams, and long chats opened and scrolled.

Measured in a process of its own, off screen. Figures are reported, never asserted: they tell of the machine, too.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from typing import Any


def run(tokens: int = 3000, rate: float = 100.0, messages: int = 300, many: int = 2000) -> dict[str, Any]:
    """Return the figures for an answer of ``tokens`` at ``rate`` per second, and chats of two lengths."""
    wanted = {"tokens": tokens, "rate": rate, "messages": messages, "many": many, "started": time.monotonic()}
    done = subprocess.run(
        [sys.executable, "-m", "app.ui.probe", json.dumps(wanted)],
        env={**os.environ, "QT_QPA_PLATFORM": "offscreen"},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    figures: dict[str, Any] = json.loads(done.stdout)
    return figures
