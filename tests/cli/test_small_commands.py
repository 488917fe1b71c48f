from __future__ import annotations

import json
from pathlib import Path
from types import ModuleType

import pytest

from app.cli.bench import lines, options_of
from app.cli.main import main
from app.settings.docs import markdown


def test_our_own_failure_is_status_1_with_its_traceback(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def broken() -> str:
        raise ZeroDivisionError("half a thought")

    monkeypatch.setattr("app.cli.settings.markdown", broken)
    assert main(["settings", "--docs"]) == 1
    assert "ZeroDivisionError: half a thought" in capsys.readouterr().err


def test_ctrl_c_is_status_130(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupted() -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr("app.cli.settings.markdown", interrupted)
    assert main(["settings", "--docs"]) == 130


def test_settings_prints_the_page_or_what_is_in_force(fresh_folders: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["settings", "--docs"]) == 0
    assert capsys.readouterr().out == markdown()
    (fresh_folders / "config").mkdir()
    (fresh_folders / "config" / "settings.toml").write_text("[caches]\nprefix_mb = 5\nvision_mb = -1\n")
    assert main(["settings"]) == 0
    printed = capsys.readouterr()
    assert "caches.prefix_mb = 5\n" in printed.out
    assert "caches.vision_mb = 512\n" in printed.out
    assert "Memory for images must be 0 to 1048576 MB, not -1" in printed.err


def test_the_keywords_of_a_benchmark_are_its_options(capsys: pytest.CaptureFixture[str]) -> None:
    module = ModuleType("sample")
    module.__doc__ = "Measures nothing."
    module.run = lambda entries=10, share=0.5, name="x", fast=False: None
    parsed = options_of(module, "sample").parse_args(["--entries", "3", "--share", "0.25", "--fast"])
    assert vars(parsed) == {"entries": 3, "share": 0.25, "name": "x", "fast": True, "json": False}
    assert lines({"a": 1, "b": {"c": 0.123456}}) == ["a: 1", "b:", "  c: 0.1235"]


def test_the_disk_cache_of_a_fresh_user_is_empty_and_not_made(
    fresh_folders: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for action in ("stats", "verify", "clear"):
        assert main(["cache", action, "--json"]) == 0
        result = json.loads(capsys.readouterr().out)
        assert (result["entries"], result["disk_bytes"]) == (0, 0)
    assert not (fresh_folders / "data").exists()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["cache", "stats", "--ssd-dir", str(tmp_path / "gone")]) == 2
    assert str(tmp_path / "gone") in capsys.readouterr().err
