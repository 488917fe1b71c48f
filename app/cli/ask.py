"""``ask``: one question, or a script of many, to the same engine that the window uses."""

from __future__ import annotations

import argparse
import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from app import paths
from app.cli import config
from app.cli.logs import logging_to_file
from app.cli.script import Script, Turn, read_script
from app.errors import UserError

if TYPE_CHECKING:
    from app.cli.chats import Chats
    from app.cli.report import Report
    from app.inference.engine import Engine
    from app.inference.events import Finished

N = TypeVar("N", int, float)


def add_to(commands: Any) -> None:
    """Declare the command."""
    command = commands.add_parser("ask", help="ask a question, or play a script of many")
    command.add_argument("question", nargs="?", metavar="QUESTION", help="what to ask")
    command.add_argument("--script", type=Path, metavar="FILE", help="JSON list of turns to play in one process")
    command.add_argument(
        "--model", type=config.model, metavar="REF", help="demo, a folder, or a Hugging Face repository id"
    )
    command.add_argument(
        "--image",
        type=config.picture,
        action="append",
        default=[],
        metavar="FILE",
        help="picture to ask about; repeatable",
    )
    command.add_argument("--system", metavar="TEXT", help="system prompt")
    command.add_argument("--max-tokens", type=_at_least(1), default=512, metavar="N", help="longest answer (512)")
    command.add_argument("--temperature", type=_temperature, default=0.0, metavar="T", help="0 is greedy (0)")
    command.add_argument("--seed", type=_at_least(0), metavar="N", help="makes answers above temperature 0 repeatable")
    command.add_argument("--no-cache", action="store_true", help="run everything, store nothing")
    command.add_argument("--prefix-cache", choices=config.PREFIX_KINDS, help="how prompts are kept")
    command.add_argument("--budget-mb", type=_at_least(0), metavar="N", help="memory for prompts")
    command.add_argument("--vision-budget-mb", type=_at_least(0), metavar="N", help="memory for image features")
    command.add_argument(
        "--ssd-dir", type=config.folder, metavar="DIR", help="keep caches on disk there; without it, nowhere"
    )
    command.add_argument("--data-dir", type=config.folder, metavar="DIR", help="data folder for this run's log")
    command.add_argument("--json", action="store_true", help="one JSON object per turn on stdout, nothing else there")
    command.set_defaults(run=run, usage_error=command.error)


def run(arguments: argparse.Namespace) -> None:
    """Play the turns.

    Raises:
        UserError: bad input; nothing has run then, but for a turn that turns out too long for the model.
    """
    script = _script(arguments)
    if arguments.data_dir:
        os.environ[paths.DATA_VARIABLE] = str(arguments.data_dir)
    with logging_to_file():
        _play(script, arguments)


def _play(script: Script, arguments: argparse.Namespace) -> None:
    from app.cli.chats import Chats
    from app.cli.pictures import read_pictures

    pictures = read_pictures(script)
    settings = config.load_settings(arguments.model or "")
    # Not before the input is checked and the settings are in force: this imports MLX.
    from app.cli.engines import loaded

    chats = Chats(pictures, config.sampling(arguments), arguments.system, use_cache=not arguments.no_cache)
    model = arguments.model or settings.model.ref
    with _stdout_for_answers() as out, loaded(config.engine(arguments, settings), model) as engine:
        for picture in pictures.values():
            engine.check_image(picture)
        report = _report(arguments.json, out)
        for number, turn in enumerate(script.turns):
            with _naming_the_turn(number, script):
                report.turn(number, turn, _answer(engine, chats, turn, report))


@contextlib.contextmanager
def _naming_the_turn(number: int, script: Script) -> Iterator[None]:
    try:
        yield
    except UserError as error:
        if len(script.turns) == 1:
            raise
        raise UserError(f"Turn {number}: {error}", error.subject) from error


def _script(arguments: argparse.Namespace) -> Script:
    if (arguments.question is None) == (arguments.script is None):
        arguments.usage_error("give either a QUESTION or --script FILE")
    if arguments.script is None:
        if not arguments.question.strip() and not arguments.image:
            raise UserError("The question is empty.")
        turn = Turn(text=arguments.question, images=arguments.image)
        return Script((turn,), Path())
    if arguments.image:
        arguments.usage_error("--image goes with a QUESTION; a script names its own images")
    return read_script(arguments.script)


def _answer(engine: Engine, chats: Chats, turn: Turn, report: Report) -> Finished:
    from app.inference.events import Finished

    finished = None
    for event in engine.generate(chats.request(turn)):
        report.event(event)
        finished = event if isinstance(event, Finished) else finished
    assert finished is not None, "an answer ends with Finished"
    chats.answered(turn, finished)
    return finished


@contextlib.contextmanager
def _stdout_for_answers() -> Iterator[Any]:
    """Keep stdout for answers: what libraries print goes to stderr."""
    answers = sys.stdout
    with contextlib.redirect_stdout(sys.stderr):
        yield answers


def _report(as_json: bool, out: Any) -> Report:
    from app.cli.report import JsonReport, TextReport

    return JsonReport(out) if as_json else TextReport(out)


def _at_least(minimum: int) -> Any:
    def whole_number(text: str) -> int:
        number = _number(int, text, "a whole number")
        if number < minimum:
            raise argparse.ArgumentTypeError(f"must be at least {minimum}, not {number}")
        return number

    return whole_number


def _temperature(text: str) -> float:
    temperature = _number(float, text, "a number")
    if not 0.0 <= temperature <= 10.0:
        raise argparse.ArgumentTypeError(f"must be 0 to 10, not {text}")
    return temperature


def _number(kind: Callable[[str], N], text: str, wanted: str) -> N:
    try:
        return kind(text)
    except ValueError as error:
        raise argparse.ArgumentTypeError(f"must be {wanted}, not {text!r}") from error
