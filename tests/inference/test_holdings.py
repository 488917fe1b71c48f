"""What the engine says about what its caches hold."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from app.inference.engine import Engine
from app.inference.types import ChatRequest, ImageRef, Message, SamplingParams
from tests.models.pictures import screenshot


def test_entries_have_the_words_and_the_picture_of_the_loaded_model(checkpoints: Callable[[str], Path]) -> None:
    engine = Engine()
    engine.load(str(checkpoints("smolvlm")))
    shot = screenshot(1)
    image = ImageRef("c" * 64, *shot.size, lambda: shot)
    request = ChatRequest((Message("user", "what is this", (image,)),), SamplingParams(max_tokens=2))
    list(engine.generate(request))
    entries = engine.holdings()
    states = [entry for entry in entries if entry.holding.kind == "state"]
    assert "what is this" in states[-1].words
    assert "<" not in states[-1].words
    features = [entry for entry in entries if entry.holding.kind == "features"]
    assert features
    assert {entry.picture for entry in features} == {"c" * 64}
    assert not any(entry.others for entry in entries)
    engine.unload()
    engine.load("demo")
    assert all(entry.others and not entry.words for entry in engine.holdings() if entry.holding.identity)
    engine.unload()  # not close(): it would end this thread's MLX streams, which other tests still need
    engine.caches.close()
