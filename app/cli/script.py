"""The script of ``ask --script``: a JSON list of turns, checked as a whole before anything runs."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from app.errors import UserError

WANTED: Final = {
    "model_type": "an object in curly brackets",
    "string_type": "a text",
    "string_too_short": "a name",
    "list_type": "a list",
    "int_type": "a whole number",
    "bool_type": "true or false",
    "greater_than_equal": "at least {ge}",
}
"""What is said for each way in which a turn can fail its declaration."""
MOST_SHOWN: Final = 60
MOST_BYTES: Final = 64_000_000


class Turn(BaseModel):
    """One turn as written.

    Attributes:
        chat: which conversation it belongs to; conversations interleave.
        images: paths relative to the script.
        text: the question; may be left out where ``regenerate`` repeats one.
        system: system prompt, on a chat's first turn only.
        max_tokens: limit of this answer.
        edit: number of the user turn of this chat, from 0, that this one replaces; what followed it is dropped.
        regenerate: answer the last user turn again.
    """

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True)

    chat: str = "a"
    images: list[Annotated[str, Field(min_length=1)]] = []
    text: str | None = None
    system: str | None = None
    max_tokens: int | None = Field(default=None, ge=1)
    edit: int | None = Field(default=None, ge=0)
    regenerate: bool = False


@dataclass(frozen=True, slots=True)
class Script:
    """Turns, and the folder that their image paths start from."""

    turns: tuple[Turn, ...]
    folder: Path


def read_script(path: Path) -> Script:
    """Read and check a script.

    Raises:
        UserError: the file cannot be read, is no such list, or a turn does not fit what came before it.
    """
    try:
        content = json.loads(_read(path))
    except OSError as error:
        raise UserError(f"{path} cannot be read: {error.strerror}.", str(path)) from error
    except json.JSONDecodeError as error:
        where = f"line {error.lineno}, column {error.colno}"
        raise UserError(f"{path} is not valid JSON: {where}: {error.msg}.", str(path)) from error
    except (ValueError, RecursionError) as error:
        raise UserError(f"{path} is not valid JSON: {error}.", str(path)) from error
    try:
        turns = TypeAdapter(list[Turn]).validate_python(content)
    except ValidationError as error:
        raise UserError(f"{path}: {_first(error)}.", str(path)) from error
    check(turns, path)
    return Script(tuple(turns), path.parent)


def _read(path: Path) -> bytes:
    """Return the bytes of a file, or of a pipe, that may have no end."""
    with path.open("rb") as file:
        content = file.read(MOST_BYTES + 1)
    if len(content) > MOST_BYTES:
        raise UserError(f"{path} is larger than {MOST_BYTES // 1_000_000} MB; a script is a list of turns.", str(path))
    return content


def check(turns: list[Turn], path: Path) -> None:
    """Play the turns without a model.

    Raises:
        UserError: naming the first turn that cannot be played, and why.
    """
    if not turns:
        raise UserError(f"{path} has no turns.", str(path))
    questions: dict[str, list[str]] = {}
    for number, turn in enumerate(turns):
        reason = _misfit(turn, questions.setdefault(turn.chat, []))
        if reason:
            raise UserError(f"{path}: turn {number} {reason}.", str(path))
        _play(turn, questions[turn.chat])


def _misfit(turn: Turn, asked: list[str]) -> str:
    """Say why a turn cannot follow; empty where it can."""
    if turn.regenerate:
        return _cannot_regenerate(turn, asked)
    if turn.text is None:
        return "has no text"
    if turn.system is not None and asked:
        return f"sets the system prompt, which only the first turn of chat {turn.chat!r} can"
    if turn.edit is not None and turn.edit >= len(asked):
        return f"edits question {turn.edit}, but chat {turn.chat!r} has {len(asked)} (counted from 0)"
    return ""


def _cannot_regenerate(turn: Turn, asked: list[str]) -> str:
    if turn.edit is not None:
        return "cannot both edit and regenerate"
    if not asked:
        return f"regenerates, but chat {turn.chat!r} has no question yet"
    if turn.images or turn.system is not None or turn.text not in (None, "", asked[-1]):
        return "regenerates, so it takes no new text, images or system prompt"
    return ""


def _play(turn: Turn, asked: list[str]) -> None:
    if turn.regenerate:
        return
    if turn.edit is not None:
        del asked[turn.edit :]
    asked.append(turn.text or "")


def _first(error: ValidationError) -> str:
    """Return what is wrong first, and where: ``turn 2: entry 0 of “images” must be a text, not 5``."""
    problem = error.errors(include_url=False)[0]
    place = problem["loc"]
    if not place:
        return "a script is a list of turns"
    name = f"“{place[1]}”" if len(place) > 1 else ""
    where = f"entry {place[2]} of {name}" if len(place) > 2 else name
    if problem["type"] == "extra_forbidden":
        return f"turn {place[0]}: {where} is unknown; a turn may have {', '.join(Turn.model_fields)}"
    wanted = WANTED[problem["type"]].format(**problem.get("ctx", {}))
    value = json.dumps(problem["input"], ensure_ascii=False)
    return f"turn {place[0]}: {where or 'it'} must be {wanted}, not {value[:MOST_SHOWN]}"
