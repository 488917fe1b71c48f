"""Every command and every link in the documents works.

``SECOND_GLANCE_DOCUMENTS=all`` also runs the slow commands, and the README from a fresh environment, which installs
everything from the package registry.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shlex
import shutil
import signal
import subprocess
import time
from pathlib import Path

import pytest

from app.cli.main import parser
from tests.packaging.conftest import ROOT, run
from tests.packaging.documents import Command, commands, documents, links, mentioned

everything = pytest.mark.skipif(
    os.environ.get("SECOND_GLANCE_DOCUMENTS") != "all", reason="slow; SECOND_GLANCE_DOCUMENTS=all runs it"
)
PATIENCE = 1200
"""Seconds for what is slow, on a machine that has other things to do."""


def identify(value: object) -> str:
    return value.text if isinstance(value, Command) else str(value)


def shell(command: str, folder: Path, patience: float = 280) -> subprocess.CompletedProcess[str]:
    return run("bash", "-c", command, cwd=folder, patience=patience)


def test_every_command_of_the_documents_is_run_in_some_way() -> None:
    found = commands()
    assert {"README.md", "docs/developing.md", "docs/packaging.md"} <= {command.document for command in found}
    assert all(command.way for command in found)


@pytest.mark.parametrize("command", commands("as written"), ids=identify)
def test_a_command_works_as_written(command: Command, stand_in: Path) -> None:
    done = shell(command.text, stand_in)
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_links_lead_somewhere(path: Path) -> None:
    missing = [target for target in links(path) if not (path.parent / target).exists()]
    assert missing == []


@pytest.mark.parametrize("path", documents(), ids=lambda path: str(path.relative_to(ROOT)))
def test_what_the_running_text_names_is_there(path: Path) -> None:
    """Commands are taken by the command line; modules and files exist (but those that only a wheel has)."""
    for code in mentioned(path):
        first, *words = shlex.split(code) if code.startswith("python -m ") else [""]
        if words[:2] == ["-m", "app"]:
            assert parser().parse_args(words[2:]).run
        elif first:
            assert importlib.util.find_spec(words[1]), code
        elif re.fullmatch(r"(app|docs|packaging|resources|tests|\.ci)/(?!_)[\w./-]+", code):
            places = (ROOT / code, path.parent / code, *(ROOT / f"{code}{end}" for end in (".py", "/__init__.py")))
            assert any(place.exists() for place in places), code


def test_the_checks_run_what_the_documents_leave_to_them() -> None:
    """The whole suite, a part of it, and what the tests of the wheel do."""
    left = {command.text.split(maxsplit=1)[1] for command in commands("by the checks")}
    parts = {text for text in left if text.startswith("-m pytest ")}
    assert left - parts == {
        "packaging/start.py test",
        "packaging/tour.py",
        "-m hatchling build",
    }
    assert "packaging/start.py test" in (ROOT / ".ci" / "run").read_text(encoding="utf-8")
    assert all(any((ROOT / part.split()[2]).rglob("test_*.py")) for part in parts)


@pytest.mark.parametrize("command", commands("built bundle", "on a Mac"), ids=identify)
def test_scripts_that_run_elsewhere_exist_and_can_be_read(command: Command) -> None:
    (name,) = (word for word in command.text.split() if word.startswith((".ci/", "packaging/")))
    script = ROOT / name
    assert os.access(script, os.X_OK) or script.suffix == ".py"
    check = ("-n", script) if script.suffix != ".py" else ("-c", f'python3 -m py_compile "{script}"')
    assert run("bash", *check, cwd=ROOT).returncode == 0


@everything
@pytest.mark.timeout(2 * PATIENCE)
@pytest.mark.parametrize("command", commands("on request"), ids=identify)
def test_a_slow_command_works(command: Command, stand_in: Path) -> None:
    pictures = f" {stand_in}/pictures" if command.text.endswith("screenshots.py") else ""
    done = shell(command.text + pictures, stand_in, PATIENCE)
    assert done.returncode == 0, done.stderr


@everything
@pytest.mark.timeout(4 * PATIENCE)
def test_the_readme_from_nothing(stand_in: Path, tmp_path_factory: pytest.TempPathFactory) -> None:
    checkout = fresh_checkout(tmp_path_factory.mktemp("fresh") / "checkout")
    for name in ("picture.png", "turns.json"):
        shutil.copy(stand_in / name, checkout)
    for command in commands("fresh", "as written"):
        if command.document == "README.md":
            way = opens_the_window if command.way == "fresh" else answers
            way(command.text, checkout)
    for program in (".venv/bin/second-glance", ".venv/bin/python -m app"):
        opens_the_window(program, checkout)
    answers(".venv/bin/python packaging/tour.py", checkout)


def fresh_checkout(target: Path) -> Path:
    """Copy what git would hand out, as it lies here."""
    listed = subprocess.run(
        ["git", "ls-files", "--cached", "--others", "--exclude-standard"],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    for name in listed.stdout.splitlines():
        if (ROOT / name).is_file():
            (target / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, target / name)
    return target


def answers(command: str, folder: Path) -> None:
    done = shell(command, folder, PATIENCE)
    assert done.returncode == 0, done.stderr


def opens_the_window(command: str, folder: Path) -> None:
    """Start it, wait until the log of the window says that the model is there, and end it."""
    data = folder / "data"
    shutil.rmtree(data, ignore_errors=True)
    environment = {**os.environ, "SECOND_GLANCE_DATA_DIR": str(data)}
    log = data / "logs" / "window.log"
    process = subprocess.Popen(["bash", "-c", f"exec {command}"], cwd=folder, env=environment, start_new_session=True)
    try:
        while not (log.is_file() and "Loaded demo" in log.read_text(encoding="utf-8")):
            assert process.poll() is None, f"{command} ended with status {process.returncode}"
            time.sleep(0.2)
    finally:
        os.killpg(process.pid, signal.SIGTERM)
        process.wait(60)
