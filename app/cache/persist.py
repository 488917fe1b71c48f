"""Saving a whole prefix cache to a folder and reading it back, without the disk tier.

A manifest lists the files, newest first, each with a SHA-256 of its bytes: ``mx.load`` notices truncation but not a
flipped bit. Files are written to a temporary name and renamed; the manifest goes last, so a crash leaves the old one.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import mlx.core as mx

from app.cache.entries import EntryStore
from app.cache.identity import FORMAT_VERSION
from app.cache.layers import LayerRefused
from app.cache.matching import Stored
from app.cache.snapshot import Snapshot

log = logging.getLogger(__name__)
MANIFEST = "prefix-cache.json"
_CHUNK = 1 << 20


def save_entries(folder: Path, store: EntryStore) -> None:
    """Write every entry that may be persisted, and remove what an earlier save left that is no longer named.

    Raises:
        OSError: the folder cannot be written.
    """
    folder.mkdir(parents=True, exist_ok=True)
    with store.lock:
        newest_first = [entry for entry in reversed(list(store.order)) if entry.persist]
    rows = [_write(folder, entry) for entry in newest_first]
    content = json.dumps({"format": FORMAT_VERSION, "entries": rows})
    temporary = folder / f"{MANIFEST}.tmp"
    temporary.write_text(content, encoding="utf-8")
    os.replace(temporary, folder / MANIFEST)
    named = {row["file"] for row in rows}
    for path in (*folder.glob("entry-*.safetensors"), *folder.glob("tmp-*.safetensors")):
        if path.name not in named:
            path.unlink(missing_ok=True)


def load_entries(folder: Path, store: EntryStore, identity: str) -> int:
    """Read entries of ``identity``, newest first, until the limits are reached; return how many came in.

    Damaged, foreign and known entries are passed over with a line in the log; nothing is evicted for an old entry.
    """
    loaded: list[tuple[tuple[int, ...], Snapshot]] = []
    with store.lock:
        room, places = store.ledger.free, store.max_entries - len(store)
    for row in _rows(folder):
        try:
            tokens, snapshot = _read(folder, row, identity)
            if (identity, tokens) in store.index:
                raise LayerRefused("entry", "it is in memory already")
        except (OSError, ValueError, KeyError, TypeError, RuntimeError, LayerRefused) as error:
            log.info("A saved cache entry was passed over: %s", error)
            continue
        if snapshot.nbytes > room or places < 1:
            log.info("A saved cache entry was passed over: no room for %d bytes", snapshot.nbytes)
            continue
        room, places = room - snapshot.nbytes, places - 1
        loaded.append((tokens, snapshot))
    oldest_first = reversed(loaded)
    return sum(store.add(identity, tokens, snapshot, supersede=False) for tokens, snapshot in oldest_first)


def _write(folder: Path, entry: Stored) -> dict[str, Any]:
    key = hashlib.sha256(json.dumps([entry.identity, entry.tokens]).encode()).hexdigest()
    path = folder / f"entry-{key}.safetensors"
    temporary = folder / f"tmp-{key}.safetensors"
    snapshot = entry.snapshot.own()
    about = {"identity": entry.identity, "tokens": list(entry.tokens), "meta": snapshot.meta()}
    try:
        # An open file, since MLX takes only paths that are valid UTF-8, and does not say what the disk's error was.
        with temporary.open("wb") as file:
            mx.save_safetensors(file, snapshot.arrays(), {"entry": json.dumps(about)})
        row = {"file": path.name, "sha256": _checksum(temporary)}
        os.replace(temporary, path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise
    return row


def _rows(folder: Path) -> list[Mapping[str, Any]]:
    try:
        manifest = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        if manifest["format"] != FORMAT_VERSION:
            raise ValueError(f"format {manifest['format']}, not {FORMAT_VERSION}")
        return list(manifest["entries"])
    except FileNotFoundError:
        return []
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("No saved cache was read from %s: %s", folder, error)
        return []


def _read(folder: Path, row: Mapping[str, Any], identity: str) -> tuple[tuple[int, ...], Snapshot]:
    path = folder / Path(str(row["file"])).name
    if _checksum(path) != row["sha256"]:
        raise ValueError(f"{path.name} is damaged")
    with path.open("rb") as file:
        loaded: Any = mx.load(file, format="safetensors", return_metadata=True)
        arrays, metadata = loaded
        about = json.loads(metadata["entry"])
        if about["identity"] != identity:
            raise ValueError(f"{path.name} belongs to another model")
        tokens = tuple(int(token) for token in about["tokens"])
        snapshot = Snapshot.from_arrays(about["meta"], arrays)
    if snapshot.n_tokens != len(tokens):
        raise ValueError(f"{path.name} holds {snapshot.n_tokens} tokens, its key {len(tokens)}")
    return tokens, snapshot


def _checksum(path: Path) -> str:
    hasher = hashlib.sha256()
    with path.open("rb") as file:
        while chunk := file.read(_CHUNK):
            hasher.update(chunk)
    return hasher.hexdigest()
