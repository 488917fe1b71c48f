"""An engine with a model, for as long as a block runs."""

from __future__ import annotations

import contextlib
import sys
from collections.abc import Iterator

from app.inference.engine import Engine, EngineConfig
from app.inference.events import Progress


@contextlib.contextmanager
def loaded(config: EngineConfig, ref: str) -> Iterator[Engine]:
    """Load a model; everything is let go at the end, also after a fault.

    Raises:
        ModelRefused: it cannot be loaded; the message says why.
    """
    engine = Engine(config)
    try:
        if engine.caches.ssd_notice:
            print(engine.caches.ssd_notice, file=sys.stderr)
        engine.load(ref, show_progress)
        yield engine
    finally:
        engine.close()


def show_progress(progress: Progress) -> None:
    """Say what takes long, to people only."""
    if sys.stderr.isatty():
        end = "\n" if progress.done >= progress.total else ""
        print(f"\r\033[K{progress.note or progress.stage} …", end=end, file=sys.stderr, flush=True)
