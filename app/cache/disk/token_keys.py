"""Salted tokens as bytes and as chained digests, the keys under which the disk finds a prefix.

A prefix of n tokens has one digest per full chunk of ``GRID`` tokens, each covering everything before it, and one for
its exact end. The deepest stored chunk is found by bisection, because a chunk is stored only after those before it.
Chained block hashes are the idea of vLLM's automatic prefix caching.
"""

from __future__ import annotations

import hashlib
import struct
from array import array
from collections.abc import Sequence

GRID = 32
_WIDE = 0xFFFFFFFF
_WIDE_BYTES = 32
MEDIA_MARK = b"\xff" * 4
"""Stands before each salted token; without it, tokens are four bytes each."""


def encode_tokens(tokens: Sequence[int]) -> bytes:
    """Return ``tokens`` as bytes: 4 each, and a marker plus 32 bytes for a salted one.

    Raises:
        ValueError: a token is negative or wider than a salt.
    """
    try:
        packed = array("I", tokens)
    except OverflowError:
        return b"".join(map(_encode_token, tokens))
    if _WIDE in packed:
        raise ValueError("token ids reach 2**32 - 1, which marks a salted token")
    return packed.tobytes()


def _encode_token(token: int) -> bytes:
    if 0 <= token < _WIDE:
        return struct.pack("<I", token)
    try:
        return struct.pack("<I", _WIDE) + token.to_bytes(_WIDE_BYTES, "little")
    except OverflowError as error:
        raise ValueError(f"token {token} cannot be keyed") from error


def decode_tokens(data: bytes) -> tuple[int, ...]:
    """Return what :func:`encode_tokens` was given.

    Raises:
        ValueError: the bytes end inside a token.
    """
    tokens: list[int] = []
    position = 0
    while position < len(data):
        if position + 4 > len(data):
            raise ValueError("the tokens are cut off")
        (token,) = struct.unpack_from("<I", data, position)
        position += 4
        if token == _WIDE:
            if position + _WIDE_BYTES > len(data):
                raise ValueError("the tokens are cut off")
            token = int.from_bytes(data[position : position + _WIDE_BYTES], "little")
            position += _WIDE_BYTES
        tokens.append(token)
    return tuple(tokens)


def chunk_digests(namespace: str, tokens: Sequence[int]) -> list[bytes]:
    """Return the chained SHA-256 per full chunk; item ``i`` covers ``tokens[: (i + 1) * GRID]`` and the namespace."""
    digest = hashlib.sha256(namespace.encode()).digest()
    digests: list[bytes] = []
    for start in range(0, len(tokens) - GRID + 1, GRID):
        digest = hashlib.sha256(digest + encode_tokens(tokens[start : start + GRID])).digest()
        digests.append(digest)
    return digests


def prefix_key(namespace: str, tokens: Sequence[int], digests: Sequence[bytes] | None = None) -> str:
    """Return the hex digest of exactly ``tokens``; ``digests`` saves recomputing the chunks."""
    chunks = chunk_digests(namespace, tokens) if digests is None else digests
    full = len(tokens) // GRID
    anchor = chunks[full - 1] if full else hashlib.sha256(namespace.encode()).digest()
    return hashlib.sha256(anchor + b"end" + encode_tokens(tokens[full * GRID :])).hexdigest()


def common_length(left: Sequence[int], right: Sequence[int]) -> int:
    """Return how many leading tokens two sequences share; bisects over slices, which compare at C speed."""
    low, high = 0, min(len(left), len(right))
    while low < high:
        middle = (low + high + 1) // 2
        if left[low:middle] == right[low:middle]:
            low = middle
        else:
            high = middle - 1
    return low
