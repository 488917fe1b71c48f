"""The SQLite index of the disk tier: what is on disk, where each prefix starts and ends, and who was used last.

The index is a convenience, never the truth: every row can be rebuilt from the header of its file, and an index that
cannot be opened is set aside and rebuilt.
"""

from __future__ import annotations

import contextlib
import sqlite3
import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

SCHEMA_VERSION = 1
_SCHEMA = """
CREATE TABLE entry (
  id INTEGER PRIMARY KEY, kind TEXT NOT NULL, namespace TEXT NOT NULL, key TEXT NOT NULL, parent TEXT NOT NULL,
  start INTEGER NOT NULL, first BLOB NOT NULL, stop INTEGER NOT NULL,
  cuttable INTEGER NOT NULL, sliced INTEGER NOT NULL, file TEXT NOT NULL, nbytes INTEGER NOT NULL,
  used INTEGER NOT NULL, touched_at REAL NOT NULL, tokens BLOB NOT NULL);
CREATE UNIQUE INDEX entry_key ON entry (namespace, kind, key);
CREATE INDEX entry_parent ON entry (namespace, parent, first, start);
CREATE INDEX entry_used ON entry (used);
CREATE TABLE chunk (digest BLOB NOT NULL, entry INTEGER NOT NULL REFERENCES entry (id) ON DELETE CASCADE,
  PRIMARY KEY (digest, entry)) WITHOUT ROWID;
CREATE INDEX chunk_entry ON chunk (entry);
"""
_COLUMNS = (
    "id, kind, namespace, key, parent, start, first, stop, cuttable, sliced, tokens, file, nbytes, used, touched_at"
)


@dataclass(frozen=True, slots=True)
class IndexRow:
    """One entry as the index knows it; see :class:`app.cache.disk.entry_file.EntryHeader` for the fields.

    ``cuttable``: every layer may be cut at any token; ``sliced``: at least one layer keeps a row per token, so that the
    entry can be continued. ``first`` is the encoded token with which the segment leaves its parent, empty where it lies
    inside the parent (a state that cannot be cut, stored at an earlier point). ``tokens`` are the encoded tokens of
    the segment ``start:stop``; ``used`` orders entries by last use (a counter, so that a clock set back changes
    nothing); ``touched_at`` is ``time.time()`` for the retention limit.
    """

    id: int
    kind: str
    namespace: str
    key: str
    parent: str
    start: int
    first: bytes
    stop: int
    cuttable: bool
    sliced: bool
    tokens: bytes
    file: str
    nbytes: int
    used: int
    touched_at: float


class DiskIndex:
    """Open or create the index at ``path``; thread-safe, every call is one short transaction.

    Raises:
        sqlite3.DatabaseError: the file is not a usable index of this version.
    """

    def __init__(self, path: Path, file_mode: int = 0o600) -> None:
        self._path = path
        self._lock = threading.RLock()
        path.touch(mode=file_mode, exist_ok=True)
        self._db = sqlite3.connect(path, check_same_thread=False, isolation_level=None)
        try:
            self._prepare()
        except sqlite3.DatabaseError:
            self._db.close()
            raise

    def _prepare(self) -> None:
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = NORMAL")
        self._db.execute("PRAGMA wal_autocheckpoint = 256")
        self._db.execute("PRAGMA journal_size_limit = 262144")
        self._db.execute("PRAGMA foreign_keys = ON")
        (version,) = self._db.execute("PRAGMA user_version").fetchone()
        if version == 0:
            self._db.executescript(f"BEGIN; {_SCHEMA} PRAGMA user_version = {SCHEMA_VERSION}; COMMIT")
        elif version != SCHEMA_VERSION:
            raise sqlite3.DatabaseError(f"index version {version}, this version reads {SCHEMA_VERSION}")
        (newest,) = self._db.execute("SELECT coalesce(max(used), 0) FROM entry").fetchone()
        self._clock = int(newest)

    def add(self, row: IndexRow, chunks: Iterable[bytes] = ()) -> int:
        """Insert ``row`` (its ``id`` and ``used`` are ignored), replacing one with the same key, and return the id."""
        with self._transaction() as db:
            db.execute(
                "DELETE FROM entry WHERE namespace = ? AND kind = ? AND key = ?", (row.namespace, row.kind, row.key)
            )
            cursor = db.execute(
                f"INSERT INTO entry ({_COLUMNS}) VALUES (NULL, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                (row.kind, row.namespace, row.key, row.parent, row.start, row.first, row.stop, row.cuttable,
                 row.sliced, row.tokens, row.file, row.nbytes, self._tick(), row.touched_at),
            )  # fmt: skip
            entry = int(cursor.lastrowid or 0)
            db.executemany("INSERT INTO chunk (digest, entry) VALUES (?, ?)", [(c, entry) for c in chunks])
        return entry

    def get(self, namespace: str, kind: str, key: str) -> IndexRow | None:
        """Return the entry with exactly this key."""
        return self._one("WHERE namespace = ? AND kind = ? AND key = ?", (namespace, kind, key))

    def has_chunk(self, digest: bytes) -> bool:
        """Return whether any entry's own segment completes the chunk ``digest``."""
        with self._lock:
            return self._db.execute("SELECT 1 FROM chunk WHERE digest = ? LIMIT 1", (digest,)).fetchone() is not None

    def holders(self, digest: bytes, limit: int = 32) -> list[IndexRow]:
        """Return the entries whose own segment completes the chunk ``digest``, most recently used first."""
        return self._many(
            "JOIN chunk ON chunk.entry = entry.id WHERE chunk.digest = ? ORDER BY used DESC LIMIT ?", (digest, limit)
        )

    def roots(self, namespace: str, limit: int = 64) -> list[IndexRow]:
        """Return the entries that start at token 0, most recently used first."""
        return self._many(
            "WHERE namespace = ? AND kind = 'kv' AND parent = '' ORDER BY used DESC LIMIT ?", (namespace, limit)
        )

    def children(self, namespace: str, key: str, until: int, first: bytes) -> list[IndexRow]:
        """Return the entries that continue ``key`` with the token ``first`` at ``until``, or that lie inside it."""
        clause = (
            "WHERE namespace = ? AND parent = ? AND ((first = ? AND start = ?) OR (first = x'' AND start < ?))"
            " ORDER BY used DESC LIMIT 32"
        )
        return self._many(clause, (namespace, key, first, until, until))

    def continued(self, row: IndexRow) -> bool:
        """Return whether another entry continues ``row``."""
        with self._lock:
            query = "SELECT 1 FROM entry WHERE namespace = ? AND parent = ? LIMIT 1"
            return self._db.execute(query, (row.namespace, row.key)).fetchone() is not None

    def oldest(self, skip: Iterable[int] = ()) -> IndexRow | None:
        """Return the least recently used entry that no other entry continues and that is not in ``skip``."""
        skipped = set(skip)
        query = (
            "WHERE NOT EXISTS (SELECT 1 FROM entry AS child WHERE child.namespace = entry.namespace"
            " AND child.parent = entry.key AND entry.kind = 'kv') ORDER BY used LIMIT ?"
        )
        return next((row for row in self._many(query, (len(skipped) + 1,)) if row.id not in skipped), None)

    def expired(self, before: float) -> list[IndexRow]:
        """Return the entries last used before ``before`` (``time.time()`` seconds), children before parents."""
        return self._many("WHERE touched_at < ? ORDER BY start DESC", (before,))

    def all(self) -> list[IndexRow]:
        """Return every entry, parents before children."""
        return self._many("ORDER BY start, id", ())

    def touch(self, rows: Sequence[IndexRow]) -> None:
        """Mark ``rows`` (root first) as used now; a parent always counts as used after its children."""
        now = time.time()
        with self._transaction() as db:
            for row in reversed(rows):
                db.execute("UPDATE entry SET used = ?, touched_at = ? WHERE id = ?", (self._tick(), now, row.id))

    def remove(self, entry: int) -> None:
        """Delete one entry and its chunks."""
        with self._transaction() as db:
            db.execute("DELETE FROM entry WHERE id = ?", (entry,))

    def totals(self) -> tuple[int, int]:
        """Return how many entries there are and their bytes."""
        with self._lock:
            count, nbytes = self._db.execute("SELECT count(*), coalesce(sum(nbytes), 0) FROM entry").fetchone()
        return int(count), int(nbytes)

    def clear(self) -> None:
        """Delete all entries."""
        with self._transaction() as db:
            db.execute("DELETE FROM entry")

    def close(self) -> None:
        """Close the file; may be called twice."""
        with self._lock:
            self._db.close()

    def _tick(self) -> int:
        self._clock += 1
        return self._clock

    def _one(self, clause: str, values: tuple[object, ...]) -> IndexRow | None:
        rows = self._many(f"{clause} LIMIT 1", values)
        return rows[0] if rows else None

    def _many(self, clause: str, values: tuple[object, ...]) -> list[IndexRow]:
        columns = ", ".join(f"entry.{name}" for name in _COLUMNS.split(", "))
        with self._lock:
            return [IndexRow(*row) for row in self._db.execute(f"SELECT {columns} FROM entry {clause}", values)]

    def checkpoint(self) -> None:
        """Move the journal into the index and cut it to nothing; give back the index's pages if most are unused."""
        with self._lock:
            (unused,), (pages,) = (self._db.execute(f"PRAGMA {n}").fetchone() for n in ("freelist_count", "page_count"))
            if unused * 2 > pages:
                with contextlib.suppress(sqlite3.OperationalError):  # it needs room itself, and can wait for some
                    self._db.execute("VACUUM")
            self._db.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()

    @contextlib.contextmanager
    def bulk(self) -> Iterator[None]:
        """Put all changes inside the ``with`` block into one transaction."""
        with self._transaction():
            yield

    @contextlib.contextmanager
    def _transaction(self) -> Iterator[sqlite3.Connection]:
        with self._lock:
            if self._db.in_transaction:
                yield self._db
                return
            self._db.execute("BEGIN IMMEDIATE")
            try:
                yield self._db
            except BaseException:
                self._db.execute("ROLLBACK")
                raise
            self._db.execute("COMMIT")


def open_or_rebuild(path: Path, file_mode: int = 0o600) -> DiskIndex:
    """Open the index, or start an empty one where it is missing or damaged; the folder's files fill it again."""
    try:
        return DiskIndex(path, file_mode)
    except sqlite3.DatabaseError:
        for suffix in ("", "-wal", "-shm", "-journal"):
            path.with_name(path.name + suffix).unlink(missing_ok=True)
        return DiskIndex(path, file_mode)
