"""Chained block hashes, and the tokens behind them.

A block's hash covers its parent's hash, its own (salted) tokens and what else keeps sequences apart, so one look-up
finds a block *and* vouches for everything before it; the idea is vLLM's automatic prefix caching. A hash is never the
only witness: :class:`TokenPath` keeps the tokens, and a hit is compared with them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from app.cache.disk.token_keys import encode_tokens

_TOKEN_BYTES = 4


def compute_block_hash(
    parent_hash: bytes | None, token_ids: Sequence[int], extra_keys: tuple[Any, ...] | None = None
) -> bytes:
    """Return the SHA-256 over parent, tokens and ``extra_keys`` (identity, adapter: anything with a stable ``repr``).

    Raises:
        ValueError: a token is negative or wider than 256 bits.
    """
    return _digest(parent_hash, encode_tokens(token_ids), extra_keys)


def namespace_root(namespace: str) -> bytes | None:
    """Return the parent hash of a namespace's first blocks; the nameless one has none."""
    return compute_block_hash(None, (), ("namespace", namespace)) if namespace else None


def _digest(parent_hash: bytes | None, encoded: bytes | memoryview, extra_keys: tuple[Any, ...] | None) -> bytes:
    parent = b"root" if parent_hash is None else b"%d|" % len(parent_hash) + parent_hash
    extra = b"" if extra_keys is None else repr(extra_keys).encode()
    return hashlib.sha256(b"%b|%d|%b|%b" % (parent, len(extra), extra, bytes(encoded))).digest()


@dataclass(slots=True, eq=False)
class TokenPath:
    """Tokens of one block and, through ``parent``, of all blocks before it; shared by all sequences that pass here."""

    tokens: tuple[int, ...]
    parent: TokenPath | None = None

    def same_as(self, other: TokenPath | None) -> bool:
        """Whether both stand for the same tokens from the very start. Stops at the first node that they share."""
        mine: TokenPath | None = self
        while mine is not other:
            if mine is None or other is None or mine.tokens != other.tokens:
                return False
            mine, other = mine.parent, other.parent
        return True


def same_path(left: TokenPath | None, right: TokenPath | None) -> bool:
    """Whether two paths, ``None`` being the empty one, stand for the same tokens."""
    return left is right or (left is not None and left.same_as(right))


class PromptChain:
    """A prompt cut into blocks, with hashes and paths made as far as they are asked for."""

    def __init__(self, tokens: Sequence[int], block_size: int, namespace: str = "") -> None:
        self.tokens = tuple(tokens)
        self.block_size = block_size
        self.namespace = namespace
        self._hashes = [namespace_root(namespace)]
        self._paths: list[TokenPath | None] = [None]
        packed = encode_tokens(self.tokens)
        self._packed = memoryview(packed) if len(packed) == _TOKEN_BYTES * len(self.tokens) else None

    def __len__(self) -> int:
        return len(self.tokens)

    def block_tokens(self, i: int, stop: int | None = None) -> tuple[int, ...]:
        """Return the tokens of block ``i``, up to position ``stop`` of the prompt."""
        start = i * self.block_size
        end = start + self.block_size
        return self.tokens[start : end if stop is None else min(end, stop)]

    def hash_before(self, i: int) -> bytes | None:
        """Return the chain hash of the first ``i`` full blocks."""
        while len(self._hashes) <= i:
            k = len(self._hashes) - 1
            self._hashes.append(_digest(self._hashes[k], self._encoded(k), None))
        return self._hashes[i]

    def hash_of(self, i: int, stop: int | None = None) -> bytes:
        """Return the chain hash of block ``i``, cut at position ``stop`` if that falls inside it."""
        end = (i + 1) * self.block_size
        if end <= (len(self.tokens) if stop is None else stop):
            digest = self.hash_before(i + 1)
            assert digest is not None
            return digest
        return compute_block_hash(self.hash_before(i), self.block_tokens(i, stop))

    def path_before(self, i: int) -> TokenPath | None:
        """Return the path of the first ``i`` blocks."""
        while len(self._paths) <= i:
            k = len(self._paths) - 1
            self._paths.append(TokenPath(self.block_tokens(k), self._paths[k]))
        return self._paths[i]

    def path_to(self, i: int, stop: int) -> TokenPath:
        """Return the path that ends at position ``stop`` inside (or at the end of) block ``i``."""
        if stop == (i + 1) * self.block_size:
            path = self.path_before(i + 1)
            assert path is not None
            return path
        return TokenPath(self.block_tokens(i, stop), self.path_before(i))

    def adopt(self, i: int, path: TokenPath) -> None:
        """Use a stored block's (verified) path for block ``i``, so that later comparisons end at once."""
        if len(self._paths) == i + 1:
            self._paths.append(path)

    def _encoded(self, i: int) -> bytes | memoryview:
        if self._packed is None:
            return encode_tokens(self.block_tokens(i))
        width = _TOKEN_BYTES * self.block_size
        return self._packed[i * width : (i + 1) * width]
