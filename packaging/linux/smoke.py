"""Use a built bundle as a user does, and compare it with the checkout. Prints sizes and times.

``python packaging/linux/smoke.py BUNDLE [FAMILY …]``: the demo model answers as in the checkout, the window takes the
tour of the README off screen (and on the X server that ``DISPLAY`` names), and every FAMILY of ``tests/models`` opens.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "packaging")]

from tour import REPORT, draw  # noqa: E402 - found by the line above

QUESTION = "What is in the picture?"
SAMPLE = ROOT / "resources" / "samples" / "budget.png"
PARTS = (
    "QtDBus.abi3.so",
    "QtPrintSupport.abi3.so",
    "Qt/plugins/platforms/libqwayland*.so",
    "Qt/plugins/printsupport/*.so",
)
"""Of PySide6; without them nothing but a desktop's portal, printers or compositor is missing."""
PATIENCE = 300


class Bundle:
    """The bundle, run with nothing of this environment but a home folder."""

    def __init__(self, folder: Path, home: Path) -> None:
        self.folder = folder.resolve()
        self.home = home

    def run(self, *arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[str]:
        clean = {"HOME": str(self.home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8", **environment}
        return run(self.folder / "second-glance", *arguments, environment=clean)

    def size(self) -> int:
        files = [path for path in self.folder.rglob("*") if path.is_file() and not path.is_symlink()]
        return sum(path.stat().st_size for path in files)


def run(*command: str | Path, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        list(map(str, command)),
        cwd=environment["HOME"],
        env=environment,
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    if done.returncode:
        raise SystemExit(f"{' '.join(map(str, command))} ended with status {done.returncode}:\n{done.stderr}")
    return done


def answers_alike(bundle: Bundle) -> None:
    """The demo model reads a sample's title and says the same as in the checkout, on the same BLAS."""
    ask = ("ask", "--json", "--model", "demo", "--image", SAMPLE, "What does the title say?")
    began = time.monotonic()
    here = json.loads(bundle.run(*ask).stdout)
    print(f"ask, from start to end: {time.monotonic() - began:.1f} s: {here['text']}")
    checkout = {**os.environ, "HOME": str(bundle.home), "PYTHONPATH": str(ROOT)}
    there = json.loads(run(sys.executable, "-m", "app", *ask, environment=checkout).stdout)
    same = ("text", "token_ids", "prompt_tokens", "encoder_calls")
    if SAMPLE.stem not in here["text"].lower():
        raise SystemExit(f"{SAMPLE.name} has another title.")
    differing = {key: (here[key], there[key]) for key in same if here[key] != there[key]}
    if differing:
        raise SystemExit(f"The bundle answers differently from the checkout: {differing}")
    logs = "".join(path.read_text(encoding="utf-8") for path in bundle.home.rglob("*.log"))
    if "OpenBLAS from libopenblas" not in logs:
        raise SystemExit("The bundle does not use its OpenBLAS.")


def takes_the_tour(bundle: Bundle, platform: str, **environment: str) -> None:
    """The window opens, does what the README says, and closes."""
    report = bundle.home / f"{platform}.json"
    bundle.run(QT_QPA_PLATFORM=platform, **{REPORT: str(report)}, **environment)
    seen: dict[str, Any] = json.loads(report.read_text(encoding="utf-8"))
    if not seen["frozen"] or seen["platform"] != platform or not seen["app"].startswith(str(bundle.folder)):
        raise SystemExit(f"That was not the bundle on {platform}: {seen}")
    if "GNU LESSER GENERAL PUBLIC LICENSE" not in seen["licences"]:
        raise SystemExit("The About page does not show the licences that came with the bundle.")
    beyond = seen["beyond"]
    print(f"{beyond['sample']['picture']}: {beyond['sample']['answer']} PDF: {beyond['pdf_bytes']} bytes")
    print(f"screen capture: {beyond['capture']['says']}")
    print(f"window on {platform}: after {seen['seconds_to_window']} s, model after {seen['seconds_to_model']} s")


def opens_family(bundle: Bundle, family: str, picture: Path) -> None:
    """A tiny checkpoint of the family, made here, is opened by the bundle."""
    from tests.models import checkpoint

    seen = () if family.startswith("text_") else ("--image", picture)
    folder = checkpoint(family, bundle.home)
    done = bundle.run("ask", "--json", "--model", folder, "--max-tokens", "2", *seen, QUESTION)
    print(f"{family}: {json.loads(done.stdout)['prompt_tokens']} prompt tokens")


def has_its_papers(bundle: Bundle) -> None:
    """The licences, the menu entry and the parts that only some desktops ask for are there."""
    texts = bundle.folder / "_internal" / "app" / "_resources" / "third-party-licences.txt"
    entry = bundle.folder / "share" / "applications" / "second-glance.desktop"
    if "GNU LESSER GENERAL PUBLIC LICENSE" not in texts.read_text(encoding="utf-8") or not entry.is_file():
        raise SystemExit("The bundle lacks licences or its menu entry.")
    lacking = [part for part in PARTS if not any((bundle.folder / "_internal" / "PySide6").glob(part))]
    if lacking:
        raise SystemExit(f"The bundle lacks parts of Qt: {lacking}")


def main(folder: str, *families: str) -> None:
    with tempfile.TemporaryDirectory(prefix="second-glance-smoke-") as home:
        bundle = Bundle(Path(folder), Path(home))
        print(f"size: {bundle.size() / 1e6:.0f} MB")
        has_its_papers(bundle)
        began = time.monotonic()
        bundle.run("settings")
        print(f"settings, from start to end: {time.monotonic() - began:.2f} s")
        picture, _ = draw(Path(home))
        answers_alike(bundle)
        takes_the_tour(bundle, "offscreen")
        # xvfb-run asks for a key beside the number of its display.
        screen = {name: os.environ[name] for name in ("DISPLAY", "XAUTHORITY") if name in os.environ}
        if "DISPLAY" in screen:
            takes_the_tour(bundle, "xcb", **screen)
        for family in families:
            opens_family(bundle, family, picture)
    print("The bundle works.")


if __name__ == "__main__":
    main(*sys.argv[1:])
