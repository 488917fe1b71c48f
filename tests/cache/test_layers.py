"""Layer adapters against the real classes of both libraries."""

from __future__ import annotations

import json

import mlx.core as mx
import mlx_lm.models.cache as lm
import mlx_vlm.models.cache as vlm
import pytest

from app.cache.layers import LayerRefused, concat_layers, layer_from_arrays, snapshot_layer
from app.cache.snapshot import Snapshot

HEADS, SIZE = 2, 32


def kv(start: int, count: int) -> tuple[mx.array, mx.array]:
    """Keys and values that name their position, (1, heads, count, size)."""
    base = mx.arange(start, start + count, dtype=mx.float32)[None, None, :, None]
    keys = base * 100 + mx.arange(HEADS)[None, :, None, None] * 10 + mx.arange(SIZE) / 100
    return keys, -keys


def feed(cache, count: int, *, start: int | None = None, step: int | None = None) -> None:
    """Write ``count`` tokens, in pieces of ``step``."""
    position = getattr(cache, "offset", getattr(cache, "cache_length", 0)) if start is None else start
    step = step or count
    for at in range(position, position + count, step):
        if hasattr(cache, "maybe_trim_front"):
            cache.maybe_trim_front()
        cache.update_and_fetch(*kv(at, min(step, position + count - at)))


def make(library, name: str):
    makers = {
        "KVCache": library.KVCache,
        "ConcatenateKVCache": library.ConcatenateKVCache,
        "QuantizedKVCache": lambda: library.QuantizedKVCache(group_size=32, bits=8),
        "RotatingKVCache": lambda: library.RotatingKVCache(max_size=16, keep=2),
        "ChunkedKVCache": lambda: library.ChunkedKVCache(16),
        "CacheList": lambda: library.CacheList(library.KVCache(), library.RotatingKVCache(max_size=16)),
    }
    return makers[name]()


def all_feed(cache, count: int, step: int | None = None) -> None:
    for child in getattr(cache, "caches", [cache]):
        feed(child, count, step=step)


def contents(cache):
    """Everything a live cache holds, as plain numbers."""
    if hasattr(cache, "caches"):
        return [contents(child) for child in cache.caches]
    state = snapshot_layer(cache, cache.offset)
    return {name: mx.array(a).tolist() for name, a in state.arrays().items()}


NAMES = ["KVCache", "ConcatenateKVCache", "QuantizedKVCache", "RotatingKVCache", "ChunkedKVCache", "CacheList"]
LIBRARIES = [pytest.param(lm, id="mlx_lm"), pytest.param(vlm, id="mlx_vlm")]


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("length", [1, 7, 16, 40])
def test_a_restored_layer_is_of_the_same_class_and_holds_the_same(library, name, length):
    live = make(library, name)
    all_feed(live, length)
    state = snapshot_layer(live, length)
    restored = state.restore()
    assert type(restored) is type(live)
    assert state.n_tokens == length
    assert contents(restored) == contents(live)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("step", [1, 5, None])
def test_decoding_from_a_restored_layer_goes_on_as_the_live_one_and_leaves_the_state_alone(library, name, step):
    live = make(library, name)
    all_feed(live, 23, step)
    state = snapshot_layer(live, 23)
    before = {k: a.tolist() for k, a in state.arrays().items()}
    restored = state.restore()
    for cache in (live, restored):
        all_feed(cache, 20, 1)
    assert contents(restored) == contents(live)
    assert {k: a.tolist() for k, a in state.arrays().items()} == before
    assert contents(state.restore()) == contents(state.restore())


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", NAMES)
def test_states_survive_the_way_through_arrays_and_json(library, name):
    live = make(library, name)
    all_feed(live, 20, 3)
    state = snapshot_layer(live, 20)
    again = layer_from_arrays(json.loads(json.dumps(state.meta())), state.arrays())
    assert type(again) is type(state)
    assert contents(again.restore()) == contents(live)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", NAMES)
def test_a_layer_that_holds_another_number_of_tokens_is_refused(library, name):
    live = make(library, name)
    all_feed(live, 6)
    with pytest.raises(LayerRefused, match="holds 6 tokens, not 5"):
        snapshot_layer(live, 5)


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", NAMES)
def test_an_empty_layer_is_legal(library, name):
    state = snapshot_layer(make(library, name), 9)
    assert state.nbytes == 0
    assert state.can_cut(4)
    assert state.cut(4).n_tokens == 4
    assert type(state.restore()) is type(make(library, name))


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", ["KVCache", "ConcatenateKVCache", "QuantizedKVCache"])
def test_full_layers_are_cut_sliced_and_joined(library, name):
    live = make(library, name)
    all_feed(live, 50)
    state = snapshot_layer(live, 50)
    short = make(library, name)
    all_feed(short, 30)
    assert contents(state.restore(30)) == contents(short)
    assert all(a.shape[-2] == 30 for a in state.cut(30).arrays().values())
    joined = concat_layers([state.slice(0, 16), state.slice(16, 32), state.slice(32, 50)])
    assert contents(joined.restore()) == contents(live)
    assert joined.nbytes == state.nbytes
    with pytest.raises(LayerRefused):
        state.cut(51)
    with pytest.raises(LayerRefused):
        state.slice(40, 60)


def test_slices_of_different_layers_do_not_join():
    plain, packed = lm.KVCache(), lm.QuantizedKVCache(group_size=32)
    feed(plain, 4)
    feed(packed, 4)
    with pytest.raises(LayerRefused, match="one layer"):
        concat_layers([snapshot_layer(plain, 4), snapshot_layer(packed, 4)])
    ring = lm.RotatingKVCache(max_size=8)
    feed(ring, 4)
    with pytest.raises(LayerRefused, match="full-attention"):
        concat_layers([snapshot_layer(ring, 4)])
    with pytest.raises(LayerRefused, match="full-attention"):
        snapshot_layer(ring, 4).slice(0, 2)
    with pytest.raises(ValueError, match="nothing"):
        concat_layers([])


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("step", [1, 5, 40])
@pytest.mark.parametrize("keep", [0, 3])
def test_a_ring_keeps_exactly_its_window_whatever_way_it_was_filled(library, step, keep):
    live = library.RotatingKVCache(max_size=16, keep=keep)
    feed(live, 40, step=step)
    restored = snapshot_layer(live, 40).restore()
    assert restored.keys.shape[2] == 16
    assert 0 <= restored._idx <= 16
    positions = [int(x) for x in (restored.keys[0, 0, :, 0] / 100).tolist()]
    assert positions == [*range(keep), *range(40 - 16 + keep, 40)]


def test_a_moved_window_is_never_cut_and_an_unmoved_one_is():
    ring = lm.RotatingKVCache(max_size=8)
    feed(ring, 20)
    state = snapshot_layer(ring, 20)
    assert not state.can_cut(10)
    assert state.can_cut(20)
    young = lm.RotatingKVCache(max_size=8)
    feed(young, 7)
    assert snapshot_layer(young, 7).restore(3).offset == 3


def test_a_chunked_layer_is_cut_only_where_a_whole_chunk_is_left():
    live = lm.ChunkedKVCache(16)
    feed(live, 40, step=8)
    state = snapshot_layer(live, 40)
    assert live.start_position > 0
    first = live.start_position + 16
    assert state.can_cut(first)
    assert not state.can_cut(first - 1)
    assert state.restore(first).offset == first


@pytest.mark.parametrize("library", LIBRARIES)
def test_recurrent_states_are_kept_whole_with_their_gaps(library):
    live = library.ArraysCache(3)
    live[0], live[2] = mx.ones((1, 4, 8)), mx.arange(6).reshape(1, 6)
    live.lengths = mx.array([5])
    state = snapshot_layer(live, 77)
    live[0] = mx.zeros((1, 4, 8))
    restored = layer_from_arrays(state.meta(), state.arrays()).restore()
    assert restored[1] is None
    assert restored[0].tolist() == mx.ones((1, 4, 8)).tolist()
    assert restored.lengths.tolist() == [5]
    assert not state.can_cut(76)
    assert state.restore(77)[2].tolist() == [[0, 1, 2, 3, 4, 5]]


def test_a_layer_in_a_speculative_step_is_refused():
    live = vlm.ArraysCache(1)
    live[0] = mx.ones((1, 2))
    live._speculation = {"records": {}}
    with pytest.raises(LayerRefused, match="speculative"):
        snapshot_layer(live, 3)


def pool(length: int):
    cache = vlm.PoolingCache(4)
    for at in range(length):
        row = mx.full((1, 1, 8), at)
        windows, _, _ = cache.accumulate_windows(row, row, at)
        if windows.shape[1]:
            cache.update_and_fetch(windows.mean(axis=1, keepdims=True))
    return cache


def test_pooled_layers_round_trip_and_count_their_tokens():
    live = pool(11)
    state = snapshot_layer(live, 11)
    restored = layer_from_arrays(state.meta(), state.arrays()).restore()
    assert restored.remainder == 3
    assert restored.pooled.tolist() == live.pooled.tolist()
    assert not state.can_cut(8)
    assert snapshot_layer(pool(3), 3).restore(2).remainder == 2
    with pytest.raises(LayerRefused, match="not 12"):
        snapshot_layer(live, 12)


def test_an_unknown_class_goes_through_its_documented_state():
    live = vlm.StaticPrefixKVCache(64)
    live.update_and_fetch(*kv(0, 10))
    state = snapshot_layer(live, 10)
    assert state.group == "opaque"
    restored = layer_from_arrays(json.loads(json.dumps(state.meta())), state.arrays()).restore()
    assert type(restored) is vlm.StaticPrefixKVCache
    assert restored.state[0].tolist() == live.state[0].tolist()
    assert not state.can_cut(9)


class Mystery:
    """A class that documents nothing."""

    offset = 4


class Forgetful(lm._BaseCache):
    """A class whose state leaves its offset out."""

    def __init__(self):
        self.offset = 4


def test_an_unknown_class_without_usable_state_is_refused_by_name():
    with pytest.raises(LayerRefused, match="Mystery"):
        snapshot_layer(Mystery(), 4)
    with pytest.raises(LayerRefused, match=r"Forgetful: .*offset"):
        snapshot_layer(Forgetful(), 4)
    batch = lm.BatchKVCache([0, 0])
    with pytest.raises(LayerRefused, match="batched"):
        snapshot_layer(batch, 4)


def test_a_damaged_description_is_refused():
    live = lm.KVCache()
    feed(live, 4)
    state = snapshot_layer(live, 4)
    meta, arrays = state.meta(), state.arrays()
    for change in (
        {"n_tokens": 5},
        {"class": "Nothing"},
        {"module": "subprocess_not_loaded"},
        {"layer": "guess"},
        {"class": "create_causal_mask"},
    ):
        with pytest.raises(LayerRefused):
            layer_from_arrays({**meta, **change}, arrays)
    with pytest.raises(LayerRefused):
        layer_from_arrays(meta, {"keys": arrays["keys"]})
    with pytest.raises(LayerRefused, match="description"):
        layer_from_arrays(meta, {**arrays, "keys": arrays["keys"].astype(mx.bfloat16)})


def test_a_snapshot_shares_no_array_with_the_live_cache_and_keeps_no_parent_alive():
    live = lm.KVCache()
    feed(live, 4)
    snapshot = Snapshot.take([live], 4)
    handles = {id(live.keys), id(live.values)}
    assert not handles & {id(a) for a in snapshot.arrays().values()}
    assert snapshot.nbytes == 2 * 4 * HEADS * 4 * SIZE
    live.keys[...] = 0
    assert snapshot.restore()[0].keys[0, 0, 3, 0].item() == 300


def test_a_snapshot_of_mixed_layers_cuts_only_where_all_can():
    plain, state = lm.KVCache(), lm.ArraysCache(1)
    feed(plain, 9)
    state[0] = mx.ones((1, 3))
    snapshot = Snapshot.take([plain, state], 9)
    assert not snapshot.can_cut(5)
    assert snapshot.blocker(5).group == "recurrent"
    assert snapshot.blocker(9) is None
    with pytest.raises(LayerRefused):
        snapshot.restore(5)
    again = Snapshot.from_arrays(json.loads(json.dumps(snapshot.meta())), snapshot.arrays())
    assert again.n_tokens == 9
    assert [type(c) for c in again.restore()] == [lm.KVCache, lm.ArraysCache]


def test_an_empty_cache_is_no_snapshot():
    with pytest.raises(LayerRefused, match="empty"):
        Snapshot.take([lm.KVCache()], 3)
    with pytest.raises(LayerRefused, match="empty"):
        Snapshot.take([], 0)


def test_a_snapshot_whose_layers_disagree_is_refused():
    plain = lm.KVCache()
    feed(plain, 4)
    snapshot = Snapshot.take([plain], 4)
    with pytest.raises(LayerRefused, match="holds 4 tokens, not 3"):
        Snapshot.from_arrays({**snapshot.meta(), "n_tokens": 3}, snapshot.arrays())


def test_damaged_nested_and_opaque_states_are_refused():
    both = lm.CacheList(lm.KVCache(), lm.KVCache())
    all_feed(both, 4)
    state = snapshot_layer(both, 4)
    meta = state.meta()
    meta["children"][0]["n_tokens"] = 3
    with pytest.raises(LayerRefused):
        layer_from_arrays(meta, state.arrays())
    short = lm.KVCache()
    feed(short, 3)
    mixed = type(state)(type(both), 4, (state.children[0], snapshot_layer(short, 3)))
    with pytest.raises(LayerRefused, match="a child holds 3 tokens, not 4"):
        mixed.check()
    opaque = vlm.StaticPrefixKVCache(8)
    opaque.update_and_fetch(*kv(0, 4))
    assert snapshot_layer(opaque, 4).restore(4).offset == 4


def test_windows_that_do_not_add_up_are_refused():
    ring = lm.RotatingKVCache(max_size=8)
    feed(ring, 20)
    ring.keys = ring.keys[..., :5, :]
    ring._idx = 5
    with pytest.raises(LayerRefused, match="of the 8 tokens in its window"):
        snapshot_layer(ring, 20)
    chunked = lm.ChunkedKVCache(8)
    feed(chunked, 6)
    chunked.keys = chunked.keys[..., :4, :]
    with pytest.raises(LayerRefused, match="rows from position 0 of 6"):
        snapshot_layer(chunked, 6)


def test_an_empty_pooling_layer_can_be_cut():
    assert snapshot_layer(vlm.PoolingCache(4), 9).cut(3).n_tokens == 3
