"""Branches: messages form a tree, and the chain of active siblings from the root is what the user sees."""

from __future__ import annotations

import sqlite3

from app.store.database import Database

SIBLINGS = "SELECT count(*) FROM messages s WHERE s.conversation_id = m.conversation_id AND s.parent_id IS m.parent_id"
SIBLING_COLUMNS = f"({SIBLINGS}) siblings, ({SIBLINGS} AND s.seq < m.seq) sibling"

SHOWN = """
WITH RECURSIVE path(id, depth) AS (
    SELECT id, 0 FROM messages WHERE conversation_id = :conversation AND parent_id IS NULL AND active
    UNION ALL
    SELECT child.id, depth + 1 FROM messages child JOIN path ON child.parent_id = path.id
        WHERE child.conversation_id = :conversation AND child.active
)
"""
PATH = f"{SHOWN} SELECT m.*, {SIBLING_COLUMNS} FROM path JOIN messages m ON m.id = path.id ORDER BY depth"
LAST = f"{SHOWN} SELECT id FROM path ORDER BY depth DESC LIMIT 1"
ALL = f"SELECT m.*, {SIBLING_COLUMNS} FROM messages m WHERE m.conversation_id = ? ORDER BY m.seq"

ONE = f"SELECT m.*, {SIBLING_COLUMNS} FROM messages m WHERE m.id = ?"

ANCESTORS = """
WITH RECURSIVE line(id, parent_id) AS (
    SELECT id, parent_id FROM messages WHERE id = ?
    UNION ALL
    SELECT m.id, m.parent_id FROM messages m JOIN line ON m.id = line.parent_id
)
SELECT id FROM line
"""


def active_path(database: Database, conversation_id: str) -> list[sqlite3.Row]:
    """Return the messages that are shown, first to last, each with ``sibling`` and ``siblings``."""
    return database.rows(PATH, {"conversation": conversation_id})


def leaf(database: Database, conversation_id: str) -> str | None:
    """Return the id of the last message that is shown."""
    row = database.row(LAST, {"conversation": conversation_id})
    return None if row is None else row["id"]


def whole(database: Database, conversation_id: str) -> list[sqlite3.Row]:
    """Return the messages of all branches, in the order in which they were made."""
    return database.rows(ALL, (conversation_id,))


def message_row(database: Database, message_id: str) -> sqlite3.Row:
    """Return one message with ``sibling`` and ``siblings``.

    Raises:
        KeyError: there is no such message.
    """
    row = database.row(ONE, (message_id,))
    if row is None:
        raise KeyError(message_id)
    return row


def activate(database: Database, message_id: str) -> None:
    """Show this message among its siblings; what hangs below it and beside it stays as it was."""
    row = message_row(database, message_id)
    with database.transaction():
        withdraw(database, row["conversation_id"], row["parent_id"])
        database.run("UPDATE messages SET active = 1 WHERE id = ?", (message_id,))


def withdraw(database: Database, conversation_id: str, parent_id: str | None) -> None:
    """Leave no active message under this parent, to make room for another."""
    database.run(
        "UPDATE messages SET active = 0 WHERE conversation_id = ? AND parent_id IS ? AND active",
        (conversation_id, parent_id),
    )


def reveal(database: Database, message_id: str) -> None:
    """Show the branch that leads to this message."""
    with database.transaction():
        for row in database.rows(ANCESTORS, (message_id,)):
            activate(database, row["id"])


def neighbour(database: Database, message_id: str, offset: int) -> str:
    """Return the sibling ``offset`` places further; the first or last one where there are no more."""
    row = message_row(database, message_id)
    place = min(max(row["sibling"] + offset, 0), row["siblings"] - 1)
    found = database.rows(
        "SELECT id FROM messages WHERE conversation_id = ? AND parent_id IS ? ORDER BY seq",
        (row["conversation_id"], row["parent_id"]),
    )
    return str(found[place]["id"])
