"""Writing an entry: what is new of it, where it continues from, and room made first. Runs on the writer's thread."""

from __future__ import annotations

import errno
import hashlib
import time
from collections.abc import Mapping
from typing import Any

import numpy as np

from app.cache.disk import faults
from app.cache.disk.buffers import HostArray
from app.cache.disk.chains import leaves, longest_chain, path_to, shared_length
from app.cache.disk.codec import HostState
from app.cache.disk.entry_file import SUFFIX, EntryHeader, Kind, write_entry
from app.cache.disk.folder import CacheFolder
from app.cache.disk.index import DiskIndex, IndexRow
from app.cache.disk.room import Room
from app.cache.disk.token_keys import GRID, chunk_digests, encode_tokens, prefix_key

MAX_LINKS = 24
"""A chain grows to so many files, then a state is written whole again."""
LEAST_SHARE = 4
"""An entry is continued only if at least one in so many of its tokens is shared: reading it costs all of them."""
TOKENS = "tokens"


class Spiller:
    """Writes entries; returns ``(bytes written, tokens written)``, zeros where the disk held the state already."""

    def __init__(self, folder: CacheFolder, index: DiskIndex, room: Room, max_entries: int) -> None:
        self.max_entries = max_entries
        self._folder = folder
        self._index = index
        self._room = room

    def spill_kv(self, namespace: str, tokens: tuple[int, ...], state: HostState) -> tuple[int, int]:
        """Write the part of a KV state that is not on disk yet.

        Raises:
            OSError: the disk cannot take it.
        """
        if self._held(namespace, tokens, state):
            return 0, 0
        parent, start = self._continues(namespace, tokens, state)
        arrays = self._segment(tokens, state, start)
        if parent is not None:
            self._index.touch(path_to(self._index, parent))
        self._make_room(arrays)
        if parent is not None and self._index.get(namespace, "kv", parent.key) is None:
            parent, start = None, 0
            arrays = self._segment(tokens, state, start)
            self._make_room(arrays)
        digests = chunk_digests(namespace, tokens)
        header = EntryHeader(
            "kv", namespace, prefix_key(namespace, tokens, digests), parent.key if parent else "", start, len(tokens),
            {**state.meta, "cuttable": state.cuttable},
        )  # fmt: skip
        first = encode_tokens(tokens[start : start + 1]) if parent and leaves(parent, tokens, start) else b""
        nbytes = self._store(f"{header.key}-{start}{SUFFIX}", header, arrays, digests[start // GRID :], first)
        return nbytes, len(tokens) - start

    def spill_features(
        self, namespace: str, key: str, meta: Mapping[str, Any], arrays: Mapping[str, HostArray]
    ) -> tuple[int, int]:
        """Write vision features under ``key``.

        Raises:
            OSError: the disk cannot take them.
        """
        if (row := self._index.get(namespace, "features", key)) is not None:
            self._index.touch([row])
            return 0, 0
        self._make_room(arrays)
        name = f"{hashlib.sha256(f'{namespace}|{key}'.encode()).hexdigest()}-0{SUFFIX}"
        return self._store(name, EntryHeader("features", namespace, key, meta=meta), arrays, []), 0

    def _held(self, namespace: str, tokens: tuple[int, ...], state: HostState) -> bool:
        chain = longest_chain(self._index, namespace, tokens)
        if chain is None or chain.tokens < len(tokens) or chain.last.cuttable != state.cuttable:
            return False
        self._index.touch(chain.rows)
        return True

    def _continues(self, namespace: str, tokens: tuple[int, ...], state: HostState) -> tuple[IndexRow | None, int]:
        """Return the entry to continue and the first token to write; nothing and 0 where it must stand alone."""
        if not state.sliced:
            return None, 0
        row, shared = shared_length(self._index, namespace, tokens)
        start = min(shared, len(tokens) - 1)
        if row is None or not row.sliced or (start - row.start) * LEAST_SHARE < row.stop - row.start:
            return None, 0
        deep = len(path_to(self._index, row)) >= MAX_LINKS
        return (None, 0) if deep or start == 0 else (row, start)

    @staticmethod
    def _segment(tokens: tuple[int, ...], state: HostState, start: int) -> dict[str, HostArray]:
        encoded = np.frombuffer(encode_tokens(tokens[start:]), dtype=np.uint8)
        return {TOKENS: HostArray("U8", encoded), **state.segment(start)}

    def _make_room(self, arrays: Mapping[str, HostArray]) -> None:
        nbytes = sum(array.nbytes for array in arrays.values())
        if not self._room.make(nbytes, self.max_entries):
            raise OSError(errno.ENOSPC, "its size limit, or the free space of the volume, leaves no room")

    def _store(
        self, name: str, header: EntryHeader, arrays: Mapping[str, HostArray], chunks: list[bytes], first: bytes = b""
    ) -> int:
        kind: Kind = header.kind
        nbytes = write_entry(self._folder.entry_path(name), header, arrays, self._folder.file_mode)
        encoded = arrays[TOKENS].data.tobytes() if kind == "kv" else b""
        cuttable, sliced = bool(header.meta.get("cuttable")), bool(header.meta.get("sliced"))
        row = IndexRow(
            0, kind, header.namespace, header.key, header.parent, header.start, first, header.end, cuttable, sliced,
            encoded, name, nbytes, 0, time.time(),
        )  # fmt: skip
        try:
            self._index.add(row, chunks)
        except Exception:
            self._folder.remove(name)  # without a row it would lie there uncounted until the next start
            raise
        faults.step("indexed")
        return nbytes
