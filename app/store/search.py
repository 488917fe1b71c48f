"""Full-text search over titles and messages: every word of the query must occur, in any order, also inside words."""

from __future__ import annotations

from dataclasses import dataclass

from app.store.database import Database
from app.store.plain import plain
from app.store.records import Conversation, StoredMessage

TRIGRAM = 3
CONTEXT = 40
HITS = """
SELECT m.id FROM messages m JOIN conversations c ON c.id = m.conversation_id
WHERE c.deleted_at IS NULL AND {condition} ORDER BY m.created_at DESC, m.seq DESC LIMIT ?
"""
CHATS = """
SELECT m.id FROM conversations m WHERE {titles}
UNION SELECT m.conversation_id FROM messages m WHERE {texts}
"""


@dataclass(frozen=True, slots=True)
class SearchHit:
    """A found message, its chat, and the part of the text around the first word that was looked for."""

    conversation: Conversation
    message: StoredMessage
    snippet: str


def matching_messages(database: Database, query: str, limit: int) -> list[str]:
    """Return the ids of messages that contain all words of ``query``, newest first."""
    condition, parameters = _condition(query, "text", "text_index")
    return [row["id"] for row in database.rows(HITS.format(condition=condition), (*parameters, limit))]


def matching_conversations(database: Database, query: str) -> set[str]:
    """Return the ids of conversations of which the title or one message contains all words of ``query``."""
    titles, in_titles = _condition(query, "title", "title_index")
    texts, in_texts = _condition(query, "text", "text_index")
    rows = database.rows(CHATS.format(titles=titles, texts=texts), (*in_titles, *in_texts))
    return {row["id"] for row in rows}


def snippet_of(message: StoredMessage, query: str) -> str:
    """Return :func:`snippet` of a message; of an answer without the signs of Markdown, unless they were looked for."""
    words = plain(message.text) if message.role == "assistant" else message.text
    found = any(word in words.lower() for word in query.lower().split())
    return snippet(words if found else message.text, query)


def snippet(text: str, query: str) -> str:
    """Return one line of ``text`` around the first word of ``query``, with an ellipsis where it was cut."""
    line = " ".join(text.split())
    lower = line.lower()
    places = [place for word in query.lower().split() if (place := lower.find(word)) >= 0]
    start = max(min(places, default=0) - CONTEXT, 0)
    end = min(start + 3 * CONTEXT, len(line))
    return ("…" if start else "") + line[start:end].strip() + ("…" if end < len(line) else "")


def _condition(query: str, column: str, index: str) -> tuple[str, list[str]]:
    """Long words through the trigram index, words too short for it by scanning."""
    words = query.split()
    long = [word for word in words if len(word) >= TRIGRAM]
    short = [word for word in words if len(word) < TRIGRAM]
    parts = [f"m.{column} LIKE ? ESCAPE '\\'" for _ in short]
    parameters = [f"%{_escaped(word)}%" for word in short]
    if long:
        parts.append(f"m.seq IN (SELECT rowid FROM {index} WHERE {index} MATCH ?)")
        parameters.append(" AND ".join('"' + word.replace('"', '""') + '"' for word in long))
    return " AND ".join(parts) or "0", parameters


def _escaped(word: str) -> str:
    return word.replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
