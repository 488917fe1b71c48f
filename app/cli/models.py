"""``models``: what is on this machine, whether it fits, which identity its caches carry, and making a smaller copy."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from app.cache.config import MIB
from app.cli import config
from app.errors import UserError

if TYPE_CHECKING:
    from app.inference.library.facts import ModelFacts
    from app.settings.declarations import Settings

MB = 1_000_000
VERDICTS = {"fits": "fits", "tight": "is tight", "too_large": "does not fit"}


def add_to(commands: Any) -> None:
    """Declare the command."""
    command = commands.add_parser("models", help="models on this machine: list, fit, identity, quantize")
    command.add_argument("action", choices=(*ACTIONS, "quantize"))
    command.add_argument(
        "ref", nargs="?", type=config.model, metavar="REF", help="demo, a folder, or a Hugging Face repository id"
    )
    command.add_argument("--json", action="store_true", help="JSON on stdout")
    command.add_argument("--bits", type=int, choices=(4, 8), default=4, help="quantize: bits per weight (4)")
    command.add_argument("--to", metavar="FOLDER", help="quantize: where the copy goes")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Do it and print the result.

    Raises:
        UserError: the model cannot be loaded, or ``list`` was given one.
    """
    if arguments.action == "list" and arguments.ref:
        raise UserError(f"list takes no name; about one model: models fit {arguments.ref}")
    settings = config.load_settings()
    ref = arguments.ref or settings.model.ref
    outcome: tuple[Any, str] = (
        _quantize(ref, arguments.to, arguments.bits)
        if arguments.action == "quantize"
        else ACTIONS[arguments.action](ref, settings)
    )
    result, words = outcome
    print(json.dumps(result, ensure_ascii=False) if arguments.json else words)


def _list(_ref: str, settings: Settings) -> tuple[list[dict[str, Any]], str]:
    from app.inference.library.discover import installed

    found = installed(settings.model.folders)
    return [asdict(model) for model in found], "\n".join(map(_line, found))


def _fit(ref: str, settings: Settings) -> tuple[dict[str, Any], str]:
    from app.inference.library.facts import facts
    from app.inference.library.fit import available_bytes, fit

    model = facts(ref)
    found = fit(model, available_bytes(), caches=(settings.caches.prefix_mb + settings.caches.vision_mb) * MIB)
    result = asdict(model) | asdict(found) | {"fits": found.verdict != "too_large", "verdict": found.verdict}
    parts = (
        f"weights {found.weights / MB:,.0f} MB, {found.tokens:,} tokens {found.state / MB:,.0f} MB, "
        f"a picture {found.vision / MB:,.0f} MB, caches {found.caches / MB:,.0f} MB"
    )
    return result, (
        f"{ref} {VERDICTS[found.verdict]}: up to {found.total / MB:,.0f} MB ({parts}) "
        f"of {found.available / MB:,.0f} MB; "
        f"{found.tokens_that_fit:,} of {model.context_length:,} tokens of context fit beside it."
    )


def _identity(ref: str, _settings: Settings) -> tuple[dict[str, Any], str]:
    from app.cli.engines import loaded
    from app.inference.engine import EngineConfig

    with loaded(EngineConfig(), ref) as engine:
        info = engine.model
        assert info is not None
        return asdict(info), f"{info.ref}: {info.identity}"


def _quantize(ref: str, target: str | None, bits: Literal[4, 8]) -> tuple[dict[str, Any], str]:
    from app.cli.engines import show_progress
    from app.inference.library.facts import facts
    from app.inference.quantizing import quantize

    if not target:
        raise UserError("Say where the copy goes: --to FOLDER.")
    quantize(ref, Path(target).expanduser().absolute(), bits, show_progress)
    made = facts(str(Path(target).expanduser().absolute()))
    return asdict(made), _line(made)


def _line(model: ModelFacts) -> str:
    if model.problem:
        return f"{model.ref}: cannot be loaded. {model.problem}"
    kind = "sees images" if model.sees_images else "text only"
    bits = f", {model.quantization} bits" if model.quantization else ""
    return (
        f"{model.ref}: {model.family}, {kind}{bits}, {model.disk_bytes / MB:,.0f} MB, {model.context_length:,} tokens"
    )


ACTIONS = {"list": _list, "fit": _fit, "identity": _identity}
