"""Which arguments open the window: none, or files, as a desktop's “open with” gives them."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from app.__main__ import main
from app.cli import main as command_line
from app.ui import application


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the window or the command line was started with."""
    starts: list[list[str]] = []

    def start(kind: str, status: int):
        return lambda arguments: starts.append([kind, *arguments]) or status

    monkeypatch.setattr(application, "main", start("window", 7))
    monkeypatch.setattr(command_line, "main", start("commands", 9))
    return starts


def test_no_arguments_and_files_open_the_window(
    opened: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    picture = tmp_path / "a picture.png"
    picture.touch()
    for files in ([], [str(picture)], [str(picture), str(picture)]):
        monkeypatch.setattr(sys, "argv", ["second-glance", *files])
        assert main() == 7
        assert opened.pop() == ["window", "second-glance", *files]


def test_anything_else_is_a_command(opened: list[list[str]], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "settings").touch()
    for arguments in (["settings"], ["ask", "Hello"], ["--help"], [str(tmp_path / "missing.png")]):
        monkeypatch.setattr(sys, "argv", ["second-glance", *arguments])
        assert main() == 9
        assert opened.pop() == ["commands", *arguments]
