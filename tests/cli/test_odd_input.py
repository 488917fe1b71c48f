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


SHORT = [sys.executable, "-m", "app", "settings"]
LATE = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
"""Surroundings in which Python writes short outputs at exit only, as it does where nobody asks for more."""


@pytest.mark.parametrize("more", [[], ["--docs"], ["--help"]], ids=["short", "long", "help"])
def test_a_reader_that_leaves_early_is_no_fault(more: list[str]) -> None:
    reads, writes = os.pipe()
    os.close(reads)
    done = subprocess.run([*SHORT, *more], cwd=ROOT, env=LATE, stdout=writes, stderr=subprocess.PIPE, check=False)
    os.close(writes)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize("environment", [LATE, {**LATE, "PYTHONUNBUFFERED": "1"}], ids=["late", "at once"])
@pytest.mark.skipif(not Path("/dev/full").exists(), reason="this system has no device that is always full")
def test_an_output_without_room_is_a_sentence(environment: dict[str, str]) -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(SHORT, cwd=ROOT, env=environment, stdout=full, stderr=subprocess.PIPE, check=False)
    assert (done.returncode, done.stderr) == (2, b"The output cannot be written: No space left on device.\n")


def test_a_closed_output_is_said_and_a_closed_stderr_is_no_fault() -> None:
    closed = subprocess.run(["sh", "-c", '"$@" >&-', "sh", *SHORT], cwd=ROOT, capture_output=True, check=False)
    assert (closed.returncode, closed.stderr) == (2, b"There is no standard output to write to.\n")
    command = [*SHORT[:-1], "ask", "--max-tokens", "2", "--json", "hi"]
    silent = subprocess.run(["sh", "-c", '"$@" 2>&-', "sh", *command], cwd=ROOT, capture_output=True, check=False)
    assert silent.returncode == 0
    assert json.loads(silent.stdout)["prompt_tokens"] > 0


@pytest.mark.skipif(sys.platform == "darwin", reason="macOS takes no such name")
def test_names_that_are_no_text_leave_json_as_it_is(tmp_path: Path) -> None:
    folder = os.fsencode(tmp_path) + b"/half \xff"
    os.mkdir(folder)
    command = [*map(os.fsencode, SHORT[:-1]), b"cache", b"stats", b"--json", b"--ssd-dir", folder]
    strict = {**os.environ, "PYTHONIOENCODING": "utf-8:strict"}
    done = subprocess.run(command, cwd=ROOT, env=strict, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout.decode("utf-8"))["folder"] == os.fsdecode(folder)


@pytest.mark.parametrize("command", [("ask", "hi", "--model"), ("models", "fit"), ("ask", "hi", "--image")])
def test_an_empty_name_is_not_the_model_or_picture_of_somewhere_else(command: tuple[str, ...], capsys) -> None:
    with pytest.raises(SystemExit) as left:
        main([*command, ""])
    assert left.value.code == 2
    assert "is empty" in capsys.readouterr().err


def test_benchmarks_explain_themselves(capsys) -> None:
    for command, said_there in ((["bench", "--help"], "{turns,"), (["bench", "cache", "--help"], "--quick")):
        with pytest.raises(SystemExit) as left:
            main(command)
        assert left.value.code == 0
        assert said_there in capsys.readouterr().out
    with pytest.raises(SystemExit):
        main(["bench"])
    assert "required: benchmark\n" in capsys.readouterr().err


@pytest.mark.skipif(not Path("/dev/zero").exists(), reason="this system has no device without an end")
def test_a_script_without_an_end_is_refused(capsys) -> None:
    assert "is larger than" in said(capsys, "ask", "--script", "/dev/zero")


def test_another_locale_changes_nothing() -> None:
    environment = {**os.environ, "LC_ALL": "C", "PYTHONUTF8": "0", "PYTHONCOERCECLOCALE": "0"}
    command = [sys.executable, "-c", "import sys; sys.argv=['app','models','list']; from app.__main__ import _use_utf8"]
    probe = f"{command[2]}; _use_utf8(); print(sys.flags.utf8_mode)"
    done = subprocess.run([sys.executable, "-c", probe], cwd=ROOT, env=environment, capture_output=True, check=True)
    assert done.stdout == b"1\n"
