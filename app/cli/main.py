"""The command line: one sub-command each for asking, the disk cache, models, benchmarks and settings.

Exit status: 0; 2 for bad usage or input, or an output that cannot be written, with one sentence on stderr; 1 for our
own failure, with its traceback; 130 after Ctrl-C.
"""

from __future__ import annotations

import argparse
import errno
import io
import os
import sys
import traceback
from collections.abc import Sequence
from typing import Final, TypeGuard

from app.cli import ask, bench, cache, models, settings
from app.errors import UserError

OK, OUR_FAILURE, BAD_INPUT, INTERRUPTED = 0, 1, 2, 130
COMMANDS = (ask, cache, models, bench, settings)
UNWRITABLE: Final = {errno.ENOSPC, errno.EIO, errno.EFBIG, errno.EDQUOT, errno.EBADF}


def main(argv: Sequence[str]) -> int:
    """Run one command and return its exit status."""
    if sys.stderr is None:
        sys.stderr = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115 - for as long as the process lives
    if sys.stdout is None:
        print("There is no standard output to write to.", file=sys.stderr)
        return BAD_INPUT
    if isinstance(sys.stdout, io.TextIOWrapper):
        # names of files may hold bytes that are no text; written so, JSON stays JSON
        sys.stdout.reconfigure(errors="backslashreplace")
    try:
        status = _run(argv)
    except SystemExit as left:  # bad usage, help, or a benchmark's own status
        raise SystemExit(_written(OK) or left.code) from None
    return _written(status)


def _run(argv: Sequence[str]) -> int:
    try:
        arguments = parser().parse_args(argv)
        arguments.run(arguments)
    except UserError as error:
        print(sentence(error), file=sys.stderr)
        return BAD_INPUT
    except KeyboardInterrupt:
        print("Stopped.", file=sys.stderr)
        return INTERRUPTED
    except BrokenPipeError:
        return OK  # whoever read the answers has enough; see :func:`_written`
    except Exception as error:  # noqa: BLE001 - the last stop: a report and a status for whatever was not foreseen
        if _is_of_the_output(error):
            return _not_written(error)
        traceback.print_exc()
        print("This is a fault of Second Glance. Please report it with the lines above.", file=sys.stderr)
        return OUR_FAILURE
    return OK


def _written(status: int) -> int:
    """Write out what is still held back; Python would complain in words of its own when it does so at exit."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _let_go()
    except OSError as error:
        return _not_written(error)
    return status


def _not_written(error: OSError) -> int:
    print(f"The output cannot be written: {error.strerror}.", file=sys.stderr)
    _let_go()
    return BAD_INPUT


def _let_go() -> None:
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _is_of_the_output(error: Exception) -> TypeGuard[OSError]:
    """Whether it came of writing to a stream that is open already, of which the command line has but its output."""
    return isinstance(error, OSError) and error.filename is None and error.errno in UNWRITABLE


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
