"""Messages, a real image store, and a view in a window."""

from __future__ import annotations

import io
import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PIL import Image
from pytestqt.qtbot import QtBot

from app.inference.events import ImageUse, TurnStats
from app.store.images import ImageStore
from app.store.records import Role, StoredImage, StoredMessage
from app.ui.messages.view import MessageView

STATS = TurnStats(
    prompt_tokens=1640,
    reused_tokens=1612,
    prefilled_tokens=28,
    generated_tokens=120,
    images=(ImageUse("a" * 64, skipped=True, seconds_saved=0.45, tokens=414),),
    ttft_ms=210.0,
    encode_ms=0.0,
    restore_ms=15.0,
    prefill_ms=180.0,
    decode_tps=38.2,
    match="prefix",
    why="",
    source="memory",
).to_dict()


def message(name: object, role: Role, text: str, **more: Any) -> StoredMessage:
    return StoredMessage(str(name), "chat", None, role, text, time.time(), **more)


def dialogue(turns: int) -> list[StoredMessage]:
    """Return ``turns`` questions and answers, some with lists, code and tables."""
    answer = "Point **one** and two.\n\n- a\n- b\n\n```python\nprint('x')\n```\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n"
    made = []
    for turn in range(turns):
        made.append(message(f"q{turn}", "user", f"Question {turn}, in a few words"))
        text = answer + "More words here. " * (turn % 40)
        made.append(message(f"a{turn}", "assistant", text, stats=STATS))
    return made


@pytest.fixture
def image_store(tmp_path: Path) -> ImageStore:
    return ImageStore(tmp_path / "images")


@pytest.fixture
def make_image(image_store: ImageStore) -> Callable[[str], StoredImage]:
    def make(colour: str = "navy") -> StoredImage:
        buffer = io.BytesIO()
        Image.new("RGB", (96, 60), colour).save(buffer, "PNG")
        return image_store.add(buffer.getvalue(), f"{colour}.png")

    return make


@pytest.fixture
def view(qtbot: QtBot, image_store: ImageStore) -> MessageView:
    made = MessageView(image_store)
    qtbot.addWidget(made)
    made.resize(800, 600)
    with qtbot.waitActive(made):
        made.show()
        made.activateWindow()
    return made


def streaming(name: str = "answer", **more: Any) -> StoredMessage:
    return message(name, "assistant", "", state="streaming", **more)


def finished(text: str, name: str = "answer", **more: Any) -> StoredMessage:
    return replace(message(name, "assistant", text), **{"stats": STATS, **more})
