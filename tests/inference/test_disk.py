"""The engine with a disk tier: restarts, model switches, incognito."""

from __future__ import annotations

import contextlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from app.cache.config import CacheConfig
from app.errors import ModelRefused
from app.inference.engine import Engine, EngineConfig
from app.inference.events import Progress
from app.inference.types import ChatRequest
from app.paths import demo_model_dir
from tests.folders import paths_under
from tests.inference.chat import Chat, finished
from tests.inference.conftest import image_ref, picture

RED = image_ref(picture("square", "red"), "red.png")


@contextlib.contextmanager
def opened(folder: Path, ref: str = "demo") -> Iterator[Engine]:
    engine = Engine(EngineConfig(cache=CacheConfig(ssd_dir=folder), canary=False))
    engine.load(ref)
    yield engine
    engine.unload()
    engine.caches.close()


def asked(engine: Engine, **changes: object) -> ChatRequest:
    chat = Chat(engine)
    chat.ask("What is in the picture?", [RED])
    chat.ask("What color is the square?")
    return replace(chat.request(), messages=tuple(chat.messages[:-1]), **changes)


def files(folder: Path) -> list[Path]:
    return [path for path in paths_under(folder) if path.suffix == ".safetensors"]


def test_a_conversation_goes_on_after_a_restart(tmp_path: Path):
    with opened(tmp_path) as engine:
        request = asked(engine)
        expected = finished(engine, replace(request, use_cache=False))
    with opened(tmp_path) as engine:
        events = list(engine.generate(request))
        answer = events[-1]

    assert answer.token_ids == expected.token_ids
    assert (answer.stats.source, answer.stats.ssd_hits, answer.stats.encoder_calls) == ("disk", 1, 0)
    assert answer.stats.reused_from_disk == answer.stats.reused_tokens == answer.stats.prompt_tokens - 1
    assert any(isinstance(event, Progress) and event.stage == "restore" for event in events)


def test_another_model_finds_nothing_and_the_first_one_finds_its_own_again(tmp_path: Path):
    copy = Path(shutil.copytree(demo_model_dir(), tmp_path / "model"))
    settings = copy / "preprocessor_config.json"
    settings.write_text(json.dumps({**json.loads(settings.read_text()), "max_pixels": 20000}))
    with opened(tmp_path / "cache") as engine:
        request = asked(engine)
        engine.load(str(copy))
        other = finished(engine, request)
        engine.load("demo")
        back = finished(engine, request)

    assert (other.stats.reused_tokens, other.stats.encoder_calls) == (0, 1)
    assert (back.stats.source, back.stats.encoder_calls) == ("disk", 0)
    assert back.stats.reused_tokens == back.stats.prompt_tokens - 1


def test_incognito_leaves_nothing_on_disk(tmp_path: Path):
    with opened(tmp_path) as engine:
        chat = Chat(engine)
        chat.messages.append(replace(chat.messages[0], role="user", images=(RED,)))
        request = replace(chat.request(), incognito=True)
        finished(engine, request)
        again = finished(engine, request)
    assert again.stats.prefilled_tokens == 1
    assert files(tmp_path) == []

    with opened(tmp_path) as engine:
        assert finished(engine, request).stats.reused_tokens == 0


def test_a_folder_that_is_no_model_leaves_the_present_one_loaded(tmp_path: Path):
    with opened(tmp_path / "cache") as engine:
        before = engine.model
        with pytest.raises(ModelRefused, match=r"config\.json is missing"):
            engine.load(str(tmp_path))

        assert engine.model is before is not None
        assert Chat(engine).ask("Hello.").text
