"""A chat as Markdown for people, its pictures in a folder beside it."""

from __future__ import annotations

from pathlib import Path

from app.store.images import ImageStore
from app.store.records import StoredImage
from app.store.store import Store
from app.store.transfer import write_in_words

SPEAKERS = {"user": "You", "assistant": "Second Glance", "system": "System prompt"}


def export_markdown(store: Store, images: ImageStore, conversation_id: str, target: Path) -> None:
    """Write the shown branch to ``target``, and its pictures into ``<name>-images`` beside it.

    Raises:
        UserError: the files cannot be written.
        ImageRefused: a picture is gone or damaged; nothing is written then.
    """
    folder = target.with_name(f"{target.stem}-images")
    names: dict[str, str] = {}
    parts = [f"# {store.conversation(conversation_id).title}\n"]
    for message in store.messages(conversation_id):
        parts.append(f"## {SPEAKERS[message.role]}\n")
        for image in message.images:
            name = names.setdefault(image.digest, f"{len(names) + 1}-{image.digest[:12]}.png")
            parts.append(f"![{_label(image)}](<{folder.name}/{name}>)\n")
        parts.append(f"{message.text}\n")
    pictures = {name: images.png(digest) for digest, name in names.items()}
    for name, content in pictures.items():
        write_in_words(folder / name, content)
    write_in_words(target, "\n".join(parts).encode())


def _label(image: StoredImage) -> str:
    """A name that cannot end the brackets it stands in."""
    return image.name.translate(str.maketrans("[]\n", "() "))
