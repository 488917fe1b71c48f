"""The start script, without installing anything for real."""

from __future__ import annotations

import importlib.util
import subprocess
import sys
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def start(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    """The script, set up to work on an empty project."""
    spec = importlib.util.spec_from_file_location("start", ROOT / "packaging" / "start.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    (tmp_path / "pyproject.toml").write_text("[project]\nname = 'x'\n")
    monkeypatch.setattr(module, "ROOT", tmp_path)
    monkeypatch.setattr(module, "ENVIRONMENT", tmp_path / ".venv")
    monkeypatch.setattr(module, "PYTHON", tmp_path / ".venv" / "bin" / "python")
    return module


@pytest.fixture
def commands(start: ModuleType, monkeypatch: pytest.MonkeyPatch) -> list[list[str]]:
    """What the script runs; making an environment only makes its interpreter's file."""
    monkeypatch.delenv(start.BUNDLE, raising=False)
    ran: list[list[str]] = []

    def create(folder: Path, **_options: bool) -> None:
        (folder / "bin").mkdir(parents=True)
        (folder / "bin" / "python").touch()

    def run(command: list[str], **_options: object) -> SimpleNamespace:
        ran.append(command)
        return SimpleNamespace(returncode=1 if "mypy" in command else 0)

    monkeypatch.setattr(start.venv, "create", create)
    monkeypatch.setattr(subprocess, "run", run)
    return ran


def test_the_first_start_installs_and_the_second_only_starts(start: ModuleType, commands: list[list[str]]) -> None:
    assert start.main(["ask", "hello"]) == 0
    install, app = commands
    assert install[1:4] == ["-m", "pip", "install"]
    assert install[-1] == "."
    assert app[1:] == ["-m", "app", "ask", "hello"]
    commands.clear()
    assert start.main([]) == 0
    assert [command[1:] for command in commands] == [["-m", "app"]]


def test_another_project_file_installs_again(start: ModuleType, commands: list[list[str]]) -> None:
    start.set_up("")
    (start.ROOT / "pyproject.toml").write_text("[project]\nname = 'y'\n")
    start.set_up("")
    assert len(commands) == 2


def test_a_failed_installation_is_tried_again(
    start: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(command: list[str], **_options: object) -> None:
        raise subprocess.CalledProcessError(1, command)

    with monkeypatch.context() as broken:
        broken.setattr(subprocess, "run", fail)
        with pytest.raises(subprocess.CalledProcessError):
            start.set_up("")
    start.set_up("")
    assert len(commands) == 1


def test_all_checks_run_even_after_one_failed_and_pytest_ends_the_output(
    start: ModuleType, commands: list[list[str]], capsys: pytest.CaptureFixture[str]
) -> None:
    assert start.main(["test", "-x"]) == 1
    install, *checks = commands
    assert install[-1] == ".[dev]"
    assert [Path(command[0]).name for command in checks].count("lint-imports") == 1
    assert checks[-1][1:3] == ["-m", "pytest"]
    assert checks[-1][-1] == "-x"
    assert len(checks) == len(start.CHECKS)
    assert "Failed: mypy" in capsys.readouterr().err


def test_the_bundle_s_tools_are_installed_where_a_test_builds_it(
    start: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(start.BUNDLE, "build")
    start.main(["test"])
    assert commands[0][-1] == ".[dev,bundle]"


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere nothing of the system's is missing")
def test_a_window_that_does_not_come_up_names_the_libraries_that_it_lacks(
    start: ModuleType, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(start, "set_up", lambda extra: None)
    monkeypatch.setenv("QT_QPA_PLATFORM", "")
    monkeypatch.setenv("DISPLAY", ":0")
    statuses = iter((-6, -6, 2))
    found = iter(("libegl1\nlibxcb-cursor0\n", ""))

    def run(command: list[str], **options: object) -> SimpleNamespace:
        searched = command[0].endswith("missing.sh")
        return SimpleNamespace(stdout=next(found)) if searched else SimpleNamespace(returncode=next(statuses))

    monkeypatch.setattr(subprocess, "run", run)
    assert start.main([]) == -6
    said = capsys.readouterr().err
    assert "sudo apt install libegl1 libxcb-cursor0" in said
    assert "no display" not in said
    monkeypatch.delenv("DISPLAY")
    monkeypatch.delenv("WAYLAND_DISPLAY", raising=False)
    assert start.main([]) == -6
    assert "no display" in capsys.readouterr().err
    assert start.main(["ask", ""]) == 2, "refused; no library is looked for"
    assert capsys.readouterr().err == ""


def test_an_old_python_is_told_what_is_needed(
    start: ModuleType, commands: list[list[str]], monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "version_info", (3, 9))
    assert start.main([]) == 2
    assert "Python 3.11 or newer" in capsys.readouterr().err
    assert commands == []


def test_the_script_can_be_read_by_an_old_python() -> None:
    import ast

    ast.parse((ROOT / "packaging" / "start.py").read_text(encoding="utf-8"), feature_version=(3, 8))


def test_the_check_script_is_sound_and_runs_the_same_checks() -> None:
    script = ROOT / ".ci" / "run"
    subprocess.run(["bash", "-n", str(script)], check=True)
    content = script.read_text(encoding="utf-8")
    assert "set -euo pipefail" in content
    assert "packaging/start.py test" in content
