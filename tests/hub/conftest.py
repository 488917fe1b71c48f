"""The fake hub with the demo model on it, and a cache of its own."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from app.inference.hub.download import Download, DownloadState
from app.inference.hub.transfer import Line
from app.paths import demo_model_dir
from tests.hub.fake import FakeHub, running

REPOSITORY = "someone/small-model"
LINE_SECONDS = 120.0
"""Without a byte for so long, a connection counts as broken."""


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The hub library's cache, for this test only, with the network switched on."""
    folder = tmp_path / "hub"
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(folder))
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_DISABLE_IMPLICIT_TOKEN", True)
    for name in ("http_proxy", "https_proxy", "all_proxy", "HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("NO_PROXY", "127.0.0.1")
    return folder


@pytest.fixture
def hub(cache: Path) -> Iterator[FakeHub]:
    """A hub that has the demo model, with things beside it that must never be fetched."""
    files = {path.name: path.read_bytes() for path in demo_model_dir().iterdir() if path.is_file()}
    files["model.safetensors"] = files["model.safetensors"][: 256 * 1024]
    files |= {"README.md": b"# card", "evil.py": b"import os", "pytorch_model.bin": b"pickle", ".gitattributes": b"*"}
    with running(FakeHub({REPOSITORY: files})) as made:
        yield made


@pytest.fixture
def line(hub: FakeHub) -> Line:
    return Line(hub.url, timeout=LINE_SECONDS, patience=0.01)


@pytest.fixture
def download(line: Line) -> Iterator[Callable[..., tuple[Download, list[DownloadState]]]]:
    """Return a function that makes a download and the list of what it tells."""
    made: list[Download] = []

    def make(repository: str = REPOSITORY) -> tuple[Download, list[DownloadState]]:
        told: list[DownloadState] = []
        made.append(Download(repository, told.append, line))
        return made[-1], told

    yield make
    for one in made:
        if one.state.active:
            one.pause()
        assert one.wait(30)
