from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
from safetensors import safe_open
from safetensors.numpy import save_file

from app.cli.main import main
from app.errors import ModelRefused
from app.inference.library.facts import STATE_BYTES, facts
from app.inference.quantizing import quantize
from app.paths import demo_model_dir
from tests.cli.conftest import run

REVISION = "ab" * 20


def printed(capsys: pytest.CaptureFixture[str], *arguments: str) -> object:
    assert main(["models", *arguments, "--json"]) == 0
    return json.loads(capsys.readouterr().out)


def test_the_demo_and_the_hub_cache_are_listed_with_what_is_wrong_with_them(
    checkpoints: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("good", "half"):
        repository = tmp_path / f"models--someone--{name}"
        shutil.copytree(checkpoints("text_qwen3"), repository / "snapshots" / REVISION)
        (repository / "refs").mkdir()
        (repository / "refs" / "main").write_text(REVISION)
    (repository / "snapshots" / REVISION / "config.json").unlink()
    monkeypatch.setenv("HF_HUB_CACHE", str(tmp_path))
    result = run("models", "list", "--json")
    assert result.status == 0, result.err
    found = {model["ref"]: model for model in json.loads(result.out)}
    assert set(found) == {"demo", "someone/good", "someone/half"}
    assert [found[ref]["problem"] for ref in ("demo", "someone/good")] == ["", ""]
    assert [found[ref]["sees_images"] for ref in ("demo", "someone/good")] == [True, False]
    assert "config.json is missing" in found["someone/half"]["problem"]


def test_memory_is_counted_from_the_weights(capsys: pytest.CaptureFixture[str]) -> None:
    numbers = 0
    with safe_open(demo_model_dir() / "model.safetensors", "numpy") as weights:
        for name in weights.keys():  # noqa: SIM118 - no mapping
            size = 1
            for side in weights.get_slice(name).get_shape():
                size *= side
            numbers += size
    assert facts("demo").memory_bytes == numbers * STATE_BYTES
    fit = printed(capsys, "fit", "demo")
    assert isinstance(fit, dict)
    assert fit["fits"] is True
    assert fit["weights"] == numbers * STATE_BYTES
    assert 0 < fit["tokens_that_fit"] <= fit["context_length"]


def test_the_identity_is_that_of_the_loaded_model(checkpoints: Callable[[str], Path]) -> None:
    # In processes of their own: the end of an engine is the end of its thread's MLX streams.
    results = [run("models", "identity", checkpoints(family), "--json") for family in ("text_qwen3", "text_llama")]
    assert [result.status for result in results] == [0, 0], results[0].err + results[1].err
    first, second = (json.loads(result.out)["identity"] for result in results)
    assert len(first) == len(second) == 64
    assert first != second


def test_a_model_that_is_not_there_is_a_sentence(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["models", "fit", str(tmp_path / "gone")]) == 2
    assert f"There is no folder {tmp_path / 'gone'}" in capsys.readouterr().err


def test_an_adapter_that_is_not_there_does_not_fit(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["models", "fit", f"demo + {tmp_path / 'gone'}"]) == 2
    assert f"{tmp_path / 'gone'} is not an adapter" in capsys.readouterr().err


def test_an_adapter_is_counted_with_the_weights_below_it(tmp_path: Path) -> None:
    (tmp_path / "adapter_config.json").write_text("{}")
    save_file({"a": numpy.zeros((3, 5), numpy.float32)}, tmp_path / "adapters.safetensors")
    assert facts(f"demo + {tmp_path}").memory_bytes == facts("demo").memory_bytes + 60
    with pytest.raises(ModelRefused, match=f"quantize demo, then put {tmp_path} on it"):
        quantize(f"demo + {tmp_path}", tmp_path / "copy", 4)


def test_a_list_of_one_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["models", "list", "demo"]) == 2
    assert "list takes no name; about one model: models fit demo" in capsys.readouterr().err
