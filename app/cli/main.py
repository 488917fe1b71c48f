"""The command line: one sub-command each for asking, the disk cache, models, benchmarks and settings.

Exit status: 0; 2 for bad usage or input, with one sentence on stderr; 1 for our own failure, with its traceback;
130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import os
import sys
import traceback
from collections.abc import Sequence

from app.cli import ask, bench, cache, models, settings
from app.errors import UserError

OK, OUR_FAILURE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
COMMANDS = (ask, cache, models, bench, settings)


def main(argv: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    arguments = parser().parse_args(argv)
    try:
        arguments.run(arguments)
    except UserError as error:
        print(sentence(error), file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        # whoever read the answers has enough; Python would complain once more when it flushes at exit
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return OK
    except Exception:  # noqa: BLE001 - the last stop: a report and a status for whatever was not foreseen
        traceback.print_exc()
        print("This is a fault of Second Glance. Please report it with the lines above.", file=sys.stderr)
        return OUR_FAILURE
    return OK


def parser() -> argparse.ArgumentParser:
    """Return the parser of all commands; each puts its function into ``run``."""
    root = argparse.ArgumentParser(
        prog="python -m app", description="Chat with images on your own computer. Without a command, the window opens."
    )
    commands = root.add_subparsers(title="commands", metavar="COMMAND", required=True)
    for command in COMMANDS:
        command.add_to(commands)
    return root


def sentence(error: UserError) -> str:
    """Return the message, with the file or model it is about in front where it does not name it."""
    message = str(error)
    return message if not error.subject or error.subject in message else f"{error.subject}: {message}"
