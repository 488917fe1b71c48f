"""One entry, one file: a safetensors file whose header describes and checks itself.

Layout: 8 bytes little-endian header length, JSON header, tensors. The JSON's ``__metadata__`` holds our description
and two XXH3-128 checksums, of the header and of the payload, so that a flipped bit anywhere is found before a tensor is
used.
A file is written under a temporary name, flushed to the device and renamed; the folder is flushed too.
"""

from __future__ import annotations

import json
import mmap
import os
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, BinaryIO, Literal

import numpy as np
import xxhash
from numpy.typing import NDArray

from app.cache.disk import faults
from app.cache.disk.buffers import HostArray, numpy_dtype

FORMAT_VERSION = 1
SUFFIX = ".safetensors"
TEMPORARY_SUFFIX = ".tmp"
_MAX_HEADER = 64 * 1024 * 1024
_KEY = "second_glance"
Kind = Literal["kv", "features"]


class EntryDamaged(Exception):
    """The file is not what its header says, or has no readable header; the message says which."""


@dataclass(frozen=True, slots=True)
class EntryHeader:
    """What an entry file says about itself.

    Attributes:
        kind: KV state or vision features.
        namespace: identity digest.
        key: hex digest of the whole salted prefix (kv), or of the encoder unit and its settings (features).
        parent: ``key`` of the entry this one continues; empty where it stands alone.
        start: first token of this segment; the chain of parents holds the tokens before it.
        end: number of tokens of the prefix that this entry completes.
        meta: layer classes, dtypes and everything else needed to rebuild the state (JSON).
        arrays: dtype code and shape per tensor.
        payload_bytes: size of all tensors together.
        checksum: XXH3-128 of the payload, hex.
    """

    kind: Kind
    namespace: str
    key: str
    parent: str = ""
    start: int = 0
    end: int = 0
    meta: Mapping[str, Any] = field(default_factory=dict)
    arrays: Mapping[str, tuple[str, tuple[int, ...]]] = field(default_factory=dict)
    payload_bytes: int = 0
    checksum: str = ""
    format: int = FORMAT_VERSION


def write_entry(path: Path, header: EntryHeader, arrays: Mapping[str, HostArray], mode: int = 0o600) -> int:
    """Write an entry atomically and return the file's size in bytes.

    Raises:
        OSError: disk full, no permission, folder gone; nothing is left behind but, after a crash, a temporary file.
    """
    contiguous = {name: HostArray(a.code, np.ascontiguousarray(a.data)) for name, a in arrays.items()}
    head = _encode_header(header, contiguous)
    temporary = path.with_name(path.name + TEMPORARY_SUFFIX)
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0)
    try:
        with os.fdopen(os.open(temporary, flags, mode), "wb") as file:
            faults.step("opened")
            _write_all(file, head, contiguous)
            file.flush()
            faults.step("flushed")
            os.fsync(file.fileno())
            size = file.tell()
        faults.step("synced")
        temporary.replace(path)
    except OSError:
        temporary.unlink(missing_ok=True)
        raise
    try:
        faults.step("renamed")
        _sync_folder(path.parent)
    except OSError:
        path.unlink(missing_ok=True)
        raise
    return size


def read_header(path: Path) -> EntryHeader:
    """Read and check only the header.

    Raises:
        EntryDamaged: it is not one of our headers, or was changed.
        OSError: the file cannot be read.
    """
    with path.open("rb") as file:
        header, _ = _read_header(file, path.stat().st_size)
    return header


def read_entry(path: Path) -> tuple[EntryHeader, dict[str, NDArray[np.generic]]]:
    """Map an entry, check the payload and return read-only views of its tensors, which keep the map alive.

    Raises:
        EntryDamaged: truncated, changed or foreign.
        OSError: the file cannot be read.
    """
    flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0)
    with os.fdopen(os.open(path, flags), "rb") as file:
        size = os.fstat(file.fileno()).st_size
        header, offset = _read_header(file, size)
        if size != offset + header.payload_bytes:
            raise EntryDamaged(f"{size} bytes on disk, {offset + header.payload_bytes} expected")
        mapped = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)
    payload = memoryview(mapped)[offset:]
    if xxhash.xxh3_128_hexdigest(payload) != header.checksum:
        raise EntryDamaged("the payload's checksum does not match")
    return header, _views(header, payload)


def _views(header: EntryHeader, payload: memoryview) -> dict[str, NDArray[np.generic]]:
    views: dict[str, NDArray[np.generic]] = {}
    position = 0
    for name, (code, shape) in header.arrays.items():
        dtype = numpy_dtype(code)
        count = int(np.prod(shape, dtype=np.int64))
        views[name] = np.frombuffer(payload, dtype=dtype, count=count, offset=position).reshape(shape)
        position += count * dtype.itemsize
    return views


def _encode_header(header: EntryHeader, arrays: Mapping[str, HostArray]) -> bytes:
    hasher = xxhash.xxh3_128()
    for array in arrays.values():
        if array.nbytes:
            hasher.update(array.data.reshape(-1).view(np.uint8).data)
    described = asdict(header)
    described["arrays"] = {name: [a.code, list(a.data.shape)] for name, a in arrays.items()}
    described["payload_bytes"] = sum(a.nbytes for a in arrays.values())
    described["checksum"] = hasher.hexdigest()
    text = json.dumps(described, separators=(",", ":"))
    table: dict[str, Any] = {"__metadata__": {_KEY: text, "header_checksum": xxhash.xxh3_128_hexdigest(text.encode())}}
    position = 0
    for name, array in arrays.items():
        stop = position + array.nbytes
        table[name] = {"dtype": array.code, "shape": list(array.data.shape), "data_offsets": [position, stop]}
        position = stop
    encoded = json.dumps(table, separators=(",", ":")).encode()
    encoded += b" " * (-len(encoded) % 64)
    return len(encoded).to_bytes(8, "little") + encoded


def _write_all(file: BinaryIO, head: bytes, arrays: Mapping[str, HostArray]) -> None:
    file.write(head)
    faults.step("header")
    for array in arrays.values():
        if array.nbytes:
            file.write(array.data.reshape(-1).view(np.uint8).data)
        faults.step("tensor")


def _read_header(file: BinaryIO, size: int) -> tuple[EntryHeader, int]:
    length = int.from_bytes(file.read(8), "little")
    if not 2 <= length <= min(_MAX_HEADER, size - 8):
        raise EntryDamaged("no header, or a header longer than the file")
    try:
        metadata = json.loads(file.read(length))["__metadata__"]
        text, checksum = metadata[_KEY], metadata["header_checksum"]
        if xxhash.xxh3_128_hexdigest(text.encode()) != checksum:
            raise EntryDamaged("the header's checksum does not match")
        described = json.loads(text)
        described["arrays"] = {n: (code, tuple(shape)) for n, (code, shape) in described["arrays"].items()}
        header = EntryHeader(**described)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise EntryDamaged(f"unreadable header ({type(error).__name__})") from error
    if header.format != FORMAT_VERSION:
        raise EntryDamaged(f"format {header.format}, this version reads {FORMAT_VERSION}")
    return header, 8 + length


def _sync_folder(folder: Path) -> None:
    descriptor = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
