from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from PIL import Image, ImageDraw

ROOT = Path(__file__).parents[2]


@dataclass(frozen=True)
class Result:
    status: int
    out: str
    err: str

    @property
    def turns(self) -> list[dict[str, Any]]:
        assert self.status == 0, self.err
        return [json.loads(line) for line in self.out.splitlines()]


def run(*arguments: object) -> Result:
    """Run ``python -m app`` as a user does, in a process of its own."""
    command = [sys.executable, "-m", "app", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, timeout=240, check=False)
    return Result(done.returncode, done.stdout, done.stderr)


def drawing(shape: str, colour: str, size: tuple[int, int] = (224, 160)) -> Image.Image:
    picture = Image.new("RGB", size, "white")
    pen = ImageDraw.Draw(picture)
    box = (60, 40, 140, 120)
    pen.ellipse(box, fill=colour) if shape == "circle" else pen.rectangle(box, fill=colour)
    return picture


@pytest.fixture(scope="session")
def pictures(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with three pictures, two of them of equal size, and files that are none."""
    folder = tmp_path_factory.mktemp("pictures")
    drawing("circle", "red").save(folder / "first.png")
    drawing("square", "blue").save(folder / "other.png")
    drawing("circle", "green", (192, 192)).save(folder / "second.jpg", quality=95)
    drawing("circle", "red").save(folder / "renamed.bmp")
    (folder / "empty.png").touch()
    (folder / "words.png").write_text("no picture at all")
    (folder / "cut.png").write_bytes((folder / "first.png").read_bytes()[:200])
    return folder
