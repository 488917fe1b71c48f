"""What Linux desktops are told about the app, and the icon in all its forms."""

from __future__ import annotations

import configparser
import os
import shutil
import subprocess
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest
from bundle import desktop, facts, icons
from PIL import Image

from app.cache.pixels import normalise
from tests.packaging.conftest import ROOT


@pytest.fixture
def share(tmp_path: Path) -> Path:
    desktop.write(tmp_path / "share")
    return tmp_path / "share"


def menu_entry(path: Path) -> configparser.SectionProxy:
    parser = configparser.ConfigParser(interpolation=None)
    parser.optionxform = str  # type: ignore[assignment, method-assign]
    parser.read(path, encoding="utf-8")
    return parser["Desktop Entry"]


def test_the_menu_entry_fits_what_the_window_says_of_itself(share: Path) -> None:
    entry = menu_entry(share / "applications" / "second-glance.desktop")
    assert 'setDesktopFileName("second-glance")' in (ROOT / "app/ui/application.py").read_text(encoding="utf-8")
    assert entry["Name"] == facts.NAME
    assert entry["Exec"] == "second-glance %F"
    assert tuple(entry["MimeType"].rstrip(";").split(";")) == facts.MIME_TYPES
    assert (share / "icons/hicolor/scalable/apps" / f"{entry['Icon']}.svg").is_file()


@pytest.mark.parametrize("mime", facts.MIME_TYPES)
def test_what_is_offered_can_be_opened(mime: str, tmp_path: Path) -> None:
    import pillow_heif

    pillow_heif.register_heif_opener()
    picture = tmp_path / "picture"
    with picture.open("wb") as file:
        Image.new("RGB", (64, 48), "#d02020").save(file, format=mime.split("/")[1].replace("heic", "heif"))
    assert normalise(picture, "picture").width == 64


def test_the_software_entry_names_the_same_app(share: Path) -> None:
    (file,) = (share / "metainfo").iterdir()
    component = ET.parse(file).getroot()
    assert component.findtext("id") == facts.IDENTIFIER == file.name.removesuffix(".metainfo.xml")
    assert component.findtext("launchable") == "second-glance.desktop"


@pytest.mark.parametrize(
    ("program", "file"),
    [
        ("desktop-file-validate", "applications/second-glance.desktop"),
        ("appstreamcli", f"metainfo/{facts.IDENTIFIER}.metainfo.xml"),
    ],
)
def test_the_desktop_s_own_tools_agree(share: Path, program: str, file: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")
    options = ["validate", "--no-net"] if program == "appstreamcli" else []
    done = subprocess.run([program, *options, str(share / file)], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout
    assert "error" not in done.stdout


def test_every_icon_has_the_size_that_its_folder_says(share: Path) -> None:
    for size in icons.LINUX_SIZES:
        with Image.open(share / f"icons/hicolor/{size}x{size}/apps/second-glance.png") as picture:
            assert picture.size == (size, size)
            assert picture.getpixel((0, 0))[3] == 0, "the corner is transparent"
            assert picture.getpixel((size // 2, size // 8))[3] == 255, "the plate is not"


@pytest.fixture
def installed(share: Path, tmp_path: Path) -> tuple[Path, dict[str, str]]:
    """A bundle's folder, with characters that scripts stumble over, and the environment of a user."""
    folder = tmp_path / "my & own | apps"
    folder.mkdir()
    share.rename(folder / "share")
    shutil.copy(ROOT / "packaging/linux/install.sh", folder)
    (folder / "second-glance").write_text("#!/bin/sh\necho started\n")
    (folder / "second-glance").chmod(0o755)
    return folder, {"HOME": str(tmp_path / "home"), "PATH": os.environ["PATH"]}


def test_installing_for_one_user_and_removing_again(installed: tuple[Path, dict[str, str]], tmp_path: Path) -> None:
    folder, environment = installed
    subprocess.run([str(folder / "install.sh")], env=environment, check=True)
    data = tmp_path / "home" / ".local" / "share"
    entry = menu_entry(data / "applications" / "second-glance.desktop")
    assert entry["Exec"] == f'"{folder}/second-glance" %F'
    command = tmp_path / "home" / ".local" / "bin" / "second-glance"
    assert subprocess.run([str(command)], capture_output=True, text=True, check=True).stdout == "started\n"
    assert (data / "icons/hicolor/48x48/apps/second-glance.png").is_file()
    if shutil.which("update-desktop-database"):
        offered = (data / "applications" / "mimeinfo.cache").read_text(encoding="utf-8").splitlines()
        assert {f"{mime}=second-glance.desktop;" for mime in facts.MIME_TYPES} <= set(offered)

    subprocess.run([str(folder / "install.sh"), "--remove"], env=environment, check=True)
    left = [path for path in (tmp_path / "home").rglob("*") if "second" in path.name.lower()]
    assert left == []
