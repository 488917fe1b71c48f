"""The licences of everything that is given away."""

from __future__ import annotations

from importlib.metadata import PackageNotFoundError
from pathlib import Path

import licences
import pytest

from app import licences as shown
from app import paths


@pytest.fixture(scope="module")
def collected() -> dict[str, licences.Licence]:
    return {licence.name.lower(): licence for licence in licences.third_party()}


def test_direct_and_indirect_dependencies_and_python_are_in(collected: dict[str, licences.Licence]) -> None:
    assert {"mlx", "mlx-vlm", "pyside6_essentials", "jinja2", "tokenizers", "python"} <= set(collected)
    assert "pytest" not in collected
    assert "pandas" not in collected


def test_every_one_has_a_text(collected: dict[str, licences.Licence]) -> None:
    assert {name for name, licence in collected.items() if len("".join(licence.texts)) < 400} == set()


def test_qt_comes_with_the_lgpl_and_the_gpl_that_it_refers_to(collected: dict[str, licences.Licence]) -> None:
    lesser, general = collected["pyside6_essentials"].texts
    assert "GNU LESSER GENERAL PUBLIC LICENSE" in lesser
    assert "GNU GENERAL PUBLIC LICENSE" in general


def test_openblas_and_its_fortran_runtime_are_in(collected: dict[str, licences.Licence]) -> None:
    assert {"Name: OpenBLAS", "Name: GCC runtime library", "Name: libquadmath"} <= set(
        str(collected["numpy"]).splitlines()
    )


def test_a_dependency_without_a_text_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(licences, "WITHOUT_TEXT", {})
    with pytest.raises(LookupError, match="has no licence text"):
        licences.third_party()


def test_a_missing_dependency_is_an_error() -> None:
    with pytest.raises(PackageNotFoundError):
        licences.closure(["no-such-distribution"])


def test_extras_are_followed_and_other_platforms_are_not() -> None:
    names = {
        found.name
        for found in licences.closure(["mlx[cpu]; sys_platform != 'win32'", "numpy; sys_platform == 'win32'"])
    }
    assert "mlx" in names
    assert "numpy" not in names


def test_the_about_page_shows_the_bundle_s_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Apache-2.0" in shown.third_party()
    assert "\nmlx-vlm 0." in shown.third_party(), "an installation from packages lists what it asked for"
    assert "pytest" not in shown.third_party()
    licences.main(str(tmp_path / shown.FILE))
    monkeypatch.setattr(paths, "resources_dir", lambda: tmp_path)
    assert "mlx-vlm" in shown.third_party()
    assert shown.third_party().startswith("Second Glance is licensed under Apache-2.0.")


def test_the_own_licence_is_found_in_an_installation_a_checkout_and_a_bundle(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    text = (paths.resources_dir().parent / "LICENSE").read_text(encoding="utf-8")
    assert shown.own() == text
    monkeypatch.setattr(shown, "_DISTRIBUTION", "not-installed")
    assert shown.own() == text
    (tmp_path / "LICENSE").write_text(text, encoding="utf-8")
    monkeypatch.setattr(paths, "resources_dir", lambda: tmp_path / "app" / "_resources")
    assert shown.own() == text
    assert "mlx" not in shown.third_party().split("asks for these packages:")[1]
