"""Wheel and sdist: what is in them, and that the app works from an installed wheel, far from any checkout."""

from __future__ import annotations

import json
import sys
import sysconfig
import tarfile
import tomllib
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from app import __version__
from tests.packaging.conftest import ROOT, build, draw_picture, run

ASK = ("ask", "--json", "--model", "demo", "--max-tokens", "8", "--image", "picture.png", "What is in the picture?")


def wheel_of(folder: Path) -> Path:
    (wheel,) = folder.glob("*.whl")
    return wheel


def names_in(wheel: Path) -> set[str]:
    with ZipFile(wheel) as archive:
        return set(archive.namelist())


def test_the_wheel_holds_the_app_its_resources_and_its_licence_and_nothing_else(dist: Path) -> None:
    names = names_in(wheel_of(dist))
    code = {f"app/{path.relative_to(ROOT / 'app')}" for path in (ROOT / "app").rglob("*.py")}
    resources = {path for path in (ROOT / "resources").rglob("*") if path.is_file()}
    bundled = {f"app/_resources/{path.relative_to(ROOT / 'resources')}" for path in resources}
    assert "app/_resources/demo_model/model.safetensors" in bundled
    assert "app/_resources/icons/app.svg" in bundled
    info = f"second_glance-{__version__}.dist-info/"
    about = {info + name for name in ("METADATA", "WHEEL", "RECORD", "entry_points.txt", "licenses/LICENSE")}
    assert code | bundled | about <= names
    others = {name for name in names - code - bundled - about if not name.endswith((".md", ".typed"))}
    assert others == set()


def test_the_version_is_the_same_everywhere(dist: Path) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert project["version"] == __version__
    assert wheel_of(dist).name == f"second_glance-{__version__}-py3-none-any.whl"


def test_the_sdist_builds_the_same_wheel(dist: Path, tmp_path: Path) -> None:
    (sdist,) = dist.glob("*.tar.gz")
    with tarfile.open(sdist) as archive:
        archive.extractall(tmp_path, filter="data")
    unpacked = tmp_path / sdist.name.removesuffix(".tar.gz")
    assert (unpacked / "tests" / "conftest.py").is_file()
    assert not (unpacked / "docs" / "pictures").exists()
    build(unpacked, tmp_path / "again")
    assert names_in(wheel_of(tmp_path / "again")) == names_in(wheel_of(dist))


@pytest.fixture(scope="module")
def installed(dist: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the folder of programs of an environment with the wheel; its dependencies are this environment's."""
    environment = tmp_path_factory.mktemp("environment")
    venv.create(environment, with_pip=False)
    programs = environment / "bin"
    pip = ("-m", "pip", "--python", programs / "python", "install", "--no-index", "--no-deps", wheel_of(dist))
    done = run(sys.executable, *pip, cwd=environment)
    assert done.returncode == 0, done.stderr
    (site_packages,) = environment.glob("lib/python*/site-packages")
    (site_packages / "borrowed.pth").write_text(sysconfig.get_path("purelib"))
    return programs


def test_the_installed_program_answers_like_the_checkout(installed: Path, tmp_path: Path) -> None:
    draw_picture(tmp_path / "picture.png")
    origin = run(installed / "python", "-c", "import app; print(app.__file__)", cwd=tmp_path)
    assert origin.stdout.startswith(str(installed.parent))
    there = run(installed / "second-glance", *ASK, cwd=tmp_path)
    assert there.returncode == 0, there.stderr
    here = run(sys.executable, "-m", "app", *ASK, cwd=tmp_path, PYTHONPATH=str(ROOT))
    first, second = json.loads(there.stdout), json.loads(here.stdout)
    assert first["token_ids"] == second["token_ids"]
    assert first["text"] == second["text"] != ""


def test_the_installed_window_takes_the_tour(installed: Path, tmp_path: Path) -> None:
    report = tmp_path / "report.json"
    done = run(installed / "python", ROOT / "packaging" / "tour.py", report, cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    seen = json.loads(report.read_text(encoding="utf-8"))
    assert seen["app"].startswith(str(installed.parent))
    assert [answer["encoder_calls"] for answer in seen["answers"]] == [1, 0, 0]
