"""The demo model, loaded once, and pictures drawn on the spot."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING

import mlx.core as mx
import pytest
from PIL import Image, ImageDraw

from app.inference.families.base import FamilyAdapter
from app.inference.loading import load_adapter
from app.inference.types import CancelToken, ImageRef

if TYPE_CHECKING:
    from app.inference.engine import Engine


def picture(shape: str, colour: str, size: tuple[int, int] = (168, 168)) -> Image.Image:
    """Draw one shape on white."""
    image = Image.new("RGB", size, "white")
    draw = ImageDraw.Draw(image)
    box = (size[0] // 4, size[1] // 4, 3 * size[0] // 4, 3 * size[1] // 4)
    if shape == "square":
        draw.rectangle(box, fill=colour)
    else:
        draw.ellipse(box, fill=colour)
    return image


def image_ref(image: Image.Image, name: str = "", loads: list[str] | None = None) -> ImageRef:
    """Return a reference that notes each decoding in ``loads``."""
    content = f"{image.width}x{image.height}".encode() + image.tobytes()

    def load() -> Image.Image:
        if loads is not None:
            loads.append(name)
        return image

    return ImageRef(hashlib.sha256(content).hexdigest(), image.width, image.height, load, name)


@pytest.fixture(scope="session")
def demo() -> FamilyAdapter:
    """The demo model's adapter, for tests that need no caches."""
    return load_adapter("demo", lambda _progress: None, CancelToken())


@pytest.fixture(scope="session")
def _engine() -> Iterator[Engine]:
    from app.inference.engine import Engine, EngineConfig

    engine = Engine(EngineConfig(prefill_chunk=64))
    engine.load("demo")
    yield engine
    # Not close(): it would end this thread's MLX streams, which other tests still need.
    engine.unload()
    engine.caches.close()


@pytest.fixture
def engine(_engine: Engine) -> Engine:
    """An engine with the demo model and empty caches."""
    _engine.caches.clear()
    return _engine


@pytest.fixture
def towers(engine: Engine, monkeypatch: pytest.MonkeyPatch) -> Callable[[], int]:
    """Count real runs of the demo model's vision tower; the oracle for ``encoder_calls``."""
    assert engine._model is not None
    tower = type(engine._model.adapter.model.vision_tower)
    calls, original = [], tower.__call__

    def counted(self: object, *arguments: object, **keywords: object) -> mx.array:
        calls.append(self)
        return original(self, *arguments, **keywords)

    monkeypatch.setattr(tower, "__call__", counted)
    return lambda: len(calls)
