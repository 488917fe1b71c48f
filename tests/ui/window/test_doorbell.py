"""A second start on the same data folder hands over its files and leaves."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from app import paths
from app.ui.application import listen
from app.ui.doorbell import LARGEST, Doorbell, ring, socket_path
from app.ui.opened_files import OpenedFiles


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return paths.private_folder(tmp_path / "data")


@pytest.fixture
def bell(qapp, folder: Path) -> Iterator[Doorbell]:
    made = Doorbell(folder)
    yield made
    made.close()


def rings(folder: Path, *files: Path) -> subprocess.Popen[str]:
    """Ring from another process, as the listener's own loop has to answer."""
    code = (
        "import sys; from pathlib import Path; from app.ui.doorbell import ring;"
        "sys.exit(not ring(Path(sys.argv[1]), [Path(p) for p in sys.argv[2:]]))"
    )
    return subprocess.Popen([sys.executable, "-c", code, str(folder), *map(str, files)], text=True)


def test_files_arrive_whatever_they_are_called(qtbot, bell: Doorbell, folder: Path) -> None:
    odd = os.fsdecode(b"not utf-8 \xff.png")
    files = [folder / "a picture.png", folder / "Bild\nmit ümlaut.png", folder / odd]
    with qtbot.waitSignal(bell.rung, timeout=60_000) as rung:
        process = rings(folder, *files)
    assert rung.args == [files]
    assert process.wait(60) == 0


def test_a_start_without_files_rings_too(qtbot, bell: Doorbell, folder: Path) -> None:
    with qtbot.waitSignal(bell.rung, timeout=60_000) as rung:
        process = rings(folder)
    assert rung.args == [[]]
    assert process.wait(60) == 0


def test_only_the_user_can_ring(bell: Doorbell, folder: Path) -> None:
    assert socket_path(folder).stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700


def test_nobody_answers_where_no_window_is(folder: Path) -> None:
    assert not ring(folder, [])


def test_what_a_killed_window_left_is_no_hindrance(qapp, folder: Path) -> None:
    left = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    left.bind(str(socket_path(folder)))
    left.close()
    assert not ring(folder, [])
    bell = Doorbell(folder)
    bell.close()
    assert not socket_path(folder).exists()


def test_a_flood_is_not_taken(qtbot, bell: Doorbell, folder: Path) -> None:
    code = (
        "import socket, sys; s = socket.socket(socket.AF_UNIX); s.connect(sys.argv[1]);"
        "s.sendall(b'x' * int(sys.argv[2])); s.shutdown(1); s.recv(1)"
    )
    with qtbot.waitSignal(bell.rung, timeout=60_000) as rung:
        flood = subprocess.Popen([sys.executable, "-c", code, str(socket_path(folder)), str(LARGEST + 1)])
    assert rung.args == [[]]
    flood.wait(60)


def test_a_long_data_folder_has_its_socket_elsewhere_and_private(qapp, tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    long = tmp_path / ("x" * 120)
    place = socket_path(long)
    assert place.parent.stat().st_mode & 0o777 == 0o700
    bell = Doorbell(long)
    bell.close()
    place.parent.chmod(0o755)
    with pytest.raises(PermissionError):
        socket_path(long)


def test_a_second_start_attaches_in_the_first_window_and_leaves(qtbot, qapp, open_desk, pictures: Path) -> None:
    desk = open_desk(model__load_at_start=False)
    desk.wait(lambda: desk.controller.started)
    opener = OpenedFiles(qapp, desk.window.composer.add_files)
    assert listen(desk.opened, opener) is not None
    desk.window.showMinimized()
    second = subprocess.Popen(
        [sys.executable, "-m", "app", str(pictures / "first.png"), str(pictures / "second.png")],
        stderr=subprocess.PIPE,
        text=True,
    )
    desk.wait(lambda: len(desk.window.composer.draft().images) == 2)
    assert [item.name for item in desk.window.composer.strip.items()] == ["first.png", "second.png"]
    assert second.communicate(timeout=60)[1] == ""
    assert second.returncode == 0
    assert not desk.window.isMinimized()
    qapp.removeEventFilter(opener)
