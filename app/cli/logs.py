"""The command line's log: everything into a file of the data folder, warnings also to stderr."""

from __future__ import annotations

import logging
import logging.handlers
import sys

from app import paths

FORMAT = "%(asctime)s %(levelname)s %(name)s: %(message)s"
FILE_BYTES = 1_000_000


def log_to_file() -> None:
    """Set up logging; where the data folder cannot be written, stderr has to do."""
    root = logging.getLogger()
    root.setLevel(logging.INFO)
    console = logging.StreamHandler(sys.stderr)
    console.setLevel(logging.WARNING)
    root.addHandler(console)
    try:
        folder = paths.private_folder(paths.log_dir())
        file = logging.handlers.RotatingFileHandler(folder / "command-line.log", maxBytes=FILE_BYTES, backupCount=2)
    except OSError as error:
        logging.getLogger(__name__).warning("No log file: %s", error)
        return
    file.setFormatter(logging.Formatter(FORMAT))
    root.addHandler(file)
