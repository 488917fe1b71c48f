"""Identity: everything that makes one KV state usable by a model, as one digest that names a namespace."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

FORMAT_VERSION = 1
_HEADER_LIMIT = 100 * 1024 * 1024


@dataclass(frozen=True)
class CacheIdentity:
    """What makes KV state compatible. Two models whose identities differ share nothing, in any tier.

    Attributes:
        weights: digest of the safetensors headers and index with size and mtime of each shard, or the hub commit.
        quantization: bits, group size and mode; empty for none.
        adapter: LoRA digest; empty for none.
        tokenizer: digest of the tokenizer files.
        chat_template: digest of the chat template.
        rope: RoPE configuration.
        layout: per layer: class, window, dtype, KV bits and group size.
        processor: image-processor settings.
        versions: versions of the libraries that define the layout.
        format_version: version of our own stored form.
    """

    weights: str
    quantization: Mapping[str, Any] = field(default_factory=dict)
    adapter: str = ""
    tokenizer: str = ""
    chat_template: str = ""
    rope: Mapping[str, Any] = field(default_factory=dict)
    layout: tuple[Any, ...] = ()
    processor: Mapping[str, Any] = field(default_factory=dict)
    versions: Mapping[str, str] = field(default_factory=dict)
    format_version: int = FORMAT_VERSION

    @cached_property
    def digest(self) -> str:
        """Hex SHA-256 over the canonical JSON of all fields."""
        return hashlib.sha256(canonical(asdict(self)).encode()).hexdigest()


def canonical(value: object) -> str:
    """Return JSON that is equal for equal values: sorted keys, no spaces; ``[1, 23]`` and ``[12, 3]`` stay apart."""
    return json.dumps(value, sort_keys=True, separators=(",", ":"), default=str, ensure_ascii=False)


def digest_of(value: object) -> str:
    """Return the hex SHA-256 of ``value``'s canonical JSON."""
    return hashlib.sha256(canonical(value).encode()).hexdigest()


def namespace_of(model: object) -> str:
    """Return the namespace of an identity or an identity digest; empty for anything else, and never ``id(model)``."""
    if isinstance(model, CacheIdentity):
        return model.digest
    return model if isinstance(model, str) else ""


def weights_digest(folder: Path) -> str:
    """Return a digest of a checkpoint without reading its tensors.

    It covers every shard's safetensors header (names, dtypes, shapes, offsets), size and modification time in
    nanoseconds, and the index file.

    Raises:
        OSError: a file cannot be read.
    """
    hasher = hashlib.sha256()
    for path in sorted(folder.glob("*.safetensors*")):
        stat = path.stat()
        hasher.update(f"{path.name}|{stat.st_size}|{stat.st_mtime_ns}|".encode())
        hasher.update(path.read_bytes() if path.suffix == ".json" else _header(path))
    return hasher.hexdigest()


def files_digest(folder: Path, names: tuple[str, ...]) -> str:
    """Return a digest of the named files' contents; a file that is missing counts as missing."""
    hasher = hashlib.sha256()
    for name in names:
        path = folder / name
        content = path.read_bytes() if path.is_file() else None
        hasher.update(f"{name}|{'-' if content is None else len(content)}|".encode())
        hasher.update(content or b"")
    return hasher.hexdigest()


def _header(path: Path) -> bytes:
    """Return the JSON header of a safetensors file (8 bytes of length, then the header)."""
    with path.open("rb") as file:
        length = int.from_bytes(file.read(8), "little")
        return file.read(min(length, _HEADER_LIMIT))
