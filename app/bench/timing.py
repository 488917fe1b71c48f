"""How long something takes."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable


def timed(work: Callable[[], object]) -> float:
    """Return the seconds of one call."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """Return the median seconds of so many calls."""
    return statistics.median(timed(work) for _ in range(repeats))
