"""``python -m tests.models FAMILY DIR [--seed N]``; ``all`` makes every family, each in a folder of its own."""

from __future__ import annotations

import argparse
from pathlib import Path

from tests.models import FAMILIES, SPECS, build


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m tests.models", description=__doc__)
    parser.add_argument("family", choices=[*FAMILIES, "all"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=0)
    arguments = parser.parse_args()
    chosen = FAMILIES if arguments.family == "all" else (arguments.family,)
    for family in chosen:
        folder = arguments.folder / family if arguments.family == "all" else arguments.folder
        build(SPECS[family], folder, arguments.seed)
        size = sum(file.stat().st_size for file in folder.iterdir())
        print(f"{family}: {size / 1e6:.2f} MB in {folder}")


if __name__ == "__main__":
    main()
