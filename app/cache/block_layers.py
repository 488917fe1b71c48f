"""How a model's layers are dealt out over groups, cut into rows of tokens, and put together again.

A ``CacheList`` is taken apart: each child is a leaf with a group of its own, so that the attention half of a mixed
layer is shared block by block although the recurrent half is not. What a block holds for its group is a tuple with one
item per leaf: a dictionary of arrays with the tokens on axis -2, or, for layers that sum up the past, the whole state.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import mlx.core as mx

from app.cache.block import CacheBlock
from app.cache.block_rows import RowSlice, join_rows
from app.cache.hybrid import CacheHit, GroupKind, KVCacheGroup, Slot
from app.cache.layers import LayerRefused, LayerState, capture_layer
from app.cache.layers.base import FlatState, describe, detach
from app.cache.layers.full import PlainState, SequenceState
from app.cache.layers.nested import NestedState
from app.cache.layers.window import RotatingState
from app.cache.sizes import nested_nbytes
from app.cache.snapshot import Snapshot

Rows = Mapping[str, mx.array]
Pack = Callable[[LayerState], LayerState]
Tree = int | tuple[type, tuple["Tree", ...]]
"""A leaf's number, or a nested layer's class and children."""


@dataclass(frozen=True, slots=True)
class Leaf:
    """One layer, or one child of a nested layer, at the moment of storing.

    Attributes:
        state: its lazy state; only what blocks need of it is ever evaluated.
        live: arrays that rows are taken from, by the state's names; row 0 is the token ``first``.
        first: position of the first row.
        pack: brings plain rows into the form in which they are stored, if that is another.
    """

    state: LayerState
    live: Rows
    first: int = 0
    pack: Pack | None = None

    @property
    def kind(self) -> tuple[GroupKind, int]:
        """Return the group's kind and window."""
        state = self.state
        if isinstance(state, SequenceState):
            return "full", 0
        if isinstance(state, RotatingState) and not state.params["keep"]:
            return "window", state.window
        return "recurrent", 0  # chunked attention too: where its rows begin depends on how it was prefilled

    @property
    def signature(self) -> tuple[Any, ...]:
        """Return what must be equal for rows of two states to be joined."""
        state = self.state
        if not isinstance(state, FlatState) or self.kind[0] == "recurrent":
            return state.tag, state.kind
        shapes = {name: _shape_of_rows(array) for name, array in self.live.items()}
        return state.tag, state.kind, tuple(sorted(state.params.items())), tuple(sorted(shapes.items()))

    def rows(self, start: int, stop: int) -> dict[str, mx.array]:
        """Return tokens ``start`` to ``stop``, lazily detached."""
        rows = {n: detach(a[..., start - self.first : stop - self.first, :]) for n, a in self.live.items()}
        if self.pack is None:
            return rows
        return self.pack(PlainState(self.state.kind, stop - start, rows)).arrays()


def take_leaves(caches: Sequence[Any], n_tokens: int, pack: Pack | None = None) -> tuple[tuple[Tree, ...], list[Leaf]]:
    """Return how ``caches`` nest and their leaves, each checked to hold exactly ``n_tokens``. Copies nothing.

    Args:
        caches: live layer caches.
        n_tokens: what they hold.
        pack: returns the form in which a layer is to be stored; ``None`` stores all as they are.

    Raises:
        LayerRefused: a layer holds another number of tokens or cannot be copied, or all are empty.
    """
    leaves: list[Leaf] = []
    trees = tuple(_take(cache, n_tokens, pack, leaves) for cache in caches)
    if n_tokens <= 0 or not any(leaf.state.nbytes for leaf in leaves):
        raise LayerRefused("cache", "it is empty")
    return trees, leaves


class LayerLayout:
    """The groups of one model's layers, and the way between layers and blocks.

    Attributes:
        groups: full attention first, then windows, then layers that keep one state.
        signature: equal for states whose blocks fit together.
    """

    def __init__(self, trees: tuple[Tree, ...], leaves: Sequence[Leaf]) -> None:
        self.signature = _signature(trees, leaves)
        self._trees = trees
        self._templates: list[Any] = [_template(leaf.state) for leaf in leaves]
        members: dict[tuple[GroupKind, int], list[int]] = {}
        for i, leaf in enumerate(leaves):
            members.setdefault(leaf.kind, []).append(i)
        order = sorted(members, key=lambda key: (("full", "window", "recurrent").index(key[0]), key[1]))
        self.groups = tuple(KVCacheGroup(i, *key, tuple(members[key])) for i, key in enumerate(order))

    @property
    def cut_anywhere(self) -> bool:
        """Whether a prefix of any length can be served from a longer one."""
        return all(group.kind == "full" for group in self.groups)

    def matches(self, trees: tuple[Tree, ...], leaves: Sequence[Leaf]) -> bool:
        """Whether these layers make blocks that fit together with those stored."""
        return self.signature == _signature(trees, leaves)

    def sample(self, group: KVCacheGroup) -> LayerState:
        """Return an empty state of the group's first layer, for saying what kind of layer it is."""
        state: LayerState = self._templates[group.layers[0]]
        return state

    def held_from(self, leaves: Sequence[Leaf]) -> dict[int, int]:
        """Return per group the first token that every layer still holds."""
        return {g.group_id: max(leaves[i].first for i in g.layers) for g in self.groups}

    def content(self, leaves: Sequence[Leaf], slot: Slot) -> tuple[Any, ...]:
        """Return what a new block holds for ``slot``, lazily."""
        chosen = [leaves[i] for i in slot.group.layers]
        if slot.group.kind == "recurrent":
            return tuple(leaf.state for leaf in chosen)
        return tuple(leaf.rows(slot.start, slot.stop) for leaf in chosen)

    def gather(self, hit: CacheHit, block_size: int) -> Callable[[], Snapshot]:
        """Take hold of what the hit's blocks contain; the result makes the snapshot, and needs no block any more.

        Raises:
            LayerRefused: a block is missing, or does not hold what the place needs.
        """
        pieces: dict[int, list[_Piece]] = {}
        states: dict[int, LayerState] = {}
        for group in self.groups:
            blocks = hit.blocks.get(group.group_id, ())
            if group.kind == "recurrent":
                states.update(zip(group.layers, _states(blocks, hit.length, block_size), strict=True))
            else:
                pieces[group.group_id] = _pieces(blocks, hit.length, block_size, group.window)
        return partial(self._assemble, pieces, states, hit.length)

    def _assemble(
        self, pieces: Mapping[int, Sequence[_Piece]], states: Mapping[int, LayerState], length: int
    ) -> Snapshot:
        """Join each array once; the snapshot may be lazy still."""
        joined = dict(states)
        for group in self.groups:
            for position, i in enumerate(group.layers if group.group_id in pieces else ()):
                joined[i] = _joined(self._templates[i], pieces[group.group_id], position, length)
        return Snapshot(tuple(_nest(tree, joined, length) for tree in self._trees), length)


def content_nbytes(content: tuple[Any, ...]) -> int:
    """Return the bytes of a block's content, from shapes."""
    return sum(item.nbytes if isinstance(item, LayerState) else nested_nbytes(item) for item in content)


def content_arrays(content: tuple[Any, ...]) -> Iterable[mx.array]:
    """Yield the arrays of a block's content."""
    for item in content:
        yield from (item.arrays() if isinstance(item, LayerState) else item).values()


@dataclass(frozen=True, slots=True)
class _Piece:
    """Rows ``first`` to ``last`` of a block's content; ``start`` is the position of the first one in the sequence."""

    content: tuple[Rows, ...]
    start: int
    first: int
    last: int | None


def _pieces(blocks: Sequence[CacheBlock], length: int, size: int, window: int) -> list[_Piece]:
    """Return what of each block belongs to the last ``window`` (all) tokens before ``length``, without gaps."""
    wanted = max(0, length - window) if window else 0
    pieces: list[_Piece] = []
    stop = length
    for i in reversed(range(-(-length // size))):
        block = blocks[i] if i < len(blocks) else None
        if block is None or block.cache_data is None or i * size + block.token_count < stop:
            break
        held = i * size + block.skipped
        start = max(wanted, held)
        cut = stop - held if i * size + block.token_count > stop else None
        pieces.insert(0, _Piece(block.cache_data, start, start - held, cut))
        if start <= wanted or block.skipped:
            break
        stop = i * size
    first = pieces[0].start if pieces else length
    if not pieces or first > (max(0, length - window + 1) if window else 0):
        raise LayerRefused("blocks", f"tokens before {first} are missing of {length}")
    return pieces


def _states(blocks: Sequence[CacheBlock], length: int, size: int) -> tuple[LayerState, ...]:
    last = blocks[-1] if blocks else None
    if last is None or last.cache_data is None or (len(blocks) - 1) * size + last.token_count != length:
        raise LayerRefused("blocks", f"no state is stored at {length} tokens")
    states: tuple[LayerState, ...] = last.cache_data
    return states


def _joined(template: FlatState, pieces: Sequence[_Piece], position: int, length: int) -> LayerState:
    """Return the state of one leaf at ``length`` tokens."""
    parts: dict[str, mx.array] = {}
    for name in pieces[0].content[position]:
        rows = [RowSlice(piece.content[position][name], piece.first, piece.last) for piece in pieces]
        if isinstance(template, RotatingState) and length - pieces[0].start < min(length, template.window):
            # A ring has a place for the row that the next token overwrites, or drops, before any query sees it.
            rows.insert(0, RowSlice(mx.zeros_like(rows[0].array[..., :1, :])))
        parts[name] = join_rows(rows)
    return replace(template, n_tokens=length, parts=parts).check()


def _nest(tree: Tree, states: Mapping[int, LayerState], length: int) -> LayerState:
    if isinstance(tree, int):
        return states[tree]
    kind, children = tree
    return NestedState(kind, length, tuple(_nest(child, states, length) for child in children))


def _take(cache: Any, n_tokens: int, pack: Pack | None, leaves: list[Leaf]) -> Tree:
    # Not a closure that calls itself: that would be a reference cycle, and keep the live arrays until it is collected.
    if type(cache).__name__ == "CacheList":
        return type(cache), tuple(_take(child, n_tokens, pack, leaves) for child in cache.caches)
    leaves.append(_leaf(cache, n_tokens, pack))
    return len(leaves) - 1


def _leaf(cache: Any, n_tokens: int, pack: Pack | None) -> Leaf:
    state = capture_layer(cache, n_tokens)
    if isinstance(state, SequenceState):
        live = {name: _live(cache, name) for name in state.parts}
        stored = state if pack is None else pack(state)
        return Leaf(stored, live, pack=None if stored is state else pack)
    if isinstance(state, RotatingState) and state.parts:
        return Leaf(state, state.parts, n_tokens - int(state.parts["keys"].shape[-2]))
    return Leaf(state, {})


def _live(cache: Any, name: str) -> mx.array:
    """Return a full-attention layer's own array, so that storing a few new rows does not copy all the old ones."""
    side, _, number = name.partition(".")
    held: Any = getattr(cache, side)
    array: mx.array = held[int(number)] if number else held
    return array


def _template(state: LayerState) -> LayerState:
    """Return ``state`` without arrays."""
    return replace(state, n_tokens=0, parts={}) if isinstance(state, FlatState) else state


def _signature(trees: tuple[Tree, ...], leaves: Sequence[Leaf]) -> tuple[Any, ...]:
    return trees, tuple(leaf.signature for leaf in leaves)


def _shape_of_rows(array: mx.array) -> tuple[Any, ...]:
    dtype, *shape = describe(array)
    return dtype, *shape[:-2], shape[-1]
