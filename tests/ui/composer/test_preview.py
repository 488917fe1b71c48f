"""The quick small picture before the thumbnail, of every format that pictures come in."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from PIL import Image

FORMATS = ("png", "jpg", "bmp", "gif", "webp", "tif", "ico", "ppm", "tga")
LOOK = """
import sys
from pathlib import Path
from PySide6.QtGui import QGuiApplication
from app.ui.composer.preview import preview
app = QGuiApplication([])
for name in sys.argv[1:]:
    image = preview(Path(name).read_bytes())
    print(Path(name).suffix, (image.width(), image.height()) if image else None)
"""


def test_every_format_is_looked_at_and_let_go(tmp_path: Path) -> None:
    """In a process of its own: Qt's reader of a format that outlives what it reads from takes all of it down."""
    files = [tmp_path / f"picture.{format_}" for format_ in FORMATS]
    for file in files:
        Image.new("RGB", (300, 60), "red").save(file)
    ended = subprocess.run(
        [sys.executable, "-c", LOOK, *files], capture_output=True, text=True, check=False, timeout=120
    )
    assert ended.returncode == 0, ended.stderr
    seen = dict(line.split(" ", 1) for line in ended.stdout.splitlines())
    assert set(seen) == {file.suffix for file in files}
    assert {seen[suffix] for suffix in (".png", ".jpg", ".bmp", ".gif", ".webp", ".tif")} == {"(256, 51)"}
