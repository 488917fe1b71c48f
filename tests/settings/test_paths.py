from __future__ import annotations

import os
import stat
from pathlib import Path

import pytest

from app import paths
from app.files import write_atomically


def test_the_environment_moves_both_folders(fresh_folders: Path) -> None:
    assert paths.data_dir() == fresh_folders / "data"
    assert paths.settings_file() == fresh_folders / "config" / "settings.toml"
    assert paths.log_dir().is_relative_to(paths.data_dir())


def test_without_it_the_platforms_folders_are_used(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(paths.DATA_VARIABLE)
    monkeypatch.setenv(paths.CONFIG_VARIABLE, "")
    for folder in (paths.data_dir(), paths.config_dir()):
        assert folder.is_absolute()
        assert paths.APP_NAME in folder.parts


def test_the_demo_model_comes_with_the_checkout() -> None:
    assert (paths.demo_model_dir() / "config.json").is_file()


def test_a_write_replaces_whole_files_only(tmp_path: Path) -> None:
    target = tmp_path / "a.txt"
    write_atomically(target, b"old")
    write_atomically(target, b"new", mode=0o644)
    assert target.read_bytes() == b"new"
    assert stat.S_IMODE(target.stat().st_mode) == 0o644
    assert os.listdir(tmp_path) == ["a.txt"]


def test_a_failed_write_leaves_the_old_file_and_no_rubbish(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    target = tmp_path / "a.txt"
    write_atomically(target, b"old")

    def full(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(target, b"new")
    assert target.read_bytes() == b"old"
    assert os.listdir(tmp_path) == ["a.txt"]
