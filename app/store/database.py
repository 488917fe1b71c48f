"""One SQLite connection that several threads may share: a lock, short transactions, errors in the user's words."""

from __future__ import annotations

import sqlite3
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from app.errors import UserError
from app.store.schema import migrate

DAMAGE = frozenset({sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB})
ENVIRONMENT = frozenset(
    {
        sqlite3.SQLITE_BUSY,
        sqlite3.SQLITE_CANTOPEN,
        sqlite3.SQLITE_FULL,
        sqlite3.SQLITE_IOERR,
        sqlite3.SQLITE_NOMEM,
        sqlite3.SQLITE_PERM,
        sqlite3.SQLITE_READONLY,
    }
)
"""Primary result codes that speak of the disk or the machine; every other error is our own bug."""


class Database:
    """A migrated database in ``path``, or in memory for ``None``.

    WAL with ``synchronous = NORMAL``: a killed process loses nothing that was committed; a power cut may lose the last
    commits, never the file.

    Raises:
        UserError: the file is damaged, cannot be written or comes from a newer version.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lock = threading.RLock()
        with self._in_words():
            if path is not None:
                path.touch(mode=0o600)
            self._connection = sqlite3.connect(
                path or ":memory:", isolation_level=None, check_same_thread=False, timeout=5.0
            )
        self._connection.row_factory = sqlite3.Row
        try:
            self._prepare()
        except BaseException:
            self._connection.close()
            raise

    def rows(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> list[sqlite3.Row]:
        """Run a query and return all rows."""
        with self._lock, self._in_words():
            return self._connection.execute(sql, parameters).fetchall()

    def row(self, sql: str, parameters: Sequence[Any] | Mapping[str, Any] = ()) -> sqlite3.Row | None:
        """Run a query and return its first row, if any."""
        rows = self.rows(sql, parameters)
        return rows[0] if rows else None

    def run(self, sql: str, parameters: Sequence[Any] = ()) -> int:
        """Run one statement in the present transaction, or in its own, and return the number of changed rows."""
        with self._lock, self._in_words():
            return self._connection.execute(sql, parameters).rowcount

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Commit what the block did, or nothing of it; an inner block joins the outer one."""
        with self._lock, self._in_words():
            if self._connection.in_transaction:
                yield
                return
            self._connection.execute("BEGIN IMMEDIATE")
            try:
                yield
                self._connection.execute("COMMIT")
            except BaseException:
                if self._connection.in_transaction:
                    self._connection.execute("ROLLBACK")
                raise

    def shred(self) -> None:
        """Let nothing of what was deleted stay in the pages of the database, nor in its search indexes."""
        with self._lock, self._in_words():
            for index in ("title_index", "text_index"):
                self._connection.execute(f"INSERT INTO {index}({index}) VALUES ('rebuild')")
            self._connection.execute("VACUUM")

    def close(self) -> None:
        """Close the connection; may be called twice."""
        with self._lock:
            self._connection.close()

    def _prepare(self) -> None:
        with self._in_words():
            self._connection.execute("PRAGMA journal_mode = WAL")
            self._connection.execute("PRAGMA synchronous = NORMAL")
            self._connection.execute("PRAGMA foreign_keys = ON")
            migrate(self._connection, self._path)

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise self._out_of_reach(error) from error
        except sqlite3.DatabaseError as error:
            code = getattr(error, "sqlite_errorcode", 0) & 0xFF
            if code in DAMAGE:
                raise UserError(
                    f"{self._name()} is damaged ({error}). Move it away to start with an empty list of chats.",
                    self._name(),
                ) from error
            if code in ENVIRONMENT:
                raise self._out_of_reach(error) from error
            raise

    def _out_of_reach(self, error: Exception) -> UserError:
        return UserError(f"{self._name()} cannot be read or written: {error}.", self._name())

    def _name(self) -> str:
        return str(self._path or "The chat in memory")
