"""What is built from the checkout, and a stand-in for a checkout to run commands in."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

ROOT = Path(__file__).parents[2]
SHARED = ("app", "packaging", "resources", "tests", "pyproject.toml", "LICENSE", "README.md")
"""What commands of the documents need of the checkout."""


def run(*command: str | Path, cwd: Path, patience: float = 280, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command without this process's Python path, for at most ``patience`` seconds, and return what it said."""
    clean = {name: value for name, value in os.environ.items() if name not in {"PYTHONPATH", "PYTHONHOME"}}
    return subprocess.run(
        list(map(str, command)),
        cwd=cwd,
        env={**clean, **environment},
        capture_output=True,
        text=True,
        timeout=patience,
        check=False,
    )


def fenced(language: str, document: Path) -> list[str]:
    """Return the contents of a document's code blocks in ``language``."""
    text = document.read_text(encoding="utf-8")
    found: list[str] = re.findall(rf"^```{language}\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    return found


def draw_picture(target: Path) -> None:
    """Draw something that the demo model knows."""
    picture = Image.new("RGB", (448, 336), "white")
    ImageDraw.Draw(picture).ellipse((120, 70, 320, 270), fill="#d02020")
    picture.save(target)


@pytest.fixture
def stand_in(tmp_path: Path) -> Path:
    """Return a folder that looks like a checkout that was set up, with the files that the documents speak of."""
    for name in SHARED:
        (tmp_path / name).symlink_to(ROOT / name)
    programs = tmp_path / ".venv" / "bin"
    programs.mkdir(parents=True)
    (programs / "python").write_text(f'#!/bin/sh\nexec "{sys.executable}" "$@"\n')
    (programs / "python").chmod(0o755)
    draw_picture(tmp_path / "picture.png")
    (tmp_path / "turns.json").write_text(fenced("json", ROOT / "README.md")[0])
    return tmp_path


@pytest.fixture(scope="session")
def dist(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the wheel and the sdist of the checkout."""
    folder = tmp_path_factory.mktemp("dist")
    build(ROOT, folder)
    return folder


def build(source: Path, target: Path) -> None:
    """Build both archives from the project in ``source``."""
    done = run(sys.executable, "-m", "hatchling", "build", "--directory", target, cwd=source)
    assert done.returncode == 0, done.stderr
