"""Rows of the database to records and back."""

from __future__ import annotations

import json
import sqlite3
from array import array
from collections.abc import Sequence

from app.store.records import Conversation, Draft, StoredImage, StoredMessage


def conversation_of(row: sqlite3.Row) -> Conversation:
    """Return the record of a row of ``conversations``."""
    return Conversation(
        id=row["id"],
        title=row["title"],
        created_at=row["created_at"],
        updated_at=row["updated_at"],
        pinned=bool(row["pinned"]),
        folder=row["folder"],
        model_ref=row["model_ref"],
        system_prompt=row["system_prompt"],
        incognito=bool(row["incognito"]),
        deleted_at=row["deleted_at"],
    )


def message_of(row: sqlite3.Row, pieces: Sequence[sqlite3.Row] = ()) -> StoredMessage:
    """Return the record of a row of ``messages`` with ``sibling`` and ``siblings``, and the journal of its growth."""
    token_ids = None if row["token_ids"] is None else unpack_ids(row["token_ids"])
    if pieces:
        token_ids = (token_ids or ()) + tuple(i for piece in pieces for i in unpack_ids(piece["token_ids"]))
    return StoredMessage(
        id=row["id"],
        conversation_id=row["conversation_id"],
        parent_id=row["parent_id"],
        role=row["role"],
        text=row["text"] + "".join(piece["text"] for piece in pieces),
        created_at=row["created_at"],
        images=unpack_images(row["images"]),
        thinking=row["thinking"] + "".join(piece["thinking"] for piece in pieces),
        token_ids=token_ids,
        state=row["state"],
        error=row["error"],
        stats=None if row["stats"] is None else json.loads(row["stats"]),
        sibling=row["sibling"],
        siblings=row["siblings"],
    )


def draft_of(row: sqlite3.Row | None) -> Draft:
    """Return the record of a row of ``drafts``; an empty draft for none."""
    return Draft("") if row is None else Draft(row["text"], unpack_images(row["images"]))


def pack_ids(token_ids: Sequence[int] | None) -> bytes | None:
    """Return token ids as 32-bit integers."""
    return None if token_ids is None else array("i", token_ids).tobytes()


def unpack_ids(blob: bytes) -> tuple[int, ...]:
    """Return what :func:`pack_ids` packed."""
    return tuple(array("i", blob))


def pack_images(images: Sequence[StoredImage]) -> str:
    """Return images as a JSON list in their order; escapes, since a file name need not be valid Unicode."""
    return json.dumps([image_to_dict(image) for image in images])


def unpack_images(text: str) -> tuple[StoredImage, ...]:
    """Return what :func:`pack_images` packed."""
    return tuple(image_from_dict(entry) for entry in json.loads(text))


def image_to_dict(image: StoredImage) -> dict[str, object]:
    """Return an image record as plain data."""
    return {
        "digest": image.digest,
        "width": image.width,
        "height": image.height,
        "name": image.name,
        "notes": list(image.notes),
    }


def image_from_dict(entry: dict[str, object]) -> StoredImage:
    """Return the image record of plain data.

    Raises:
        KeyError, TypeError, ValueError: the data is not what :func:`image_to_dict` makes.
    """
    notes = entry["notes"]
    if not isinstance(notes, list):
        raise TypeError(f"notes are a list, not {type(notes).__name__}")
    return StoredImage(
        str(entry["digest"]),
        int(str(entry["width"])),
        int(str(entry["height"])),
        str(entry["name"]),
        tuple(map(str, notes)),
    )
