"""The database's layout, and how an older one becomes the present one.

Messages form a tree per conversation; among siblings (same parent) exactly one is ``active``, and the chain of active
messages from the root is what the user sees. A growing answer is a journal of ``pieces``, so that each addition costs
its own length only; finishing folds them into the message.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from app.errors import UserError

FIRST_LAYOUT = """
CREATE TABLE conversations (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    title TEXT NOT NULL,
    created_at REAL NOT NULL,
    updated_at REAL NOT NULL,
    pinned INTEGER NOT NULL DEFAULT 0,
    folder TEXT NOT NULL DEFAULT '',
    model_ref TEXT NOT NULL DEFAULT '',
    system_prompt TEXT NOT NULL DEFAULT '',
    incognito INTEGER NOT NULL DEFAULT 0,
    deleted_at REAL
);
CREATE TABLE messages (
    seq INTEGER PRIMARY KEY,
    id TEXT NOT NULL UNIQUE,
    conversation_id TEXT NOT NULL REFERENCES conversations(id) ON DELETE CASCADE,
    parent_id TEXT REFERENCES messages(id) ON DELETE CASCADE,
    active INTEGER NOT NULL DEFAULT 1,
    role TEXT NOT NULL CHECK (role IN ('system', 'user', 'assistant')),
    text TEXT NOT NULL,
    thinking TEXT NOT NULL DEFAULT '',
    token_ids BLOB,
    images TEXT NOT NULL DEFAULT '[]',
    state TEXT NOT NULL CHECK (state IN ('complete', 'streaming', 'stopped', 'failed')),
    error TEXT NOT NULL DEFAULT '',
    stats TEXT,
    created_at REAL NOT NULL
);
CREATE INDEX messages_by_parent ON messages(conversation_id, parent_id, seq);
CREATE INDEX messages_parent ON messages(parent_id);
CREATE UNIQUE INDEX one_active_sibling ON messages(conversation_id, ifnull(parent_id, '')) WHERE active;
CREATE TABLE pieces (
    seq INTEGER PRIMARY KEY,
    message_id TEXT NOT NULL REFERENCES messages(id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    thinking TEXT NOT NULL,
    token_ids BLOB NOT NULL
);
CREATE INDEX pieces_by_message ON pieces(message_id);
CREATE TABLE drafts (
    conversation_id TEXT PRIMARY KEY REFERENCES conversations(id) ON DELETE CASCADE,
    text TEXT NOT NULL,
    images TEXT NOT NULL
);

-- Trigrams find parts of words and work for scripts without spaces.
CREATE VIRTUAL TABLE title_index USING fts5(title, content='conversations', content_rowid='seq', tokenize='trigram');
CREATE TRIGGER title_added AFTER INSERT ON conversations BEGIN
    INSERT INTO title_index(rowid, title) VALUES (new.seq, new.title);
END;
CREATE TRIGGER title_changed AFTER UPDATE OF title ON conversations BEGIN
    INSERT INTO title_index(title_index, rowid, title) VALUES ('delete', old.seq, old.title);
    INSERT INTO title_index(rowid, title) VALUES (new.seq, new.title);
END;
CREATE TRIGGER title_removed AFTER DELETE ON conversations BEGIN
    INSERT INTO title_index(title_index, rowid, title) VALUES ('delete', old.seq, old.title);
END;

-- A message is in the index exactly while it does not stream.
CREATE VIRTUAL TABLE text_index USING fts5(text, content='messages', content_rowid='seq', tokenize='trigram');
CREATE TRIGGER text_added AFTER INSERT ON messages WHEN new.state <> 'streaming' BEGIN
    INSERT INTO text_index(rowid, text) VALUES (new.seq, new.text);
END;
CREATE TRIGGER text_withdrawn AFTER UPDATE OF text, state ON messages WHEN old.state <> 'streaming' BEGIN
    INSERT INTO text_index(text_index, rowid, text) VALUES ('delete', old.seq, old.text);
END;
CREATE TRIGGER text_changed AFTER UPDATE OF text, state ON messages WHEN new.state <> 'streaming' BEGIN
    INSERT INTO text_index(rowid, text) VALUES (new.seq, new.text);
END;
CREATE TRIGGER text_removed AFTER DELETE ON messages WHEN old.state <> 'streaming' BEGIN
    INSERT INTO text_index(text_index, rowid, text) VALUES ('delete', old.seq, old.text);
END;
"""

MIGRATIONS: tuple[str, ...] = (FIRST_LAYOUT,)
"""``MIGRATIONS[n]`` leads from ``user_version`` n to n + 1; published entries never change."""


def migrate(connection: sqlite3.Connection, path: Path | None, migrations: tuple[str, ...] = MIGRATIONS) -> None:
    """Bring the database up to date, each step in one transaction; a file with content is copied aside first.

    Raises:
        UserError: the file comes from a newer version of the app.
    """
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if version > len(migrations):
        raise UserError(
            f"{path} was written by a newer version of Second Glance. Update the app to open it.", str(path)
        )
    if path is not None and 0 < version < len(migrations):
        _back_up(connection, path.with_suffix(f".v{version}.backup"))
    for number, script in enumerate(migrations[version:], start=version + 1):
        connection.executescript(f"BEGIN IMMEDIATE;\n{script}\nPRAGMA user_version = {number};\nCOMMIT;")


def _back_up(connection: sqlite3.Connection, target: Path) -> None:
    copy = sqlite3.connect(target)
    try:
        connection.backup(copy)
    finally:
        copy.close()
    target.chmod(0o600)
