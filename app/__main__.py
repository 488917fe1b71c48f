"""``python -m app``: the window without a sub-command, otherwise the command line."""

from __future__ import annotations

import sys


def main() -> int:
    """Run the app and return the exit status."""
    if len(sys.argv) == 1:
        # Not before it is needed: the command line works without Qt.
        from app.ui.application import main as open_window

        return int(open_window())
    from app.cli.main import main as run_command

    return run_command(sys.argv[1:])


if __name__ == "__main__":
    sys.exit(main())
