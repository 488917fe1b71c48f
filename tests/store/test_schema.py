from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from app.errors import UserError
from app.store.base import DATABASE_NAME
from app.store.database import Database
from app.store.schema import MIGRATIONS, migrate
from app.store.store import Store

NEXT = (*MIGRATIONS, "ALTER TABLE conversations ADD COLUMN colour TEXT NOT NULL DEFAULT 'grey';")
BROKEN = (*MIGRATIONS, "ALTER TABLE conversations ADD COLUMN colour TEXT; SELECT * FROM nowhere;")


@pytest.fixture
def old(tmp_path: Path) -> Path:
    store = Store(tmp_path)
    store.create_conversation("Old chat")
    store.close()
    return tmp_path / DATABASE_NAME


def connected(path: Path) -> sqlite3.Connection:
    return sqlite3.connect(path, isolation_level=None)


def version(connection: sqlite3.Connection) -> int:
    return int(connection.execute("PRAGMA user_version").fetchone()[0])


def test_a_migration_keeps_the_data_and_a_copy_of_the_old_file(old: Path) -> None:
    connection = connected(old)
    migrate(connection, old, NEXT)
    assert connection.execute("SELECT title, colour FROM conversations").fetchall() == [("Old chat", "grey")]
    assert version(connection) == len(NEXT)
    connection.close()

    copy = connected(old.with_suffix(f".v{len(MIGRATIONS)}.backup"))
    assert copy.execute("SELECT title FROM conversations").fetchall() == [("Old chat",)]
    assert version(copy) == len(MIGRATIONS)
    copy.close()


def test_a_failed_migration_leaves_the_file_as_it_was(old: Path) -> None:
    connection = connected(old)
    with pytest.raises(sqlite3.OperationalError):
        migrate(connection, old, BROKEN)
    connection.close()
    store = Store(old.parent)
    assert [chat.title for chat in store.conversations()] == ["Old chat"]
    store.close()


def test_an_up_to_date_file_is_not_copied(old: Path) -> None:
    Store(old.parent).close()
    assert list(old.parent.glob("*.backup")) == []


def test_a_newer_file_is_refused_in_words_and_the_folder_is_let_go(old: Path) -> None:
    connection = connected(old)
    connection.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    connection.close()
    for _ in range(2):
        with pytest.raises(UserError, match="newer version of Second Glance"):
            Store(old.parent)


@pytest.mark.parametrize("content", [b"this is no database at all" * 100, b"SQLite format 3\0" + b"\xff" * 5000])
def test_a_damaged_file_is_refused_in_words_and_kept(tmp_path: Path, content: bytes) -> None:
    (tmp_path / DATABASE_NAME).write_bytes(content)
    with pytest.raises(UserError, match="damaged"):
        Store(tmp_path)
    assert (tmp_path / DATABASE_NAME).read_bytes() == content


def test_a_folder_that_is_a_file_is_refused_in_words(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("no folder")
    with pytest.raises(UserError, match="cannot be used: Not a directory"):
        Store(tmp_path / "data")


def test_a_full_disk_is_a_sentence_and_the_store_lives_on(tmp_path: Path) -> None:
    store = Store(tmp_path)
    chat = store.create_conversation("x")
    pages = store.home(chat.id).rows("PRAGMA page_count")[0][0]
    store.home(chat.id).run(f"PRAGMA max_page_count = {pages + 2}")
    with pytest.raises(UserError, match="full"):
        store.add_message(chat.id, "user", "z" * 200_000)
    assert store.messages(chat.id) == []
    store.home(chat.id).run("PRAGMA max_page_count = 100000")
    store.add_message(chat.id, "user", "z" * 200_000)
    assert len(store.messages(chat.id)) == 1
    store.close()


def test_our_own_mistakes_are_not_dressed_up(tmp_path: Path) -> None:
    database = Database(None)
    with pytest.raises(sqlite3.OperationalError):
        database.run("SELECT * FROM nowhere")
    database.close()


def test_an_inner_transaction_joins_the_outer_one(tmp_path: Path) -> None:
    store = Store(tmp_path)
    with contextlib.suppress(ZeroDivisionError), store.transaction():
        chat = store.create_conversation("never")
        store.add_message(chat.id, "user", "never")
        raise ZeroDivisionError
    assert store.conversations() == []
    store.close()
