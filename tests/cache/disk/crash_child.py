"""A process that spills one entry after the other and is killed while it does.

``python -m tests.cache.disk.crash_child FOLDER POINT COUNT FIRST``: SIGKILL at the COUNT-th passing of fault point
POINT, or never where POINT is ``-``. Says ``ready`` once it is about to write, and counts entries from FIRST.
"""

from __future__ import annotations

import os
import signal
import sys
from pathlib import Path

from app.cache.disk import faults
from app.cache.ssd import SSDCacheConfig, SSDCacheTier
from tests.cache.disk.states import plain


def chat(number: int) -> tuple[int, ...]:
    """Every third chat continues the one before it, so that chains are interrupted too."""
    root = number - number % 3
    return (*range(root * 1000, root * 1000 + 50), *range(number % 3 * 7))


def main() -> None:
    folder, point, count, first = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    passed = 0

    def die(name: str) -> None:
        nonlocal passed
        passed += name == point
        if name == point and passed == count:
            os.kill(os.getpid(), signal.SIGKILL)

    faults.install(die)
    tier = SSDCacheTier(SSDCacheConfig(folder, max_size_gb=0.002, min_free_bytes=0))
    tier.start_writer()
    sys.stdout.write("ready\n")
    sys.stdout.flush()
    for number in range(first, first + 500):
        tier.enqueue_spill(chat(number), plain(chat(number)))
        tier.flush()


if __name__ == "__main__":
    main()
