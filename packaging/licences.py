"""Collect the licences of everything that a bundle contains into one text.

``python packaging/licences.py TARGET [BUNDLE]``: the Python packages that the app depends on, Python itself, and, where
the folder of a built Linux bundle is named, the system's libraries in it. What has no licence text makes this fail: a
bundle without one must not be given away.
"""

from __future__ import annotations

import filecmp
import re
import subprocess
import sys
import sysconfig
import tomllib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from importlib.metadata import Distribution, distribution, packages_distributions
from pathlib import Path

from bundle.contents import UNUSED_PACKAGES
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).resolve().parents[1]
TEXTS = ROOT / "packaging" / "texts"
DEBIAN_TEXTS = Path("/usr/share/doc")
_LEGAL_FILE = re.compile(r"(licen[cs]e|copying|notice|copyright)", re.IGNORECASE)
_LGPL = (TEXTS / "LGPL-3.0.txt", TEXTS / "GPL-3.0.txt")
_APACHE = (ROOT / "LICENSE",)
WITHOUT_TEXT: dict[str, tuple[Path, ...]] = {
    "latex2mathml": (TEXTS / "latex2mathml-MIT.txt",),
    "pyside6-essentials": _LGPL,
    "shiboken6": _LGPL,
    "sentencepiece": _APACHE,
    "tokenizers": _APACHE,
}
"""Distributions that name a standard licence and bring no copy of its text."""

OPENING = """Second Glance is licensed under Apache-2.0. It is built on the work of others, whose licences follow.

Qt and PySide6 are used under the LGPL, version 3. In a bundle they are shared libraries in folders of their own: you
may replace them by your own builds of the same version. Their source code is at
https://download.qt.io/official_releases/QtForPython/.
"""


@dataclass(frozen=True, slots=True)
class Licence:
    """What one component is licensed under: its name, version, the licence's short name, and the texts."""

    name: str
    version: str
    terms: str
    texts: tuple[str, ...]

    def __str__(self) -> str:
        head = " ".join(part for part in (self.name, self.version, f"({self.terms})" if self.terms else "") if part)
        return "\n\n".join((f"{'=' * 100}\n{head}\n{'=' * 100}", *(text.strip() for text in self.texts)))


def third_party() -> list[Licence]:
    """Return the licences of the app's dependencies and of Python, by name.

    Raises:
        LookupError: one of them has no text.
    """
    absent = left_out()
    found = [_of_distribution(one) for one in closure(_direct()) if canonicalize_name(one.name) not in absent]
    return sorted([*found, _of_python()], key=lambda licence: licence.name.lower())


def left_out() -> frozenset[str]:
    """Return the distributions that no bundle contains.

    The OpenBLAS that :func:`bundle.libraries.openblas` takes from one has the licence of the one in NumPy's wheel.
    """
    owners = packages_distributions()
    return frozenset(canonicalize_name(name) for package in UNUSED_PACKAGES for name in owners.get(package, ()))


def closure(requirements: Iterable[str]) -> list[Distribution]:
    """Return the installed distributions that ``requirements`` lead to on this platform, each once."""
    seen: dict[tuple[str, frozenset[str]], Distribution] = {}
    waiting = [Requirement(line) for line in requirements]
    while waiting:
        wanted = waiting.pop()
        key = canonicalize_name(wanted.name), frozenset(wanted.extras)
        if key in seen or not _applies(wanted, frozenset()):
            continue
        seen[key] = distribution(wanted.name)
        needs = (Requirement(line) for line in seen[key].requires or ())
        waiting += [_unmarked(need) for need in needs if _applies(need, key[1])]
    return list({name: found for (name, _), found in seen.items()}.values())


def system_libraries(bundle: Path) -> list[Licence]:
    """Return the licences of the Debian packages whose libraries PyInstaller copied into ``bundle``.

    Raises:
        LookupError: no package is known for a library that came from the system.
    """
    packages = {_package_of(library) for library in _from_system(bundle)}
    return [_of_package(package) for package in sorted(packages)]


def text(licences: Iterable[Licence]) -> str:
    """Return one text of all licences."""
    return "\n\n".join((OPENING.strip(), *map(str, licences))) + "\n"


def _direct() -> list[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    found: list[str] = project["dependencies"]
    return found


def _applies(requirement: Requirement, extras: frozenset[str]) -> bool:
    marker = requirement.marker
    return marker is None or any(marker.evaluate({"extra": extra}) for extra in ("", *extras))


def _unmarked(requirement: Requirement) -> Requirement:
    requirement.marker = None
    return requirement


def _of_distribution(found: Distribution) -> Licence:
    files = [file for file in found.files or () if ".dist-info" in str(file) and _LEGAL_FILE.search(file.name)]
    texts = [Path(str(found.locate_file(file))) for file in files] or WITHOUT_TEXT.get(
        canonicalize_name(found.name), ()
    )
    if not texts:
        raise LookupError(f"{found.name} has no licence text; name one in WITHOUT_TEXT.")
    return Licence(found.name, found.version, _terms(found), _read(texts))


def _terms(found: Distribution) -> str:
    named = found.metadata.get("License-Expression") or found.metadata.get("License") or ""
    classified = [line.split(" :: ")[-1] for line in found.metadata.get_all("Classifier") or () if "License ::" in line]
    return named if named and "\n" not in named else ", ".join(classified)


def _of_python() -> Licence:
    version = sys.version.split()[0]
    for place in (
        Path(sysconfig.get_path("stdlib")) / "LICENSE.txt",
        DEBIAN_TEXTS / f"python{version[:4]}" / "copyright",
    ):
        if place.is_file():
            return Licence("Python", version, "PSF-2.0", _read([place]))
    raise LookupError("The licence of Python was not found.")


def _of_package(package: str) -> Licence:
    return Licence(package, "", "", _read([DEBIAN_TEXTS / package / "copyright"]))


def _from_system(bundle: Path) -> Iterator[Path]:
    """Yield the system's libraries of which the bundle holds a copy."""
    folder = Path("/usr/lib", sysconfig.get_config_var("MULTIARCH") or "")
    for library in sorted((bundle / "_internal").glob("*.so*")):
        original = folder / library.name
        if not library.is_symlink() and original.exists() and filecmp.cmp(library, original, shallow=False):
            yield original


def _package_of(library: Path) -> str:
    for place in (library, library.resolve()):
        for path in (place, Path(str(place).removeprefix("/usr"))):
            done = subprocess.run(["dpkg", "--search", str(path)], capture_output=True, text=True, check=False)
            if done.returncode == 0:
                return done.stdout.split(":")[0]
    raise LookupError(f"No package is known for {library}.")


def _read(paths: Iterable[Path]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(path.read_text(encoding="utf-8", errors="replace") for path in paths))


def main(target: str, bundle: str = "") -> None:
    """Write the text to the file ``target``."""
    licences = third_party() + (system_libraries(Path(bundle)) if bundle else [])
    Path(target).parent.mkdir(parents=True, exist_ok=True)
    Path(target).write_text(text(licences), encoding="utf-8")
    print(f"{target}: {len(licences)} licences")


if __name__ == "__main__":
    main(*sys.argv[1:])
