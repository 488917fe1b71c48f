"""The prefix index: one radix tree per identity over token tuples.

Edges hold slices of tokens that are compared as whole tuples, so a walk runs at C speed and its cost grows with the
prompt's length, not with the number of entries. Every node knows the *shortest* entry at or below it: that is the one
with the best chance of being cut back to the node (a window that has not rotated yet, a chunk that is still whole).
The tree with exact, shorter and longer matches follows the idea of mlx-lm's prompt trie and of SGLang's radix cache.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Generic, TypeVar

V = TypeVar("V")
Tokens = tuple[int, ...]
STRETCH = 256
"""Tokens compared at once: small enough to search one by one, large enough that the loop costs nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Entry(Generic[V]):
    """A stored key with its value."""

    tokens: Tokens
    value: V


@dataclass(slots=True, eq=False)
class _Node(Generic[V]):
    edge: Tokens = ()
    depth: int = 0
    parent: _Node[V] | None = None
    children: dict[int, _Node[V]] = field(default_factory=dict)
    entry: Entry[V] | None = None
    shortest: Entry[V] | None = None

    def refresh(self) -> None:
        """Recompute the shortest entry at or below from the node itself and its children."""
        if self.entry is not None:
            self.shortest = self.entry
        else:
            below = (c.shortest for c in self.children.values() if c.shortest is not None)
            self.shortest = min(below, key=lambda e: len(e.tokens), default=None)


@dataclass(frozen=True, slots=True)
class Match(Generic[V]):
    """What :meth:`PrefixIndex.find` saw on its way down.

    Attributes:
        exact: the entry with exactly these tokens.
        ancestor: the longest entry that is a proper prefix of the tokens.
        ancestors: all entries that are proper prefixes, longest first.
        longer: the shortest entry that the tokens are a proper prefix of.
        common: length of the longest common prefix with any entry.
        branches: ``(depth, entry)``, deepest first: the shortest entry that shares exactly ``depth`` or more tokens,
            for every point on the way where entries lie below; the first is the longest common prefix.
    """

    exact: Entry[V] | None
    ancestor: Entry[V] | None
    ancestors: tuple[Entry[V], ...]
    longer: Entry[V] | None
    common: int
    branches: tuple[tuple[int, Entry[V]], ...]


class PrefixIndex(Generic[V]):
    """Maps (identity, tokens) to values and finds what shares a prefix. Not locked: the owner's lock covers it."""

    def __init__(self) -> None:
        self._roots: dict[str, _Node[V]] = {}
        self._count = 0

    def __len__(self) -> int:
        return self._count

    def __contains__(self, key: tuple[str, Sequence[int]]) -> bool:
        return self.get(*key) is not None

    def __iter__(self) -> Iterator[tuple[str, Entry[V]]]:
        """Iterate over all (identity, entry), in no particular order."""
        for identity in self._roots:
            for entry in self.entries(identity):
                yield identity, entry

    def entries(self, identity: str) -> Iterator[Entry[V]]:
        """Iterate over the entries of one identity, in no particular order."""
        yield from self.below(identity, ())

    def below(self, identity: str, tokens: Sequence[int]) -> Iterator[Entry[V]]:
        """Iterate over the entries that ``tokens`` are a proper prefix of, in no particular order."""
        key = tuple(tokens)
        root = self._roots.get(identity)
        if root is None:
            return
        node, depth, partly = _descend(root, key)
        if depth < len(key):
            return
        stack = [partly[0]] if partly else list(node.children.values())
        while stack:
            node = stack.pop()
            stack.extend(node.children.values())
            if node.entry is not None:
                yield node.entry

    def insert(self, identity: str, tokens: Sequence[int], value: V) -> V | None:
        """Store ``value``; return the one it replaces, if any.

        Raises:
            ValueError: ``tokens`` is empty.
        """
        key = tuple(tokens)
        if not key:
            raise ValueError("an empty sequence cannot be a key")
        node = self._grow(self._roots.setdefault(identity, _Node()), key)
        replaced = node.entry
        node.entry = entry = Entry(key, value)
        self._count += replaced is None
        self._lift(node, entry, replaced)
        return None if replaced is None else replaced.value

    def get(self, identity: str, tokens: Sequence[int]) -> V | None:
        """Return the value stored for exactly ``tokens``."""
        entry = self.find(identity, tokens).exact
        return None if entry is None else entry.value

    def remove(self, identity: str, tokens: Sequence[int]) -> V | None:
        """Remove and return the value of exactly ``tokens``; ``None`` if there is none."""
        root = self._roots.get(identity)
        node, depth, _ = _descend(root, tuple(tokens)) if root else (None, 0, ())
        if node is None or node.entry is None or depth != len(tokens) or node.depth != depth:
            return None
        removed, node.entry = node.entry, None
        self._count -= 1
        self._prune(identity, node, removed)
        return removed.value

    def drop(self, identity: str) -> list[Entry[V]]:
        """Remove and return all entries of one identity."""
        entries = list(self.entries(identity))
        self._roots.pop(identity, None)
        self._count -= len(entries)
        return entries

    def clear(self) -> None:
        """Remove everything."""
        self._roots.clear()
        self._count = 0

    def find(self, identity: str, tokens: Sequence[int]) -> Match[V]:
        """Return all that shares a prefix with ``tokens``."""
        key = tuple(tokens)
        root = self._roots.get(identity)
        if root is None or not key:
            return Match(None, None, (), None, 0, ())
        node, depth, below = _descend(root, key)
        path = _path(node)
        ends_here = node.depth == depth == len(key)
        exact = node.entry if ends_here else None
        ancestors = tuple(n.entry for n in path if n.entry is not None and n.entry is not exact)
        deepest = below[0] if below else None
        branches = [
            (n.depth, n.shortest) for n in path if n.depth and n.shortest is not None and n.shortest is not exact
        ]
        if deepest is not None and deepest.shortest is not None and depth > node.depth:
            branches.insert(0, (depth, deepest.shortest))
        longer = _longer(node, deepest, ends_here) if depth == len(key) else None
        return Match(exact, ancestors[0] if ancestors else None, ancestors, longer, depth, tuple(branches))

    @staticmethod
    def _grow(root: _Node[V], key: Tokens) -> _Node[V]:
        """Return the node that ends at ``key``, splitting an edge and adding a leaf as needed."""
        node, depth, below = _descend(root, key)
        if below and depth > node.depth:
            node = _split(below[0], depth - node.depth)
        if depth == len(key):
            return node
        leaf = _Node(key[depth:], len(key), node)
        node.children[leaf.edge[0]] = leaf
        return leaf

    @staticmethod
    def _lift(node: _Node[V] | None, entry: Entry[V], replaced: Entry[V] | None) -> None:
        """Tell the ancestors about a new entry, if it is the shortest below them."""
        while node is not None:
            best = node.shortest
            if best is None or best is replaced or len(entry.tokens) < len(best.tokens):
                node.shortest = entry
            node = node.parent

    def _prune(self, identity: str, node: _Node[V], removed: Entry[V]) -> None:
        """Take out a node without entry, or join it with its only child; refresh what its ancestors know."""
        parent = node.parent
        if not node.children and parent is not None:
            del parent.children[node.edge[0]]
            node = parent
        if len(node.children) == 1 and node.entry is None and node.parent is not None:
            (child,) = node.children.values()
            child.edge = node.edge + child.edge
            child.parent = node.parent
            node.parent.children[child.edge[0]] = child
            node = node.parent
        up: _Node[V] | None = node
        while up is not None and up.shortest is removed:
            up.refresh()
            up = up.parent
        if not self._roots[identity].children:
            del self._roots[identity]


def _descend(root: _Node[V], key: Tokens) -> tuple[_Node[V], int, tuple[_Node[V], ...]]:
    """Walk down as far as ``key`` matches: the last whole node, the depth reached, and the child partly matched."""
    node, depth = root, 0
    while depth < len(key):
        child = node.children.get(key[depth])
        if child is None:
            return node, depth, ()
        shared = common_length(key, child.edge, depth)
        if shared < len(child.edge):
            return node, depth + shared, (child,)
        node, depth = child, child.depth
    return node, depth, ()


def _path(node: _Node[V]) -> list[_Node[V]]:
    """Return ``node`` and its ancestors, deepest first."""
    path = []
    up: _Node[V] | None = node
    while up is not None:
        path.append(up)
        up = up.parent
    return path


def _longer(node: _Node[V], partly: _Node[V] | None, ends_here: bool) -> Entry[V] | None:
    if partly is not None:
        return partly.shortest
    if ends_here and node.entry is not None:
        below = (c.shortest for c in node.children.values() if c.shortest is not None)
        return min(below, key=lambda e: len(e.tokens), default=None)
    return node.shortest


def _split(child: _Node[V], length: int) -> _Node[V]:
    """Put a node after the first ``length`` tokens of the edge that leads to ``child``."""
    parent = child.parent
    assert parent is not None
    middle = _Node(child.edge[:length], parent.depth + length, parent, shortest=child.shortest)
    middle.children[child.edge[length]] = child
    parent.children[child.edge[0]] = middle
    child.edge = child.edge[length:]
    child.parent = middle
    return middle


def common_length(a: Sequence[int], b: Sequence[int], start: int = 0) -> int:
    """Return how many elements ``b`` shares with ``a[start:]`` from the beginning on.

    Whole stretches are compared at C speed; only the stretch that differs is searched one by one.
    """
    limit = min(len(a) - start, len(b))
    for at in range(0, limit, STRETCH):
        stop = min(at + STRETCH, limit)
        left, right = a[start + at : start + stop], b[at:stop]
        if left != right:
            return at + next(i for i, (x, y) in enumerate(zip(left, right, strict=True)) if x != y)
    return limit
