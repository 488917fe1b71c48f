"""The command line of the benchmark."""

from __future__ import annotations

import argparse
import json
import platform
import sys
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path


def main(options: Sequence[str]) -> int:
    """Run the benchmark with command-line ``options`` and print the results."""
    from app.bench.turns.peers import peer_options
    from app.bench.turns.report import goals, page, table
    from app.bench.turns.runner import run_all
    from app.bench.workshop import folder_of, side_for

    arguments = _parser(list(peer_options())).parse_args(options)
    peers = [] if arguments.peers == ["none"] else arguments.peers
    side = arguments.side or side_for(arguments.model)
    with folder_of(arguments.model) as ref:
        results = run_all(ref, side, arguments.repeats, peers, _say, arguments.vllm_mlx)
    if arguments.html:
        Path(arguments.html).write_text(page(results), encoding="utf-8")
    if arguments.json:
        lines = [line.to_dict() for line in results.lines]
        print(json.dumps({"model": results.model, "repeats": results.repeats, "goals": goals(results), "lines": lines}))
        return 0
    versions = ", ".join(f"{name} {version(name)}" for name in ("mlx", "mlx-lm", "mlx-vlm"))
    print(f"{results.model}, medians of {results.repeats}; {platform.machine()}, {versions}\n")
    print("\n".join(table(results)))
    print("\n" + "\n".join(f"{name}: {value:.3f}" for name, value in goals(results).items()))
    return 0


def _say(name: str) -> None:
    print(f"… {name}", file=sys.stderr)


def _parser(peers: Sequence[str]) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser("python -m app bench turns", description=__doc__)
    parser.add_argument(
        "--model", default="demo", help="demo, mid (100M random weights, made for this run) or a folder"
    )
    parser.add_argument(
        "--peers", nargs="*", default=list(peers), metavar="NAME", help=f"none, or of: {', '.join(peers)}"
    )
    parser.add_argument(
        "--vllm-mlx", type=Path, metavar="PROGRAM", help="console script of vllm-mlx, from an environment of its own"
    )
    parser.add_argument("--repeats", type=int, default=5, help="runs of which the median counts (5)")
    parser.add_argument("--side", type=int, default=0, help="side of the pictures in pixels (168; mid: 448)")
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    parser.add_argument("--html", metavar="FILE", help="also write a page with charts")
    return parser
