"""``python -m app``: the window, with the files that it is given; with a sub-command, the command line."""

from __future__ import annotations

import sys
from pathlib import Path


def main() -> int:
    """Run the app and return the exit status."""
    if all(_is_file(argument) for argument in sys.argv[1:]):
        # Not before it is needed: the command line works without Qt.
        from app.ui.application import main as open_window

        return int(open_window(sys.argv))
    from app.cli.main import main as run_command

    return run_command(sys.argv[1:])


def _is_file(argument: str) -> bool:
    """Whether it is a file's path; no command has a suffix, whatever files lie around."""
    path = Path(argument)
    return bool(path.suffix) and path.is_file()


if __name__ == "__main__":
    sys.exit(main())
