"""``bench``: ratios measured in one run; each benchmark is a module of ``app.bench`` with its own options."""

from __future__ import annotations

import argparse
import importlib
from typing import Any

BENCHMARKS = ("cache", "blocks", "turns", "ui", "ssd")


def add_to(commands: Any) -> None:
    """Declare the command."""
    command = commands.add_parser("bench", help="measure what the caches save", add_help=False)
    command.add_argument("benchmark", choices=BENCHMARKS)
    command.add_argument("options", nargs=argparse.REMAINDER, help="see: bench BENCHMARK --help")
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> None:
    """Hand over to the benchmark's ``main(options)``; its own exit status counts."""
    benchmark = importlib.import_module(f"app.bench.{arguments.benchmark}")
    status = benchmark.main(arguments.options)
    if status:
        raise SystemExit(status)
