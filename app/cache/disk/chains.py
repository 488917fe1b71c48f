"""Segments that continue one another: finding the longest stored prefix, and what must be read for it.

A growing chat writes its new part only: an entry holds the tokens ``start:stop`` and names the entry it continues; that
one may be cut at ``start`` (an edited question branches off in the middle of what was stored before).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from app.cache.disk.index import DiskIndex, IndexRow
from app.cache.disk.token_keys import GRID, chunk_digests, common_length, decode_tokens, encode_tokens


@dataclass(frozen=True, slots=True)
class Chain:
    """A stored prefix: ``rows`` root first, of which the state after ``tokens`` tokens can be rebuilt."""

    rows: tuple[IndexRow, ...]
    tokens: int

    @property
    def last(self) -> IndexRow:
        """The segment that reaches furthest."""
        return self.rows[-1]

    @property
    def nbytes(self) -> int:
        """Bytes of the files to read."""
        return sum(row.nbytes for row in self.rows)


def longest_chain(index: DiskIndex, namespace: str, tokens: Sequence[int], most: int | None = None) -> Chain | None:
    """Return the chain that serves the longest prefix of ``tokens``, at most ``most`` tokens of it.

    Where entries may be cut, one of those that share most serves. Where they may not, a shorter one that ends on the
    way of ``tokens`` can be better, so the search goes on chunk by chunk towards the start until nothing longer can be
    found.
    """
    limit = len(tokens) if most is None else most
    tokens = tuple(tokens)
    digests = chunk_digests(namespace, tokens)
    best: Chain | None = None
    seen: set[int] = set()
    for depth in range(_deepest(index, digests), -1, -1):
        for row, reach in _reaches(index, namespace, tokens, _holders(index, namespace, digests, depth), seen):
            chain = _usable(index, row, min(reach, limit))
            if chain is not None and (best is None or chain.tokens > best.tokens):
                best = chain
        if best is not None and best.tokens >= min(depth * GRID, limit):
            break
    return best


def shared_length(index: DiskIndex, namespace: str, tokens: Sequence[int]) -> tuple[IndexRow | None, int]:
    """Return the segment that shares most leading tokens with ``tokens``, usable or not, and how many."""
    tokens = tuple(tokens)
    digests = chunk_digests(namespace, tokens)
    candidates = _holders(index, namespace, digests, _deepest(index, digests))
    return max(_reaches(index, namespace, tokens, candidates, set()), key=lambda found: found[1], default=(None, 0))


def _reaches(
    index: DiskIndex, namespace: str, tokens: tuple[int, ...], waiting: list[IndexRow], seen: set[int]
) -> Iterator[tuple[IndexRow, int]]:
    """Yield segments on the way of ``tokens``, from ``waiting`` on, with the position up to which they agree."""
    while waiting:
        row = waiting.pop()
        if row.id in seen:
            continue
        seen.add(row.id)
        reach = row.start + common_length(decode_tokens(row.tokens), tokens[row.start :])
        yield row, reach
        onward = encode_tokens(tokens[reach : reach + 1])
        waiting += [child for child in index.children(namespace, row.key, reach, onward) if child.id not in seen]


def _deepest(index: DiskIndex, digests: Sequence[bytes]) -> int:
    """Return how many leading chunks are stored; found by bisection."""
    low, high = 0, len(digests)
    while low < high:
        middle = (low + high + 1) // 2
        if index.has_chunk(digests[middle - 1]):
            low = middle
        else:
            high = middle - 1
    return low


def _holders(index: DiskIndex, namespace: str, digests: Sequence[bytes], depth: int) -> list[IndexRow]:
    """Return the segments that complete chunk number ``depth``, or those that start at 0 where that is 0."""
    if depth == 0:
        return index.roots(namespace)
    return [row for row in index.holders(digests[depth - 1]) if row.start < depth * GRID]


def _usable(index: DiskIndex, row: IndexRow, reach: int) -> Chain | None:
    """Walk up from ``row`` until a segment can serve: anywhere if it may be cut, else only exactly at its end."""
    path = list(reversed(path_to(index, row)))
    for depth, candidate in enumerate(path):
        if candidate.cuttable:
            return Chain(tuple(reversed(path[depth:])), reach) if reach > candidate.start else None
        if candidate.stop <= reach:
            return Chain(tuple(reversed(path[depth:])), candidate.stop)
        reach = min(reach, candidate.start)
    return None


def path_to(index: DiskIndex, row: IndexRow) -> list[IndexRow]:
    """Return ``row`` and the entries it continues, root first; empty when one of them is gone."""
    path = [row]
    while path[-1].parent:
        parent = index.get(row.namespace, row.kind, path[-1].parent)
        if parent is None:
            return []
        path.append(parent)
    return path[::-1]


def leaves(parent: IndexRow, tokens: Sequence[int], start: int) -> bool:
    """Return whether ``tokens`` differ from ``parent`` at ``start``, or reach its end there."""
    own = decode_tokens(parent.tokens)
    return start == parent.stop or own[start - parent.start] != tokens[start]
