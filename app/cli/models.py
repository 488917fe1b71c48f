"""``models``: what is on this machine, whether it fits into memory, and which identity its caches carry."""

from __future__ import annotations

import argparse
import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from app.cli import config

if TYPE_CHECKING:
    from app.cli.model_facts import ModelFacts

MB = 1_000_000


def add_to(commands: Any) -> None:
    """Declare the command."""
    command = commands.add_parser("models", help="models on this machine: list, fit, identity")
    command.add_argument("action", choices=ACTIONS)
    command.add_argument("ref", nargs="?", metavar="REF", help="demo, a folder, or a Hugging Face repository id")
    command.add_argument("--json", action="store_true", help="JSON on stdout")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Do it and print the result.

    Raises:
        UserError: the model cannot be loaded.
    """
    ref = arguments.ref or config.load_settings().model.ref
    result, words = ACTIONS[arguments.action](ref)
    print(json.dumps(result, ensure_ascii=False) if arguments.json else words)


def _list(_ref: str) -> tuple[list[dict[str, Any]], str]:
    from app.cli.model_facts import installed

    found = installed()
    return [asdict(model) for model in found], "\n".join(map(_line, found))


def _fit(ref: str) -> tuple[dict[str, Any], str]:
    import psutil  # type: ignore[import-untyped]

    from app.cli.model_facts import facts

    model = facts(ref)
    free = psutil.virtual_memory().available
    tokens = model.tokens_that_fit(free)
    result = asdict(model) | {"free_bytes": free, "fits": tokens > 0, "tokens_that_fit": tokens}
    verdict = f"{tokens:,} of {model.context_length:,} tokens of context fit beside it" if tokens else "it does not fit"
    return result, f"{ref} takes {model.memory_bytes / MB:,.0f} MB; {free / MB:,.0f} MB are free: {verdict}."


def _identity(ref: str) -> tuple[dict[str, Any], str]:
    from app.cli.engines import loaded
    from app.inference.engine import EngineConfig

    with loaded(EngineConfig(), ref) as engine:
        info = engine.model
        assert info is not None
        return asdict(info), f"{info.ref}: {info.identity}"


def _line(model: ModelFacts) -> str:
    if model.problem:
        return f"{model.ref}: cannot be loaded. {model.problem}"
    kind = "sees images" if model.sees_images else "text only"
    bits = f", {model.quantization} bits" if model.quantization else ""
    return (
        f"{model.ref}: {model.family}, {kind}{bits}, {model.disk_bytes / MB:,.0f} MB, {model.context_length:,} tokens"
    )


ACTIONS = {"list": _list, "fit": _fit, "identity": _identity}
