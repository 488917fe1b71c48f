"""Chats in and out as one JSON file: all branches, with the pictures inside."""

from __future__ import annotations

import base64
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Literal

from pydantic import BaseModel, ConfigDict, ValidationError

from app.errors import UserError
from app.files import write_atomically
from app.store.images import ImageStore
from app.store.records import Conversation, MessageState, Role, StoredImage, StoredMessage
from app.store.store import Store

FORMAT_VERSION = 1


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid")


class _Image(_Part):
    digest: str
    name: str
    notes: tuple[str, ...]


class _Message(_Part):
    id: str
    parent: str | None
    role: Role
    text: str
    thinking: str
    images: tuple[_Image, ...]
    token_ids: tuple[int, ...] | None
    state: MessageState
    error: str
    stats: dict[str, object] | None


class _Chat(_Part):
    format: Literal["second-glance-chat"] = "second-glance-chat"
    version: int = FORMAT_VERSION
    title: str
    model: str
    system_prompt: str
    shown: tuple[str, ...]
    messages: tuple[_Message, ...]
    pictures: dict[str, str]


def export_json(store: Store, images: ImageStore, conversation_id: str, target: Path) -> None:
    """Write one chat with all its branches and pictures into one file.

    Raises:
        UserError: the file cannot be written.
        ImageRefused: a picture is gone or damaged; nothing is written then.
    """
    conversation = store.conversation(conversation_id)
    messages = store.tree(conversation_id)
    digests = sorted({image.digest for message in messages for image in message.images})
    chat = _Chat(
        title=conversation.title,
        model=conversation.model_ref,
        system_prompt=conversation.system_prompt,
        shown=tuple(message.id for message in store.messages(conversation_id)),
        messages=tuple(_exported(message) for message in messages),
        pictures={digest: base64.b64encode(images.png(digest)).decode() for digest in digests},
    )
    write_in_words(target, chat.model_dump_json(indent=1).encode())


def import_json(store: Store, images: ImageStore, source: Path) -> Conversation:
    """Read what :func:`export_json` wrote into a new chat.

    Raises:
        UserError: the file cannot be read or is no exported chat; no chat is made then.
    """
    chat = _read(source)
    try:
        kept = {digest: images.add(base64.b64decode(data), source.name) for digest, data in chat.pictures.items()}
        with store.transaction():
            return _import(store, chat, kept)
    except (KeyError, ValueError) as error:
        raise UserError(f"{source.name} is incomplete: {error} is missing or wrong.", str(source)) from error


def write_in_words(target: Path, content: bytes) -> None:
    """Write an exported file.

    Raises:
        UserError: the file cannot be written.
    """
    with refused_in_words(target):
        target.parent.mkdir(exist_ok=True)
        write_atomically(target, content, mode=0o644)


@contextmanager
def refused_in_words(target: Path) -> Iterator[None]:
    """Say in a sentence why an exported file cannot be written.

    Raises:
        UserError: the system refused it.
    """
    try:
        yield
    except OSError as error:
        raise UserError(f"{target} cannot be written: {error.strerror}.", str(target)) from error


def _read(source: Path) -> _Chat:
    try:
        chat = _Chat.model_validate_json(source.read_bytes())
    except OSError as error:
        raise UserError(f"{source.name} cannot be read: {error.strerror}.", str(source)) from error
    except ValidationError as error:
        raise UserError(f"{source.name} is not a chat that Second Glance exported.", str(source)) from error
    if chat.version > FORMAT_VERSION:
        raise UserError(f"{source.name} comes from a newer version of Second Glance.", str(source))
    return chat


def _exported(message: StoredMessage) -> _Message:
    return _Message(
        id=message.id,
        parent=message.parent_id,
        role=message.role,
        text=message.text,
        thinking=message.thinking,
        images=tuple(_Image(digest=image.digest, name=image.name, notes=image.notes) for image in message.images),
        token_ids=message.token_ids,
        state="stopped" if message.state == "streaming" else message.state,
        error=message.error,
        stats=None if message.stats is None else dict(message.stats),
    )


def _import(store: Store, chat: _Chat, kept: Mapping[str, StoredImage]) -> Conversation:
    conversation = store.create_conversation(chat.title, model_ref=chat.model, system_prompt=chat.system_prompt)
    new_ids: dict[str, str] = {}
    for entry in chat.messages:
        parent = None if entry.parent is None else new_ids[entry.parent]
        pictures = [_named(kept[image.digest], image) for image in entry.images]
        message = store.add_message(conversation.id, entry.role, entry.text, images=pictures, parent_id=parent)
        new_ids[entry.id] = message.id
        store.finish(
            message.id,
            text=entry.text,
            token_ids=entry.token_ids,
            state=entry.state,
            stats=entry.stats,
            error=entry.error,
            thinking=entry.thinking,
        )
    if chat.shown:
        store.reveal(new_ids[chat.shown[-1]])
    return store.conversation(conversation.id)


def _named(picture: StoredImage, image: _Image) -> StoredImage:
    return StoredImage(picture.digest, picture.width, picture.height, image.name, image.notes)
