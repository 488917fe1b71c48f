"""``ask`` with good and bad input, as real processes."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.main import main
from tests.cli.conftest import run


def test_a_question_about_a_picture_is_answered_on_stdout(pictures: Path, tmp_path: Path) -> None:
    result = run("ask", "--image", pictures / "first.png", "--max-tokens", 8, "--data-dir", tmp_path, "What is this?")
    assert result.status == 0, result.err
    assert result.out.strip()
    assert "prompt tokens reused" in result.err
    assert "prompt tokens reused" not in result.out
    assert "Loaded demo" in (tmp_path / "logs" / "command-line.log").read_text(encoding="utf-8")


def test_sampling_is_repeatable_with_a_seed(pictures: Path) -> None:
    script = pictures / "seeded.json"
    turn = {"images": ["first.png"], "text": "Tell me everything."}
    script.write_text(json.dumps([{"chat": c, **turn} for c in "ab"]), encoding="utf-8")
    options = ("--json", "--temperature", 1.0, "--seed", 7, "--max-tokens", 12, "--script", script)
    first, second = run("ask", *options).turns
    assert first["token_ids"] == second["token_ids"]


@pytest.mark.parametrize("name", ["missing.png", "empty.png", "words.png", "cut.png", ""])
def test_a_bad_picture_is_refused_before_anything_runs(
    pictures: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = str(pictures / name)
    assert main(["ask", "--json", "--model", "/nowhere", "--image", picture, "What is this?"]) == 2
    printed = capsys.readouterr()
    assert printed.out == ""
    assert picture in printed.err
    assert "/nowhere" not in printed.err, "the model was not even looked for"


def test_a_bad_picture_late_in_a_script_stops_the_first_turn(pictures: Path) -> None:
    script = pictures / "late.json"
    script.write_text(json.dumps([{"text": "hi"}, {"text": "and?", "images": ["words.png"]}]), encoding="utf-8")
    result = run("ask", "--json", "--script", script)
    assert (result.status, result.out) == (2, "")
    assert "words.png" in result.err


def test_an_unknown_model_says_what_is_missing(tmp_path: Path) -> None:
    result = run("ask", "--model", tmp_path / "model", "hello")
    assert (result.status, result.out) == (2, "")
    assert str(tmp_path / "model") in result.err
    assert "Traceback" not in result.err
    (tmp_path / "model").mkdir()
    result = run("ask", "--model", tmp_path / "model", "hello")
    assert result.status == 2
    assert "config.json" in result.err


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (("ask",), "either a QUESTION or --script"),
        (("ask", "hi", "--script", "x.json"), "either a QUESTION or --script"),
        (("ask", "--script", "x.json", "--image", "a.png"), "a script names its own images"),
        (("ask", "--script", "x.json"), "x.json cannot be read"),
        (("ask", "hi", "--max-tokens", "0"), "must be at least 1"),
        (("ask", "hi", "--temperature", "-1"), "must be 0 to 10"),
        (("ask", "hi", "--prefix-cache", "magic"), "invalid choice"),
        (("ask", "hi", "--budget-mb", "many"), "must be a whole number, not 'many'"),
        (("ask", "hi", "--temperature", "warm"), "must be a number, not 'warm'"),
        (("dance",), "invalid choice"),
    ],
)
def test_bad_usage_is_status_2_with_a_reason(
    arguments: tuple[str, ...], reason: str, capsys: pytest.CaptureFixture[str]
) -> None:
    try:
        status = main(arguments)
    except SystemExit as exit_:
        status = exit_.code
    assert status == 2
    printed = capsys.readouterr()
    assert reason in printed.err
    assert printed.out == ""


def test_input_is_refused_without_loading_the_heavy_libraries(tmp_path: Path) -> None:
    program = (
        "import sys; from app.cli.main import main; "
        "status = main(['ask', '--image', 'missing.png', 'hello']); "
        "sys.exit(status if not {'mlx', 'transformers', 'PySide6'} & set(sys.modules) else 99)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, "missing.png" in done.stderr) == (2, True)


def test_a_prompt_that_is_too_long_names_its_turn_and_keeps_the_answers_before_it(tmp_path: Path) -> None:
    script = tmp_path / "long.json"
    turns = [{"text": "hi", "max_tokens": 2}, {"text": "word " * 30_000}]
    script.write_text(json.dumps(turns), encoding="utf-8")
    result = run("ask", "--json", "--script", script)
    assert result.status == 2
    assert [json.loads(line)["turn"] for line in result.out.splitlines()] == [0]
    assert "Turn 1:" in result.err
    assert "Traceback" not in result.err


def test_the_limits_that_the_model_has_of_its_own_hold_here_too(fresh_folders: Path, pictures: Path) -> None:
    config = fresh_folders / "config"
    config.mkdir()
    (config / "settings.toml").write_text("[models.demo.model]\ncontext_limit = 20\n", encoding="utf-8")
    refused = run("ask", "--image", pictures / "first.png", "What is in the picture?")
    assert refused.status == 2
    assert "the model takes 20" in refused.err
    assert run("settings").out.count("context_limit = 0") == 1, "the settings of all models are as they were"
