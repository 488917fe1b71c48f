"""Odd input and odd surroundings: a sentence and a status, never a hang, a report of a fault, or silence."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from app.cli.main import main
from tests.cli.conftest import ROOT, drawing, run


def said(capsys: pytest.CaptureFixture[str], *arguments: object) -> str:
    """Run a command that must be refused, and return the sentence."""
    assert main([str(a) for a in arguments]) == 2
    return capsys.readouterr().err


def test_a_pipe_given_as_a_picture_is_refused_and_not_waited_for(tmp_path: Path, capsys) -> None:
    os.mkfifo(tmp_path / "pipe.png")
    assert "is not a file" in said(capsys, "ask", "--image", tmp_path / "pipe.png", "hi")
    assert "is not a file" in said(capsys, "ask", "--image", "/dev/zero", "hi")
    assert "is not a file" in said(capsys, "ask", "--image", tmp_path, "hi")


@pytest.mark.parametrize("question", ["", "   "])
def test_an_empty_question_is_refused(question: str, capsys) -> None:
    assert "empty" in said(capsys, "ask", question)


@pytest.mark.parametrize(
    "command", [("ask", "hi", "--ssd-dir"), ("ask", "hi", "--data-dir"), ("cache", "stats", "--ssd-dir")]
)
def test_a_folder_without_a_name_is_not_the_current_folder(
    command: tuple[str, ...], tmp_path: Path, capsys, monkeypatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(SystemExit) as left:
        main([*command, ""])
    assert left.value.code == 2
    assert f"argument {command[-1]}: the name of the folder is empty" in capsys.readouterr().err
    assert list(tmp_path.iterdir()) == []


def test_a_script_nested_beyond_reason_is_no_valid_script(tmp_path: Path, capsys) -> None:
    (tmp_path / "deep.json").write_text("[" * 100_000)
    assert "not valid JSON" in said(capsys, "ask", "--script", tmp_path / "deep.json")


def test_a_picture_that_no_prompt_can_hold_is_refused_before_the_first_turn(tmp_path: Path) -> None:
    drawing("circle", "red").save(tmp_path / "good.png")
    drawing("circle", "red").resize((1, 5000)).save(tmp_path / "thin.png")
    turns = [{"images": [name], "text": "What is this?", "max_tokens": 2} for name in ("good.png", "thin.png")]
    (tmp_path / "script.json").write_text(json.dumps(turns))
    result = run("ask", "--json", "--script", tmp_path / "script.json")
    assert (result.status, result.out) == (2, "")
    assert "thin.png is 1×5,000 pixels" in result.err


def test_an_unusable_disk_folder_is_said_and_the_answer_comes_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("not a folder")
    broken = b"half a character: \xff"
    command = [sys.executable, "-m", "app", "ask", "--json", "--max-tokens", "2", "--seed", str(10**23)]
    command += ["--temperature", "1", "--ssd-dir", str(tmp_path / "file")]
    done = subprocess.run([*map(os.fsencode, command), broken], cwd=ROOT, capture_output=True, timeout=240, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["prompt_tokens"] > 0
    assert b"cannot be used" in done.stderr


def test_a_reader_that_leaves_early_is_no_fault() -> None:
    command = [sys.executable, "-m", "app", "settings", "--docs"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE) as process:
        process.stdout.close()
        assert process.wait(120) == 0
        assert b"fault" not in process.stderr.read()


def test_another_locale_changes_nothing() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", "import sys; sys.argv=['app','models','list']; from app.__main__ import _use_utf8"]
    probe = f"{command[2]}; _use_utf8(); print(sys.flags.utf8_mode)"
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout == b"1\n"
