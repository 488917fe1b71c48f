"""``bench``: figures and ratios measured in one run; each benchmark is a module of ``app.bench``.

Such a module has either ``main(options) -> exit status``, or ``run(**options) -> figures``, of which the keyword
parameters become options and the figures are printed.
"""

from __future__ import annotations

import argparse
import importlib
import inspect
import json
from collections.abc import Callable, Mapping, Sequence
from types import ModuleType
from typing import Any

BENCHMARKS = ("turns", "goals", "scaling", "cache", "blocks", "ssd", "identity", "ui")


def add_to(commands: Any) -> None:
    """Declare the command."""
    command = commands.add_parser("bench", help="measure what the caches save")
    command.add_argument("benchmark", choices=BENCHMARKS)
    options = command.add_argument("options", nargs=argparse.REMAINDER, help="bench BENCHMARK --help shows them")
    options.required = False  # argparse asks for one where there may be none
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Run the benchmark; an exit status of its own counts."""
    module = importlib.import_module(f"app.bench.{arguments.benchmark}")
    if hasattr(module, "main"):
        if status := module.main(arguments.options):
            raise SystemExit(status)
        return
    options = options_of(module, arguments.benchmark).parse_args(arguments.options)
    as_json = vars(options).pop("json")
    figures = module.run(**vars(options))
    print(json.dumps(figures, ensure_ascii=False) if as_json else "\n".join(lines(figures)))


def options_of(module: ModuleType, name: str) -> argparse.ArgumentParser:
    """Return a parser with one option per keyword parameter of ``module.run``; their defaults give the types."""
    parser = argparse.ArgumentParser(f"python -m app bench {name}", description=inspect.getdoc(module))
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    for parameter in inspect.signature(module.run).parameters.values():
        default = parameter.default
        option = f"--{parameter.name.replace('_', '-')}"
        if isinstance(default, bool):
            parser.add_argument(option, action=argparse.BooleanOptionalAction, default=default)
        else:
            kind: Callable[[str], Any] = str if default is None else type(default)
            parser.add_argument(option, type=kind, default=default, help=f"({default})")
    return parser


def lines(figures: Mapping[str, Any], indent: str = "") -> Sequence[str]:
    """Return figures as lines for people; nested ones are indented."""
    out: list[str] = []
    for name, value in figures.items():
        if isinstance(value, Mapping):
            out += [f"{indent}{name}:", *lines(value, indent + "  ")]
        else:
            out.append(f"{indent}{name}: {f'{value:.4g}' if isinstance(value, float) else value}")
    return out
