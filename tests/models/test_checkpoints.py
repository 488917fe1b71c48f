"""The factory keeps its promises: small, deterministic, opened offline and without torch, and not blind."""

from __future__ import annotations

import hashlib
import socket
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import mlx.core as mx
import pytest

from tests.models import FAMILIES, IMAGE_FAMILIES, SPECS, build
from tests.models.builder import SIZE_LIMIT
from tests.models.pictures import screenshot, waves, with_corner_changed
from tests.models.specs.fastvlm import small_tower


def _open(folder: Path) -> tuple[Any, Any]:
    import mlx_vlm

    return mlx_vlm.load(str(folder))


def _digest(folder: Path) -> str:
    files = sorted(file for file in folder.iterdir())
    return hashlib.sha256(b"".join(file.name.encode() + file.read_bytes() for file in files)).hexdigest()


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: Any, **__: Any) -> None:
        raise AssertionError("a tiny checkpoint must open without the network")

    monkeypatch.setattr(socket, "create_connection", refuse)
    monkeypatch.setattr(socket.socket, "connect", refuse)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.usefixtures("no_network")
def test_opens_by_the_normal_path_offline_and_without_torch(checkpoints: Callable[[str], Path], family: str) -> None:
    model, _ = _open(checkpoints(family))

    logits = model.language_model(mx.array([[72, 101, 108]])).logits
    assert logits.shape[:2] == (1, 3)
    assert mx.isfinite(logits).all().item()
    assert "torch" not in sys.modules


@pytest.mark.parametrize("family", [family for family in FAMILIES if family not in IMAGE_FAMILIES])
def test_text_families_open_with_mlx_lm_too(checkpoints: Callable[[str], Path], family: str) -> None:
    import mlx_lm

    alone, tokenizer = mlx_lm.load(str(checkpoints(family)))
    within, _ = _open(checkpoints(family))

    ids = mx.array([tokenizer.encode("Same weights, same logits.")])
    assert mx.array_equal(alone(ids), within.language_model(ids).logits)


@pytest.mark.parametrize("family", ["qwen3_vl", "gemma4", "llava", "internvl_chat", "text_mamba"])
def test_same_seed_gives_the_same_bytes_and_another_seed_does_not(tmp_path: Path, family: str) -> None:
    first, second, other = (
        build(SPECS[family], tmp_path / name, seed) for name, seed in (("a", 0), ("b", 0), ("c", 1))
    )

    assert _digest(first) == _digest(second) != _digest(other)


@pytest.mark.parametrize("family", FAMILIES)
def test_stays_small(checkpoints: Callable[[str], Path], family: str) -> None:
    assert sum(file.stat().st_size for file in checkpoints(family).iterdir()) < SIZE_LIMIT


def test_too_large_a_checkpoint_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tests.models.builder.SIZE_LIMIT", 1000)

    with pytest.raises(ValueError, match="more than 1000"):
        build(SPECS["text_llama"], tmp_path / "big")


def test_fastvlm_opens_only_with_the_small_tower(checkpoints: Callable[[str], Path]) -> None:
    folder = checkpoints("fastvlm")

    with pytest.raises(ValueError, match=r"Missing \d+ parameters"):
        _open(folder)
    with small_tower():
        model, _ = _open(folder)
    assert "model_file" not in vars(model.config)


def test_every_image_family_has_a_spec_of_its_own() -> None:
    assert set(IMAGE_FAMILIES) < set(FAMILIES) < set(SPECS)


def test_pictures_are_the_same_everywhere_and_differ_where_they_should() -> None:
    before = screenshot(3)
    after = with_corner_changed(before)

    assert waves(1, 30, 20).tobytes() == waves(1, 30, 20).tobytes() != waves(2, 30, 20).tobytes()
    assert before.crop((0, 0, 1500, 900)).tobytes() == after.crop((0, 0, 1500, 900)).tobytes()
    assert before.tobytes() != after.tobytes()
