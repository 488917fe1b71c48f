"""The command line's log: everything into a file of the data folder, warnings also to stderr."""

from __future__ import annotations

import logging
import logging.handlers
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from app import paths

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
FILE_BYTES = 1_000_000

log = logging.getLogger(__name__)


@contextmanager
def logging_to_file() -> Iterator[None]:
    """Log while the block runs; where the data folder cannot be written, stderr has to do."""
    console = logging.StreamHandler(sys.stderr)
    console.setLevel(logging.WARNING)
    with ExitStack() as cleanup:
        _attach(console, cleanup)
        try:
            _attach(_file_handler(), cleanup)
        except OSError as error:
            log.warning("No log file: %s", error)
        yield


def _file_handler() -> logging.Handler:
    folder = paths.private_folder(paths.log_dir())
    handler = logging.handlers.RotatingFileHandler(
        folder / "command-line.log", maxBytes=FILE_BYTES, backupCount=2, encoding="utf-8"
    )
    handler.setLevel(logging.INFO)
    handler.setFormatter(logging.Formatter(FORMAT))
    return handler


def _attach(handler: logging.Handler, cleanup: ExitStack) -> None:
    root = logging.getLogger()
    before = root.level
    root.setLevel(logging.INFO)
    root.addHandler(handler)
    cleanup.callback(root.setLevel, before)
    cleanup.callback(handler.close)
    cleanup.callback(root.removeHandler, handler)
