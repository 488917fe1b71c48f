"""Real processes are killed while an answer grows."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from app.store.lock import FolderInUse, FolderLock
from app.store.store import Store

WRITER = """
import sys
from pathlib import Path
from app.store.store import Store

store = Store(Path(sys.argv[1]))
chat = store.create_conversation("Long answer")
store.add_message(chat.id, "user", "count")
answer = store.add_message(chat.id, "assistant", "", state="streaming")
number = 0
while True:
    store.append(answer.id, f"{number} ", [number], thinking=".")
    print(number, flush=True)
    number += 1
"""

OPENER = """
import sys
from pathlib import Path
from app.errors import UserError
from app.store.store import Store

try:
    Store(Path(sys.argv[1])).close()
except UserError as error:
    print(error)
    sys.exit(2)
"""


def start(program: str, folder: Path) -> subprocess.Popen[str]:
    return subprocess.Popen([sys.executable, "-c", program, str(folder)], stdout=subprocess.PIPE, text=True)


def last_acknowledged(writer: subprocess.Popen[str], at_least: int) -> int:
    """Kill the writer once it has written ``at_least`` pieces; return the last one that it said was saved."""
    assert writer.stdout is not None
    for line in writer.stdout:
        if int(line) >= at_least:
            break
    writer.send_signal(signal.SIGKILL)
    rest = writer.stdout.read().split("\n")[:-1]
    writer.wait()
    writer.stdout.close()
    return int(rest[-1]) if rest else at_least


@pytest.mark.parametrize("pieces", [0, 40])
def test_kill_9_loses_nothing_that_was_appended(tmp_path: Path, pieces: int) -> None:
    last = last_acknowledged(start(WRITER, tmp_path), pieces)

    store = Store(tmp_path)
    (chat,) = store.conversations()
    question, answer = store.messages(chat.id)
    saved = list(answer.token_ids or ())
    assert question.text == "count"
    assert answer.state == "stopped"
    assert saved == list(range(len(saved)))
    assert len(saved) >= last + 1
    assert answer.text == "".join(f"{number} " for number in saved)
    assert answer.thinking == "." * len(saved)
    assert len(store.search("count")) == 1
    store.close()
    assert store_is_sound(tmp_path)


def open_elsewhere(folder: Path) -> tuple[int, str]:
    process = start(OPENER, folder)
    said, _ = process.communicate(timeout=60)
    return process.returncode, said


def store_is_sound(folder: Path) -> bool:
    import sqlite3

    connection = sqlite3.connect(folder / "conversations.sqlite")
    (verdict,) = connection.execute("PRAGMA integrity_check").fetchone()
    connection.execute("INSERT INTO text_index(text_index) VALUES ('integrity-check')")
    connection.close()
    return bool(verdict == "ok")


def test_a_second_process_says_that_the_folder_is_in_use_and_changes_nothing(tmp_path: Path) -> None:
    store = Store(tmp_path)
    chat = store.create_conversation("Mine")
    status, said = open_elsewhere(tmp_path)
    assert status == 2
    assert f"already open on {tmp_path} (process {os.getpid()})" in said
    store.add_message(chat.id, "user", "still here")
    assert [m.text for m in store.messages(chat.id)] == ["still here"]
    store.close()
    assert open_elsewhere(tmp_path) == (0, "")


def test_the_lock_of_a_killed_process_is_free(tmp_path: Path) -> None:
    last_acknowledged(start(WRITER, tmp_path), 0)
    FolderLock(tmp_path).close()


def test_a_lock_is_let_go_once(tmp_path: Path) -> None:
    first = FolderLock(tmp_path)
    with pytest.raises(FolderInUse) as caught:
        FolderLock(tmp_path)
    assert caught.value.subject == str(tmp_path)
    first.close()
    first.close()
    FolderLock(tmp_path).close()
