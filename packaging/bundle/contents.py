"""The Python side of a bundle: modules that nobody imports by name, modules to leave out, and data files.

PyInstaller follows imports. It cannot see those that mlx-lm, mlx-vlm and transformers make from a string in a model's
``config.json``, so these are listed from the packages' files here; and it follows too many, so the heavy dependencies
of mlx-vlm's servers, trainers and video readers are cut off.
"""

from __future__ import annotations

import importlib.util
import tomllib
from collections.abc import Iterator
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
ENTRY = ROOT / "packaging" / "bundle" / "run.py"
RESOURCES = "app/_resources"

UNUSED_PACKAGES = (
    "IPython", "_pytest", "cffi", "cryptography", "cv2", "datasets", "dill", "fastapi", "hf_xet", "hypothesis",
    "llguidance", "matplotlib", "miniaudio", "mlx_audio", "multiprocess", "mypy", "opentelemetry", "pandas", "pip",
    "pkg_resources", "pyarrow", "pycparser", "pytest", "python_multipart", "readline", "rich", "scipy", "setuptools",
    "sklearn", "sounddevice", "starlette", "tkinter", "torch", "torchvision", "typer", "uvicorn", "websockets",
)  # fmt: skip
"""Reachable by imports, never reached by ours: servers, audio, video, training, tests."""

UNUSED_MODULES = (
    "huggingface_hub.cli.*", "mlx_lm.server", "mlx_vlm.chat_ui", "mlx_vlm.evals.*",
    "mlx_vlm.server.*", "transformers.cli.*", "transformers.exporters.*",
    "transformers.pipelines.*", "transformers.testing_utils", "transformers.trainer*",
    "PySide6.QtNetwork", "PySide6.QtQml*", "PySide6.QtQuick*",
    # transformers' models for other frameworks; their configurations, tokenizers and processors stay
    "transformers.models.*.convert_*", "transformers.models.*.modeling_*", "transformers.models.*.modular_*",
    # cannot work without a package that is left out: better not there than broken
    "mlx_vlm.models.inkling.*", "mlx_vlm.models.multi_modality.*", "mlx_vlm.models.nemotron_voicechat.*",
)  # fmt: skip
"""Patterns; ``package.*`` means the package with everything in it."""

NEEDED = ("transformers.models.auto.*",)
"""Patterns of what the ones above must not take away: transformers asks whether ``modeling_auto.py`` is there."""

IMPORTED_BY_NAME = ("app.*", "mlx.*", "mlx_lm.models.*", "mlx_vlm.models.*", "transformers.models.*")
"""Patterns of what is imported from a string, or by a C extension."""

READ_AS_TEXT = {"mlx_lm": "pyz+py", "mlx_vlm": "pyz+py"}
"""PyInstaller's collection modes: :mod:`app.inference.library.kinds` reads these packages without importing them.

transformers reads its own; PyInstaller knows that.
"""


PACKAGE_DATA = {"latex2mathml": "*.txt", "ziafont": "fonts/*.ttf", "ziamath": "fonts/*.ttf"}
"""Files that formulas are drawn with; PyInstaller takes no package's data by itself."""


def hidden_imports() -> list[str]:
    """Return the modules to take in although no import statement names them."""
    found = {name for pattern in IMPORTED_BY_NAME for name in _matching(pattern)}
    return sorted(name for name in found if not is_unused(name))


def excluded_modules() -> list[str]:
    """Return the modules to leave out although an import statement names them."""
    packages = {pattern.split(".")[0] for pattern in UNUSED_MODULES}
    unused = (name for package in packages for name in modules(package) if is_unused(name))
    return sorted({*UNUSED_PACKAGES, *unused})


def is_unused(name: str) -> bool:
    """Whether one of the patterns leaves the module ``name`` out."""
    if any(_matches(name, pattern) for pattern in NEEDED):
        return False
    return any(_matches(name, pattern) for pattern in (*UNUSED_MODULES, *UNUSED_PACKAGES))


def data_files(*made: Path) -> list[tuple[str, str]]:
    """Return ``(file, folder in the bundle)`` of demo model, icons, licence, and of resources just ``made``."""
    resources = [path for path in sorted((ROOT / "resources").rglob("*")) if path.is_file()]
    places = {path: f"{RESOURCES}/{path.parent.relative_to(ROOT / 'resources')}" for path in resources}
    places |= {ROOT / "LICENSE": "."} | dict.fromkeys(made, RESOURCES) | dict(_package_data())
    return [(str(path), folder) for path, folder in places.items()]


def _package_data() -> Iterator[tuple[Path, str]]:
    for package, pattern in PACKAGE_DATA.items():
        for folder in folders(package):
            for file in sorted(folder.glob(pattern)):
                yield file, f"{package}/{file.parent.relative_to(folder)}"


def distributions() -> list[str]:
    """Return the names of our direct dependencies, whose metadata is read at run time (versions, features)."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    return sorted({requirement_name(line) for line in project["dependencies"]})


def requirement_name(requirement: str) -> str:
    """Return the distribution's name in a requirement such as ``mlx[cpu]==1.0; sys_platform == 'linux'``."""
    end = next((n for n, letter in enumerate(requirement) if letter in "[<>=!~; "), len(requirement))
    return requirement[:end]


def modules(package: str) -> list[str]:
    """Return the names of all modules of ``package``, found by their files; nothing is imported."""
    found = (name for folder in folders(package) for name in _in_folder(folder, package))
    return sorted({package, *found})


def folders(package: str) -> list[Path]:
    """Return the folders of an installed package; a single module has none.

    Raises:
        ModuleNotFoundError: it is not installed.
    """
    spec = importlib.util.find_spec(package)
    if spec is None:
        raise ModuleNotFoundError(f"{package} must be installed to be bundled")
    return [Path(location) for location in spec.submodule_search_locations or ()]


def _in_folder(folder: Path, package: str) -> Iterator[str]:
    for file in folder.rglob("*.py"):
        parts = [package, *file.relative_to(folder).with_suffix("").parts]
        if all(part.isidentifier() for part in parts) and parts[-1] != "__main__":
            yield ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def _matching(pattern: str) -> list[str]:
    return [name for name in modules(pattern.split(".", maxsplit=1)[0]) if _matches(name, pattern)]


def _matches(name: str, pattern: str) -> bool:
    return fnmatch(name, pattern) or name == pattern.removesuffix(".*")
