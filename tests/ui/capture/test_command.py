"""macOS's ``screencapture``, played by a script: what it writes arrives, and nothing else."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.ui.capture.capture import system_tool
from app.ui.capture.command import MISSING, CommandCapture


def test_what_the_user_chose_arrives(qtbot, screencapture: Callable[[str], None], shot: Path) -> None:
    screencapture(f'cp "{shot}" "$target"')
    tool = CommandCapture()
    with qtbot.waitSignal(tool.checked) as checked:
        tool.check()
    assert checked.args == [""]
    with qtbot.waitSignal(tool.captured) as captured:
        tool.start()
    assert captured.args == [shot.read_bytes()]


def test_escape_leaves_nothing(qtbot, screencapture: Callable[[str], None]) -> None:
    screencapture("exit 1")
    tool = CommandCapture()
    with qtbot.waitSignal(tool.cancelled), qtbot.assertNotEmitted(tool.captured), qtbot.assertNotEmitted(tool.failed):
        tool.start()


def test_its_own_words_are_passed_on(qtbot, screencapture: Callable[[str], None]) -> None:
    screencapture("echo could not create image from display >&2; exit 1")
    tool = CommandCapture()
    with qtbot.waitSignal(tool.failed) as failed:
        tool.start()
    assert failed.args == ["The screen could not be captured: could not create image from display"]


def test_pressed_twice_it_asks_once(qtbot, screencapture: Callable[[str], None], shot: Path, tmp_path: Path) -> None:
    screencapture(f'echo x >> "{tmp_path}/runs"; cp "{shot}" "$target"')
    tool = CommandCapture()
    with qtbot.waitSignal(tool.captured):
        tool.start()
        tool.start()
    assert (tmp_path / "runs").read_text() == "x\n"


def test_without_the_command_it_says_so(qtbot, monkeypatch) -> None:
    monkeypatch.setenv("PATH", "")
    tool = CommandCapture()
    with qtbot.waitSignal(tool.checked) as checked:
        tool.check()
    assert checked.args == [MISSING]
    with qtbot.waitSignal(tool.failed):
        tool.start()


def test_the_system_decides_which_tool_it_is(qapp) -> None:
    assert isinstance(system_tool("darwin"), CommandCapture)
    assert type(system_tool("win32")).__name__ == "CaptureTool"
    assert type(system_tool("linux")).__name__ == "PortalCapture"
