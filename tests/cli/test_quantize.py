"""A smaller copy of a model, that loads and answers."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from app.cli.main import main
from app.paths import demo_model_dir
from tests.cli.conftest import run


def test_the_demo_model_in_eight_bits_is_smaller_and_answers(tmp_path: Path) -> None:
    target = tmp_path / "small"
    made = run("models", "quantize", "demo", "--bits", "8", "--to", target, "--json")
    assert made.status == 0, made.err
    facts = json.loads(made.out)
    assert (facts["quantization"], facts["sees_images"], facts["problem"]) == (8, True, "")
    assert facts["disk_bytes"] < (demo_model_dir() / "model.safetensors").stat().st_size
    assert [path.name for path in tmp_path.iterdir()] == ["small"]
    answer = run("ask", "--model", target, "--max-tokens", "8", "What is this?")
    assert answer.status == 0, answer.err
    assert answer.out.strip()


def test_what_is_there_and_what_is_small_already_is_refused(
    checkpoints: Callable[[str], Path], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["models", "quantize", "demo"]) == 2
    assert "--to FOLDER" in capsys.readouterr().err
    assert main(["models", "quantize", "demo", "--to", str(tmp_path)]) == 2
    assert "exists already" in capsys.readouterr().err
