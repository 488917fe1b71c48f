"""What a bundle contains: everything that is imported by name, nothing that is left out, the right libraries."""

from __future__ import annotations

import ast
import importlib.util
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from bundle import contents, libraries

from app.inference.families.registry import FAMILIES
from tests.packaging.conftest import ROOT, run


@pytest.fixture(scope="module")
def hidden() -> set[str]:
    return set(contents.hidden_imports())


@pytest.mark.parametrize("family", sorted(FAMILIES))
def test_every_family_with_an_adapter_is_in(family: str, hidden: set[str]) -> None:
    module = FAMILIES[family].split(":")[0]
    assert {f"mlx_vlm.models.{family}", f"app.inference.families.{module}"} <= hidden


def test_what_a_real_answer_imports_is_not_left_out() -> None:
    code = (
        "import sys; from app.cli.main import main; main(['ask', '--max-tokens', '1', 'Hello']);"
        "print('\\n'.join(sys.modules))"
    )
    done = run(sys.executable, "-c", code, cwd=ROOT)
    assert done.returncode == 0, done.stderr
    imported = set(done.stdout.split())
    assert "mlx_vlm.utils" in imported
    assert {name for name in imported if contents.is_unused(name)} == set()


def imports_of(file: Path) -> Iterator[str]:
    """Yield the modules that a file imports, at the top or in a function."""
    for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module
            yield from (f"{node.module}.{alias.name}" for alias in node.names)


def test_what_our_own_code_imports_anywhere_is_not_left_out() -> None:
    imported = {name for file in (ROOT / "app").rglob("*.py") for name in imports_of(file)}
    assert {"mlx_vlm.utils", "transformers.dynamic_module_utils"} <= imported
    assert {name for name in imported if contents.is_unused(name)} == set()


def test_models_of_other_frameworks_and_unused_packages_are_out(hidden: set[str]) -> None:
    excluded = set(contents.excluded_modules())
    assert {"cv2", "pandas", "transformers.models.llama.modeling_llama", "mlx_vlm.server"} <= excluded
    assert "transformers.models.llama.configuration_llama" in hidden
    assert not hidden & excluded


def test_every_module_that_is_named_exists(hidden: set[str]) -> None:
    ours = sorted(name for name in hidden if name.startswith("app."))
    assert "app.ui.main_window" in ours
    assert [name for name in ours if importlib.util.find_spec(name) is None] == []


def test_the_resources_land_where_the_app_looks() -> None:
    places = contents.data_files()
    assert (str(ROOT / "resources/demo_model/config.json"), "app/_resources/demo_model") in places
    assert (str(ROOT / "LICENSE"), ".") in places
    assert all((ROOT / file).is_file() for file, _ in places)


def test_distributions_are_named_without_versions_and_markers() -> None:
    assert {"mlx", "pyside6-essentials", "pillow"} <= set(contents.distributions())
    assert contents.requirement_name("mlx[cpu]==0.32.4; sys_platform == 'linux'") == "mlx"


def test_a_package_that_is_not_installed_is_an_error() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_package must be installed"):
        contents.modules("no_such_package")


HOST = "/usr/lib/x86_64-linux-gnu/"
WHEEL = "/env/lib/python3.11/site-packages/"


@pytest.mark.parametrize(
    ("name", "source", "kept"),
    [
        ("libstdc++.so.6", HOST, False),
        ("libglib-2.0.so.0", HOST, False),
        ("libX11.so.6", HOST, False),
        ("libxcb-cursor.so.0", HOST, True),
        ("libsqlite3.so.0", HOST, True),
        ("pillow.libs/libfreetype.so.6", WHEEL, True),
        ("PySide6/Qt/lib/libQt6Core.so.6", WHEEL, True),
        ("PySide6/Qt/lib/libQt6DBus.so.6", WHEEL, True),
        ("PySide6/Qt/lib/libQt6Qml.so.6", WHEEL, False),
        ("PySide6/QtNetwork.abi3.so", WHEEL, False),
        ("PySide6/Qt/plugins/platforms/libqxcb.so", WHEEL, True),
        ("PySide6/Qt/plugins/platforms/libqoffscreen.so", WHEEL, True),
        ("PySide6/Qt/plugins/platforms/libqvnc.so", WHEEL, False),
        ("PySide6/Qt/plugins/sqldrivers/libqsqlite.so", WHEEL, False),
        ("PySide6/Qt/translations/qtbase_de.qm", WHEEL, True),
        ("PySide6/Qt/translations/qtbase_fr.qm", WHEEL, False),
        ("PySide6/Qt/translations/designer_de.qm", WHEEL, False),
        ("app/_resources/translations/second_glance_de.qm", str(ROOT), True),
        ("PySide6/Qt/plugins/printsupport/libcupsprintersupport.so", WHEEL, True),
        ("PySide6/Qt/lib/QtNetwork.framework/Versions/A/QtNetwork", WHEEL, False),
        ("PySide6/Qt/lib/QtNetwork.framework/Resources/Info.plist", WHEEL, False),
        ("PySide6/Qt/lib/QtGui.framework/Versions/A/QtGui", WHEEL, True),
        ("PySide6/Qt/plugins/platforms/libqcocoa.dylib", WHEEL, True),
        ("PySide6/Qt/plugins/styles/libqmacstyle.dylib", WHEEL, True),
        ("libQt6Network.so.6", WHEEL, False),
        ("libcups.so.2", HOST, False),
        ("libgnutls.so.30", HOST, False),
        ("libavahi-client.so.3", HOST, False),
        ("PySide6/Qt/plugins/printsupport/libcocoaprintersupport.dylib", WHEEL, True),
        ("PySide6/Qt/lib/QtDBus.framework/Versions/A/QtDBus", WHEEL, True),
        ("PySide6/Qt/lib/QtPrintSupport.framework/Versions/A/QtPrintSupport", WHEEL, True),
        ("libcudart.so", "/usr/local/cuda/lib/", False),
        ("libmvec.so.1", HOST, False),
        ("mlx/lib/libmlx.so", WHEEL, True),
    ],
)
def test_which_libraries_are_taken(name: str, source: str, kept: bool) -> None:
    assert libraries.keep_on_linux((name, source + name, "BINARY")) is kept


@pytest.mark.skipif(sys.platform != "linux", reason="macOS uses Metal and Accelerate")
def test_the_openblas_can_be_loaded_from_a_folder_with_what_is_taken_along(tmp_path) -> None:
    for name, source, _ in libraries.openblas():
        (tmp_path / name).symlink_to(source)
    assert (tmp_path / "libopenblas.so.0").exists()
    code = "import ctypes; ctypes.CDLL('libopenblas.so.0').cblas_sgemm"
    subprocess.run([sys.executable, "-c", code], env={"LD_LIBRARY_PATH": str(tmp_path)}, check=True)


def test_what_formulas_are_drawn_with_is_in() -> None:
    places = {(Path(file).name, folder) for file, folder in contents.data_files()}
    assert {
        ("STIXTwoMath-Regular.ttf", "ziamath/fonts"),
        ("DejaVuSans.ttf", "ziafont/fonts"),
        ("unimathsymbols.txt", "latex2mathml/."),
    } <= places
