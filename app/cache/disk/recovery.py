"""After a crash, a lost index or a meddling user: making index and folder agree again."""

from __future__ import annotations

from collections.abc import Callable

from app.cache.disk.chains import leaves
from app.cache.disk.entry_file import EntryDamaged, EntryHeader, read_entry, read_header
from app.cache.disk.folder import CacheFolder, FoundFile
from app.cache.disk.index import DiskIndex, IndexRow
from app.cache.disk.token_keys import GRID, chunk_digests, decode_tokens, encode_tokens

Damaged = Callable[[str, str], None]


def reconcile(folder: CacheFolder, index: DiskIndex, on_damaged: Damaged) -> int:
    """Remove interrupted writes, forget vanished files, take in files without a row; return the number of entries.

    Must not run while an entry is being written.
    """
    found = {file.name: file for file in folder.files()}
    for name in [n for n, file in found.items() if file.temporary]:
        folder.remove(name)
        del found[name]
    known = {row.file: row for row in index.all()}
    for row in known.values():
        if row.file not in found:
            index.remove(row.id)
    _adopt(folder, index, [file for name, file in found.items() if name not in known], on_damaged)
    _drop_orphans(folder, index)
    return index.totals()[0]


def verify(folder: CacheFolder, index: DiskIndex, on_damaged: Damaged) -> list[tuple[str, str]]:
    """Re-read every entry; set damaged ones aside and return them as (file name, reason)."""
    damaged: list[tuple[str, str]] = []
    for row in index.all():
        try:
            header, _ = read_entry(folder.entry_path(row.file))
            if header.key != row.key or header.namespace != row.namespace:
                raise EntryDamaged("it holds another entry than the index says")
        except (EntryDamaged, OSError) as error:
            damaged.append((row.file, str(error)))
            on_damaged(row.file, str(error))
            index.remove(row.id)
    _drop_orphans(folder, index)
    return damaged


def _adopt(folder: CacheFolder, index: DiskIndex, files: list[FoundFile], on_damaged: Damaged) -> None:
    headers: list[tuple[EntryHeader, FoundFile]] = []
    for file in files:
        try:
            headers.append((read_header(folder.entry_path(file.name)), file))
        except (EntryDamaged, OSError) as error:
            on_damaged(file.name, str(error))
    with index.bulk():
        for header, file in sorted(headers, key=lambda item: (item[0].start, item[1].modified)):
            try:
                index.add(*_describe(folder, index, header, file))
            except (EntryDamaged, OSError, ValueError, KeyError) as error:
                on_damaged(file.name, str(error))


def _describe(
    folder: CacheFolder, index: DiskIndex, header: EntryHeader, file: FoundFile
) -> tuple[IndexRow, list[bytes]]:
    own: tuple[int, ...] = ()
    chunks: list[bytes] = []
    first = b""
    if header.kind == "kv":
        _, arrays = read_entry(folder.entry_path(file.name))
        own = decode_tokens(arrays["tokens"].tobytes())
        whole = _tokens_before(index, header) + own
        if len(whole) != header.end:
            raise EntryDamaged(f"it describes {header.end} tokens and has {len(whole)}")
        chunks = chunk_digests(header.namespace, whole)[header.start // GRID :]
        parent = index.get(header.namespace, "kv", header.parent) if header.parent else None
        if parent is not None and leaves(parent, whole, header.start):
            first = encode_tokens(own[:1])
    cuttable, sliced = bool(header.meta.get("cuttable")), bool(header.meta.get("sliced"))
    row = IndexRow(
        0, header.kind, header.namespace, header.key, header.parent, header.start, first, header.end, cuttable, sliced,
        encode_tokens(own), file.name, file.nbytes, 0, file.modified,
    )  # fmt: skip
    return row, chunks


def _tokens_before(index: DiskIndex, header: EntryHeader) -> tuple[int, ...]:
    pieces: list[tuple[int, ...]] = []
    key, until = header.parent, header.start
    while key:
        parent = index.get(header.namespace, "kv", key)
        if parent is None:
            raise EntryDamaged("the entry it continues is gone")
        pieces.append(decode_tokens(parent.tokens)[: until - parent.start])
        key, until = parent.parent, parent.start
    return tuple(token for piece in reversed(pieces) for token in piece)


def _drop_orphans(folder: CacheFolder, index: DiskIndex) -> None:
    """Remove entries whose parents are gone, parents first, so that one pass finds whole chains."""
    present: set[tuple[str, str]] = set()
    for row in index.all():
        if row.kind == "kv" and row.parent and (row.namespace, row.parent) not in present:
            index.remove(row.id)
            folder.remove(row.file)
        else:
            present.add((row.namespace, row.key))
