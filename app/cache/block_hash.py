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


def compute_block_hash(
    parent_hash: bytes | None, token_ids: Sequence[int], extra_keys: tuple[Any, ...] | None = None
) -> bytes:
    """Return the SHA-256 over parent, tokens and ``extra_keys`` (identity, adapter: anything with a stable ``repr``).

    Raises:
        ValueError: a token is negative or wider than 256 bits.
    """
    parent = b"root" if parent_hash is None else b"%d|" % len(parent_hash) + parent_hash
    extra = b"" if extra_keys is None else repr(extra_keys).encode()
    return hashlib.sha256(b"%b|%d|%b|%b" % (parent, len(extra), extra, encode_tokens(token_ids))).digest()


def namespace_root(namespace: str) -> bytes | None:
    """Return the parent hash of a namespace's first blocks; the nameless one has none."""
    return compute_block_hash(None, (), ("namespace", namespace)) if namespace else None


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
    """A prompt cut into blocks, with hashes and paths made as far as they are asked for.

    Args:
        tokens: the salted prompt.
        block_size: tokens per block.
        namespace: identity digest.
        like: a chain of the same namespace and block size whose work is taken over, as far as it goes.
        shared: leading tokens that ``like`` has in common with ``tokens``.
    """

    def __init__(
        self,
        tokens: Sequence[int],
        block_size: int,
        namespace: str = "",
        *,
        like: PromptChain | None = None,
        shared: int = 0,
    ) -> None:
        self.tokens = tuple(tokens)
        self.block_size = block_size
        self.namespace = namespace
        known = shared // block_size + 1
        self._hashes: list[bytes | None] = [namespace_root(namespace)] if like is None else like._hashes[:known]
        self._paths: list[TokenPath | None] = [None] if like is None else like._paths[:known]

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
            self._hashes.append(compute_block_hash(self._hashes[k], self.block_tokens(k)))
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

    def path_to(self, i: int, stop: int | None = None) -> TokenPath:
        """Return the path that ends with block ``i``, cut at position ``stop`` if that falls inside it."""
        end = (i + 1) * self.block_size
        if end <= (len(self.tokens) if stop is None else stop):
            path = self.path_before(i + 1)
            assert path is not None
            return path
        return TokenPath(self.block_tokens(i, stop), self.path_before(i))

    def adopt(self, i: int, path: TokenPath) -> None:
        """Use a stored block's (verified) path for block ``i``, so that later comparisons end at once."""
        if len(self._paths) == i + 2:
            self._paths[i + 1] = path
