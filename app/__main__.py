"""``python -m app``: the window, with the files that it is given; with a sub-command, the command line."""

from __future__ import annotations

import locale
import os
import sys
from pathlib import Path

INTERRUPTED = 130


def main() -> int:
    """Run the app and return the exit status."""
    _use_utf8()
    try:
        return _run()
    except KeyboardInterrupt:  # also while the libraries are still being imported
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED


def _run() -> int:
    if all(_is_file(argument) for argument in sys.argv[1:]):
        # Not before it is needed: the command line works without Qt.
        from app.ui.application import main as open_window

        return int(open_window(sys.argv))
    from app.cli.main import main as run_command

    return run_command(sys.argv[1:])


def _use_utf8() -> None:
    """Start anew in UTF-8 mode where the locale says otherwise: model libraries open files in the locale's encoding."""
    usual = locale.getencoding().lower().replace("_", "-") in ("utf-8", "utf8")
    if usual or sys.flags.utf8_mode or getattr(sys, "frozen", False):
        return
    os.environ["PYTHONUTF8"] = "1"
    os.execv(sys.executable, [sys.executable, *sys.orig_argv[1:]])


def _is_file(argument: str) -> bool:
    """Whether it is a file's path; no command has a suffix, whatever files lie around."""
    path = Path(argument)
    return bool(path.suffix) and path.is_file()


if __name__ == "__main__":
    sys.exit(main())
