"""What docs/security.md promises of the whole app: no connection, and folders for the owner alone."""

from __future__ import annotations

import sys
from pathlib import Path

from tests.packaging.conftest import ROOT, draw_picture, run

NO_NETWORK = """
import socket, sys
tried = []
def refuse(self, address):
    tried.append(address)
    raise OSError("no network here")
socket.socket.connect = socket.socket.connect_ex = refuse
def resolve(*arguments, **keywords):
    tried.append(arguments)
    raise OSError("no network here")
socket.getaddrinfo = resolve
from app.cli.main import main
status = main(sys.argv[1:])
print(tried, file=sys.stderr)
sys.exit(status or bool(tried))
"""


def test_a_question_about_a_picture_connects_to_nothing_and_leaves_nothing_readable(
    tmp_path: Path, fresh_folders: Path
) -> None:
    draw_picture(tmp_path / "picture.png")
    disk = fresh_folders / "data" / "disk"
    ask = ("ask", "--image", tmp_path / "picture.png", "--max-tokens", "4", "--ssd-dir", disk)
    done = run(sys.executable, "-c", NO_NETWORK, *ask, "What is this?", cwd=ROOT, HF_HUB_OFFLINE="0")
    assert done.returncode == 0, done.stderr
    made = [path for path in (fresh_folders / "data").rglob("*") if path.is_dir()]
    assert {"logs", "second-glance-cache", "entries"} <= {path.name for path in made}
    open_to_others = [path for path in (fresh_folders / "data", *made) if path.stat().st_mode & 0o077]
    inside = [path for path in open_to_others if not closed_above(path, fresh_folders)]
    assert inside == []


def closed_above(path: Path, top: Path) -> bool:
    """Whether a folder above ``path`` keeps others out."""
    above = [parent for parent in path.parents if parent.is_relative_to(top) and parent != top]
    return any(not parent.stat().st_mode & 0o077 for parent in above)
