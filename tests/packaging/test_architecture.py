"""The seams as the page on the house states them are those of the code."""

from __future__ import annotations

import re
from pathlib import Path

from PySide6.QtCore import Signal

from app.ui.controller import Controller
from app.worker.service import InferenceService

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "architecture.md").read_text(encoding="utf-8")


def test_every_signal_and_request_of_the_worker_is_on_the_page() -> None:
    public = [name for name in vars(InferenceService) if not name.startswith("_")]
    assert len([name for name in public if isinstance(vars(InferenceService)[name], Signal)]) > 10
    missing = [name for name in public if f"`{name}(" not in PAGE and name not in ("staticMetaObject",)]
    assert missing == []


def test_every_file_that_the_page_names_is_there() -> None:
    named = set(re.findall(r"`(app/[\w/]+(?:\.py)?)`", PAGE))
    assert len(named) > 10
    assert [name for name in sorted(named) if not (ROOT / name).exists()] == []
    assert Controller.__module__.replace(".", "/") + ".py" in named


def test_every_picture_that_a_page_shows_is_there() -> None:
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md")]
    shown = [(page, name) for page in pages for name in re.findall(r"!\[[^]]+\]\(([^)]+)\)", page.read_text("utf-8"))]
    assert len(shown) >= 5
    assert [name for page, name in shown if not (page.parent / name).is_file()] == []
