"""The macOS app, as far as it can be checked without a Mac: plists, the specs, the order of signing, the icon set."""

from __future__ import annotations

import os
import plistlib
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from bundle import apple, contents, facts, icons, libraries
from PIL import Image

from tests.packaging.conftest import ROOT

MAC = ROOT / "packaging" / "macos"
SCRIPTS = sorted([*(ROOT / "packaging").rglob("*.sh"), ROOT / ".ci" / "run", ROOT / ".ci" / "bundle"])


class Called:
    """Takes down what a spec asks of PyInstaller."""

    def __init__(self) -> None:
        self.calls: dict[str, tuple[tuple[Any, ...], dict[str, Any]]] = {}

    def named(self, name: str) -> Callable[..., Called]:
        def call(*arguments: Any, **keywords: Any) -> Called:
            self.calls[name] = arguments, keywords
            return self

        return call

    pure, scripts = (), ()
    binaries = datas = ()


@pytest.fixture
def run_spec(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Callable[[Path], Called]:
    """Return a function that runs a spec with PyInstaller's names replaced by ones that take the calls down."""
    hooks = ModuleType("PyInstaller.utils.hooks")
    hooks.copy_metadata = lambda name: [(f"/metadata/{name}", f"{name}.dist-info")]  # type: ignore[attr-defined]
    for name in ("PyInstaller", "PyInstaller.utils"):
        monkeypatch.setitem(sys.modules, name, ModuleType(name))
    monkeypatch.setitem(sys.modules, hooks.__name__, hooks)
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr(libraries, "metal_kernels", lambda: [("/wheel/mlx/lib/mlx.metallib", "mlx/lib")])

    def run(spec: Path) -> Called:
        called = Called()
        names = {name: called.named(name) for name in ("Analysis", "PYZ", "EXE", "COLLECT", "BUNDLE")}
        exec(
            compile(spec.read_text(encoding="utf-8"), str(spec), "exec"),
            {**names, "SPECPATH": str(spec.parent), "DISTPATH": str(tmp_path)},
        )
        return called

    return run


@pytest.mark.parametrize("platform", ["linux", "macos"])
def test_a_spec_asks_for_the_same_contents_on_both_platforms(platform: str, run_spec: Callable[[Path], Called]) -> None:
    (entry,), asked = run_spec(ROOT / "packaging" / platform / "second-glance.spec").calls["Analysis"]
    assert entry == [str(ROOT / "packaging" / "bundle" / "run.py")]
    assert asked["hiddenimports"] == contents.hidden_imports()
    assert asked["excludes"] == contents.excluded_modules()
    assert set(contents.data_files()) <= set(asked["datas"])
    assert ("/metadata/mlx-vlm", "mlx-vlm.dist-info") in asked["datas"]


def test_the_app_carries_kernels_icon_and_licences(run_spec: Callable[[Path], Called], tmp_path: Path) -> None:
    calls = run_spec(MAC / "second-glance.spec").calls
    data = calls["Analysis"][1]["datas"]
    assert ("/wheel/mlx/lib/mlx.metallib", "mlx/lib") in data
    assert (str(tmp_path / "parts" / "third-party-licences.txt"), "app/_resources") in data
    app = calls["BUNDLE"][1]
    assert app["name"] == "Second Glance.app"
    assert app["icon"] == str(tmp_path / "parts" / "icon.icns")
    assert app["bundle_identifier"] == facts.IDENTIFIER
    assert calls["EXE"][1]["target_arch"] == "arm64"
    assert not calls["EXE"][1]["console"]


def test_without_metal_kernels_there_is_no_app(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(contents, "folders", lambda package: [tmp_path])
    with pytest.raises(FileNotFoundError, match="install mlx-metal"):
        libraries.metal_kernels()
    (tmp_path / "lib").mkdir()
    (tmp_path / "lib" / "mlx.metallib").touch()
    assert libraries.metal_kernels() == [(str(tmp_path / "lib" / "mlx.metallib"), "mlx/lib")]


def test_the_info_is_a_plist_that_takes_pictures_and_claims_none() -> None:
    info = plistlib.loads(plistlib.dumps(apple.info()))
    (pictures,) = info["CFBundleDocumentTypes"]
    assert pictures["LSItemContentTypes"] == list(facts.UNIFORM_TYPES)
    assert len(facts.UNIFORM_TYPES) == len(facts.MIME_TYPES)
    assert pictures["LSHandlerRank"] == "Alternate"
    assert info["CFBundleShortVersionString"] == facts.VERSION
    assert info["NSHighResolutionCapable"] is True


def test_what_is_asked_for_is_explained_and_nothing_else_is() -> None:
    asked = {key: text for key, text in apple.info().items() if key.endswith("UsageDescription")}
    assert len(asked) == 5
    assert all(text.endswith(".") and len(text) > 30 for text in asked.values())
    assert not any(word in key for key in asked for word in ("Camera", "Microphone", "Contacts", "Location"))


def test_the_entitlements_are_the_two_with_a_reason() -> None:
    source = (MAC / "entitlements.plist").read_bytes()
    assert plistlib.loads(source) == {
        "com.apple.security.cs.allow-unsigned-executable-memory": True,
        "com.apple.security.cs.disable-library-validation": True,
    }
    assert source.count(b"<!--") == 2


def test_the_oldest_system_is_the_same_everywhere() -> None:
    script = (MAC / "build.sh").read_text(encoding="utf-8")
    assert f"system={apple.MINIMUM_SYSTEM}\n" in script
    assert apple.info()["LSMinimumSystemVersion"] == apple.MINIMUM_SYSTEM


def test_the_icon_set_has_every_size_and_apple_s_margin(tmp_path: Path) -> None:
    icons.write_icns(tmp_path / "icon.icns")
    with Image.open(tmp_path / "icon.icns") as picture:
        widths = {width * scale for width, _, scale in picture.info["sizes"]}
        assert {32, 64, 256, 512, 1024} <= widths
        picture.load()
        plate = picture.convert("RGBA").getchannel("A").getbbox()
    assert plate is not None
    assert abs((plate[2] - plate[0]) - 824) <= 2


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_scripts_are_sound(script: Path) -> None:
    assert os.access(script, os.X_OK)
    assert "set -euo pipefail" in script.read_text(encoding="utf-8")
    subprocess.run(["bash", "-n", str(script)], check=True)


@pytest.fixture
def sign(tmp_path: Path) -> Callable[..., list[str]]:
    """Return a function that signs a made-up app with a ``codesign`` that takes down what it is asked."""
    app = tmp_path / "Second Glance.app"
    framework = app / "Contents/Frameworks/QtCore.framework"
    for program in (
        app / "Contents/MacOS/second-glance",
        framework / "Versions/A/QtCore",
        app / "Contents/Frameworks/mlx/lib/libmlx.dylib",
        app / "Contents/Frameworks/Python",
    ):
        program.parent.mkdir(parents=True, exist_ok=True)
        program.write_bytes(b"Mach-O")
    (app / "Contents/Resources").mkdir()
    (app / "Contents/Resources/mlx.metallib").write_bytes(b"data")
    tools = tmp_path / "tools"
    tools.mkdir()
    for name, body in (("codesign", f'echo "$*" >>"{tmp_path}/log"'), ("file", 'head -c 6 "$2"')):
        (tools / name).write_text(f"#!/bin/sh\n{body}\n")
        (tools / name).chmod(0o755)

    def run(**environment: str) -> list[str]:
        path = f"{tools}:{os.environ['PATH']}"
        subprocess.run([str(MAC / "sign.sh"), str(app)], env={"PATH": path, **environment}, check=True)
        lines = (tmp_path / "log").read_text(encoding="utf-8").splitlines()
        return [line.replace(f"{app}", "APP") for line in lines]

    return run


def test_signing_goes_from_the_inside_out(sign: Callable[..., list[str]]) -> None:
    lines = sign(SIGN_IDENTITY="Developer ID Application: Somebody (TEAM)")
    signed = [line.rsplit(" APP", 1)[1] for line in lines if line.startswith("--force")]
    assert signed[-2:] == ["/Contents/Frameworks/QtCore.framework", ""]
    files = signed[:-2]
    assert sorted(files) == [
        "/Contents/Frameworks/Python",
        "/Contents/Frameworks/QtCore.framework/Versions/A/QtCore",
        "/Contents/Frameworks/mlx/lib/libmlx.dylib",
    ]
    assert [path.count("/") for path in files] == sorted((path.count("/") for path in files), reverse=True)
    assert all("--options runtime" in line and "Somebody (TEAM)" in line for line in lines[:-1])
    assert all("--timestamp" in line for line in lines[:-1])
    assert [line for line in lines if "--entitlements" in line] == [lines[-2]]
    assert "--deep" not in " ".join(lines)
    assert lines[-1].startswith("--verify --strict")


def test_signing_for_this_mac_alone_asks_apple_for_nothing(sign: Callable[..., list[str]]) -> None:
    assert not any("--timestamp" in line for line in sign(SIGN_IDENTITY="-"))


def test_signing_needs_a_certificate(sign: Callable[..., list[str]]) -> None:
    with pytest.raises(subprocess.CalledProcessError):
        sign()
