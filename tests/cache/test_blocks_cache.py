"""Prompts in blocks: what is reused, that it is right, what is shared, and what goes when room is short."""

from __future__ import annotations

import gc
import threading

import mlx.core as mx
import mlx_lm.models.cache as lm
import mlx_vlm.models.cache as vlm
import pytest

from app.cache.blocks import BlockAwarePrefixCache
from app.cache.events import EventBus
from app.cache.media import MediaSpan, salt_tokens
from app.cache.paged import BlockTable, PagedCacheManager
from app.cache.protocols import PromptStore
from app.cache.superseding import KEPT_BOUNDARIES
from tests.cache.oracle import WINDOW, OracleModel, handles, offsets, readable

SIZE = 8
LIBRARIES = [pytest.param(lm, id="mlx_lm"), pytest.param(vlm, id="mlx_vlm")]
LAYERS = [
    ("KVCache",),
    ("ConcatenateKVCache",),
    ("QuantizedKVCache",),
    ("KVCache", "RotatingKVCache"),
    ("RotatingKVCache",),
    ("ChunkedKVCache", "KVCache"),
    ("KVCache", "ArraysCache"),
    ("ArraysCache",),
    ("CacheList", "KVCache"),
    ("KeepKVCache", "KVCache"),
    ("KVCache", "RotatingKVCache", "ArraysCache", "QuantizedKVCache"),
]


def paged(max_blocks: int | None = 400, **options) -> BlockAwarePrefixCache:
    return BlockAwarePrefixCache(None, PagedCacheManager(SIZE, max_blocks, **options), min_prefix_tokens=1)


@pytest.fixture
def cache():
    made = paged()
    yield made
    made.manager.check_invariants()


def say(first: int, count: int) -> tuple[int, ...]:
    return tuple(range(first, first + count))


def assert_serves(cache: BlockAwarePrefixCache, model: OracleModel, prompt: tuple[int, ...], reused: int, spans=()):
    """The look-up reuses ``reused`` tokens, and running the rest gives the state of a cold run."""
    found = cache.lookup(prompt, spans)
    assert found.reused == reused, found
    warm = found.cache if found.cache is not None else model.make_cache()
    assert offsets(warm) <= {reused}
    model.run(warm, prompt, reused, chunk=len(prompt))
    assert readable(warm) == readable(model.cold(prompt))
    return found


def test_both_kinds_of_store_answer_to_one_protocol():
    store: PromptStore = BlockAwarePrefixCache.for_budget(1 << 20, block_size=SIZE)
    model = OracleModel()
    assert store.save(say(1, 20), model.cold(say(1, 20)))
    assert store.lookup(say(1, 21)).reused == 20
    row = store.row()
    assert (row.name, row.entries, row.hits, row.misses, row.limit) == ("prefix", 1, 1, 0, 1 << 20)
    assert row.nbytes == 20 * 2 * 2 * 32 * 4
    assert row.extra["tokens_saved"] == 20


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kinds", LAYERS, ids="+".join)
@pytest.mark.parametrize("length", [1, SIZE + 1, WINDOW, 3 * SIZE, 61])
def test_a_rebuilt_cache_is_the_cold_one_bit_by_bit(library, kinds, length):
    cache, model = paged(), OracleModel(kinds, library)
    tokens = say(1, length)
    live = model.cold(tokens)
    assert cache.save(tokens, live)
    found = cache.lookup((*tokens, 999))
    assert (found.reused, found.kind, found.source) == (length, "prefix", "memory")
    assert readable(found.cache) == readable(live)
    assert [type(layer) for layer in found.cache] == [type(layer) for layer in live]
    for going_on in (live, found.cache):
        model.run(going_on, (*tokens, 999, 998, 997), length, chunk=2)
    assert readable(found.cache) == readable(live)
    cache.manager.check_invariants()


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("kinds", LAYERS, ids="+".join)
def test_decoding_from_a_rebuilt_cache_leaves_the_blocks_alone(library, kinds):
    """Failures 43, 51: nothing is shared with what the store holds."""
    cache, model = paged(), OracleModel(kinds, library)
    tokens = say(1, 29)
    live = model.cold(tokens)
    cache.save(tokens, live)
    first = cache.lookup((*tokens, 7)).cache
    assert not handles(first) & handles(live)
    for stop in range(30, 50):
        model.run(first, say(1, stop), stop - 1)
        model.run(live, say(101, stop), stop - 1)
    assert readable(cache.lookup((*tokens, 7)).cache) == readable(model.cold(tokens))
    if "ChunkedKVCache" not in kinds:  # its front depends on how it was prefilled
        assert readable(first) == readable(model.cold(say(1, 49)))


@pytest.mark.parametrize(
    ("prompt", "reused", "kind"),
    [
        pytest.param(say(1, 45), 44, "exact", id="the same prompt again leaves one token"),
        pytest.param(say(1, 46), 45, "prefix", id="a longer prompt"),
        pytest.param(say(1, 40), 39, "supersequence", id="a shorter prompt, at a block boundary"),
        pytest.param(say(1, 21), 20, "supersequence", id="a shorter prompt, inside a block"),
        pytest.param((*say(1, 43), 9, 9), 43, "lcp", id="leaving inside the tail"),
        pytest.param((*say(1, 13), 9, 9), 13, "lcp", id="leaving inside a full block"),
        pytest.param((*say(1, 16), 9, 9), 16, "lcp", id="leaving between blocks"),
        pytest.param((7, 8), 0, "miss", id="nothing in common"),
        pytest.param((1,), 0, "miss", id="a single token must be run anyway"),
    ],
)
def test_look_up_reuses_to_the_token(cache, prompt, reused, kind):
    model = OracleModel(("KVCache", "QuantizedKVCache"))
    cache.save(say(1, 45), model.cold(say(1, 45)))
    assert assert_serves(cache, model, prompt, reused).kind == kind


def test_of_several_stored_prompts_the_one_that_shares_most_is_used(cache):
    model = OracleModel()
    for tokens in (say(1, 18), (*say(1, 20), 5, 6), (*say(1, 22), 7, 8), (*say(1, 21), 3)):
        cache.save(tokens, model.cold(tokens))
    assert_serves(cache, model, (*say(1, 23), 99), 22)
    assert_serves(cache, model, (*say(1, 21), 3, 99), 22)
    assert_serves(cache, model, (*say(1, 20), 99), 20)


def test_every_prompt_hits_when_it_comes_twice():
    """Failure 50: 500 prompts, each twice, 500 hits."""
    cache, model = paged(4000), OracleModel()
    prompts = [tuple((7 * k + j * j) % 11 for j in range(2 + k % 9)) for k in range(500)]
    hits = 0
    for prompt in prompts:
        cache.save(prompt, model.cold(prompt))
        hits += cache.lookup(prompt).reused == len(prompt) - 1
    assert hits == 500


def test_a_follow_up_turn_and_a_regenerate_lose_no_token(cache):
    model, history = OracleModel(("KVCache", "RotatingKVCache")), say(1, 13)
    for turn in range(6):
        assert_serves(cache, model, history, 0 if turn == 0 else len(history) - 6)
        cache.save(history, model.cold(history))
        answered = (*history, *say(1000 * (turn + 1), 7))
        cache.save(answered, model.cold(answered))
        history = (*answered, *say(2000 * (turn + 1), 6))


def test_k_branches_of_a_history_cost_the_history_and_k_tails(cache):
    """Forks share: edits and regenerations of an n-token conversation cost n plus the tails."""
    model = OracleModel(("KVCache", "KVCache"))
    token = 2 * 2 * 2 * 32 * 4
    history, k, tail = say(1, 20 * SIZE), 12, 5
    cache.save(history, model.cold(history))
    for branch in range(k):
        prompt = (*history, *say(10_000 * (branch + 1), tail))
        cache.save(prompt, model.cold(prompt))
    assert cache.manager.nbytes == token * (len(history) + k * tail)
    off_grid = (*say(1, 100), *say(777_000, 3))
    cache.save(off_grid, model.cold(off_grid))
    assert cache.manager.nbytes <= token * (len(history) + k * tail + SIZE + 3)


def test_storing_what_is_there_already_copies_nothing(cache):
    model = OracleModel(("KVCache", "RotatingKVCache", "ArraysCache"))
    cache.save(say(1, 45), model.cold(say(1, 45)))
    before, blocks = cache.manager.nbytes, [block.block_id for block in cache.manager.blocks if block.block_hash]
    for _ in range(5):
        assert cache.save(say(1, 45), model.cold(say(1, 45)))
    assert cache.manager.nbytes == before
    assert [block.block_id for block in cache.manager.blocks if block.block_hash] == blocks
    assert cache.row().entries == 1


def test_a_growing_chat_holds_its_tokens_once(cache):
    """Failure 57, and the sharper bound that blocks allow."""
    model, history = OracleModel(), ()
    for turn in range(20):
        history = (*history, *say(100 * turn, 11))
        cache.save(history, model.cold(history))
    assert cache.manager.nbytes == len(history) * 2 * 2 * 32 * 4
    assert cache.row().entries == 1


@pytest.mark.parametrize("kinds", [("KVCache", "ArraysCache"), ("RotatingKVCache", "ArraysCache")])
def test_boundaries_of_a_chat_whose_layers_cannot_be_cut_are_a_constant_number(cache, kinds):
    """Failure 37: the system prompt's and the newest ones; the next turn goes on from the last."""
    model, history = OracleModel(kinds), say(1, 19)
    cache.save(history, model.cold(history))
    for turn in range(9):
        history = (*history, *say(100 * (turn + 1), 11))
        assert_serves(cache, model, history, len(history) - 11)
        cache.save(history, model.cold(history))
        states = [b for b in cache.manager.blocks if b.block_hash and b.group_id == len(kinds) - 1]
        assert len(states) == cache.row().entries == min(turn + 2, KEPT_BOUNDARIES + 2)
    assert_serves(cache, model, (*say(1, 19), 7, 7, 7), 19)
    assert_serves(cache, model, (*history[:-11], 7, 7, 7), len(history) - 11)


def test_a_tail_that_a_longer_block_covers_is_superseded(cache):
    events = []
    cache.store.bus.subscribe(events.append)
    model = OracleModel()
    for length in (10, 13):
        cache.save(say(1, length), model.cold(say(1, length)))
    assert cache.row().evictions["superseded"] == 1
    assert [(e.kind, e.reason, e.tokens) for e in events] == [
        ("stored", "", 10),
        ("evicted", "superseded", 2),
        ("stored", "", 13),
    ]
    cache.save(say(1, 11), model.cold(say(1, 11)))
    assert cache.manager.nbytes == 13 * 2 * 2 * 32 * 4, "a shorter tail lies in the longer one already"
    assert_serves(cache, model, (*say(1, 11), 99), 11)


def test_two_hundred_store_and_drop_cycles_leave_active_memory_flat():
    """Failure 43, without help from the garbage collector: no reference cycle may hold an array."""
    cache, model = paged(None, max_bytes=1 << 30), OracleModel(("KVCache", "RotatingKVCache", "ArraysCache"))
    gc.collect()
    gc.disable()
    try:
        for cycle in range(200):
            cache.save(say(cycle, 20), model.cold(say(cycle, 20)))
            assert cache.lookup(say(cycle, 21)).reused == 20
            cache.clear()
            if cycle == 5:
                base = mx.get_active_memory()
        assert mx.get_active_memory() == base
    finally:
        gc.enable()


def test_no_block_keeps_the_live_buffer_alive(cache):
    before = mx.get_active_memory()
    live = [lm.KVCache()]
    live[0].update_and_fetch(mx.ones((1, 1, 2048, 64)), mx.ones((1, 1, 2048, 64)))
    mx.eval(live[0].keys, live[0].values)
    cache.save(tuple(range(2048)), live)
    cache.manager.evict_lru_blocks(2048 // SIZE - 1)
    del live
    assert mx.get_active_memory() - before <= cache.manager.nbytes + 4096


def test_plain_layers_can_be_stored_quantized_and_come_back_as_what_they_were():
    model, tokens = OracleModel(("KVCache", "RotatingKVCache", "QuantizedKVCache")), say(1, 45)
    pool = PagedCacheManager(SIZE, 400)
    cache = BlockAwarePrefixCache(None, pool, kv_bits=8, kv_group_size=32)
    live = model.cold(tokens)
    assert cache.save(tokens[:20], model.cold(tokens[:20]))
    assert cache.save(tokens, live)
    packed, whole = sum(block.nbytes for block in pool.blocks if block.block_hash and not block.group_id), paged()
    whole.save(tokens, live)
    plain = sum(block.nbytes for block in whole.manager.blocks if block.block_hash and not block.group_id)
    assert packed < 0.5 * plain
    found = cache.lookup((*tokens, 9))
    assert [type(layer) for layer in found.cache] == [type(layer) for layer in live]
    assert found.cache[0].keys.dtype == live[0].keys.dtype
    assert mx.allclose(found.cache[0].keys, live[0].keys[..., :45, :], atol=0.05)
    assert not mx.array_equal(found.cache[0].keys, live[0].keys[..., :45, :])
    assert readable(found.cache)[1:] == readable(live)[1:]
    odd = BlockAwarePrefixCache(None, PagedCacheManager(SIZE, 400), kv_bits=8, kv_group_size=64)
    odd.save(tokens, live)
    assert readable(odd.lookup((*tokens, 9)).cache) == readable(live), "32 is no multiple of 64"


# --- images ----------------------------------------------------------------------------------------------------------


def picture(digest: str, start: int, length: int, total: int):
    spans = [MediaSpan(start, length, digest)]
    return salt_tokens(say(1, total), spans), spans


def test_another_image_reuses_up_to_its_span_and_the_same_one_goes_on(cache):
    """Failures 1, 2, 3: same text, other picture."""
    model = OracleModel()
    for digest, reused in (("a", 0), ("b", 11), ("a", 43), ("c", 11)):
        prompt, spans = picture(digest, 11, 14, 44)
        assert_serves(cache, model, prompt, reused, spans)
        cache.save(prompt, model.cold(prompt), spans=spans)


def test_a_cut_never_falls_inside_a_span(cache):
    """Failure 15, and the last token of a prompt that ends with an image."""
    model = OracleModel()
    prompt, spans = picture("a", 11, 14, 44)
    cache.save(prompt, model.cold(prompt), spans=spans)
    assert_serves(cache, model, prompt[:25], 11, spans)
    assert_serves(cache, model, (*prompt[:20], 99), 11, [MediaSpan(11, 10, "d")])
    assert_serves(cache, model, prompt[:26], 25, spans)


def test_a_second_image_keeps_what_stood_before_it(cache):
    """Failure 13."""
    model = OracleModel()
    one, spans = picture("a", 5, 9, 30)
    cache.save(one, model.cold(one), spans=spans)
    both = salt_tokens((*say(1, 30), *say(60, 20)), [*spans, MediaSpan(33, 9, "b")])
    found = assert_serves(cache, model, both, 30, [*spans, MediaSpan(33, 9, "b")])
    assert found.why == "first 30 tokens match; then the rest is new"


@pytest.mark.allows_log("bypassed")
def test_placeholders_without_spans_bypass_the_cache(cache):
    model = OracleModel()
    cache.placeholder_ids = frozenset({5})
    assert not cache.save(say(1, 20), model.cold(say(1, 20)))
    assert cache.lookup(say(1, 20)).kind == "bypassed"
    assert cache.row().bypassed == 2


# --- why -------------------------------------------------------------------------------------------------------------


def test_every_miss_says_why():
    cache, model = paged(), OracleModel(("KVCache", "ArraysCache"))
    assert cache.lookup(say(1, 20)).why == "nothing is stored yet"
    cache.use("one")
    cache.save(say(1, 20), model.cold(say(1, 20)))
    assert "state cannot be shortened" in cache.lookup((*say(1, 12), 99, 98)).why
    assert cache.lookup((77, 78)).why == "no stored prompt begins like this one"
    assert cache.lookup((*say(1, 20), 99)).why == ""
    cache.use("two")
    assert cache.lookup(say(1, 20)).why == "model changed"
    windowed = paged()
    windowed.save(say(1, 50), OracleModel(("KVCache", "RotatingKVCache")).cold(say(1, 50)))
    assert windowed.lookup((*say(1, 20), 99, 98)).why == "window already moved past this point (20 tokens match)"


def test_a_prefix_under_the_minimum_is_neither_stored_nor_reused():
    cache, model = paged(), OracleModel()
    cache.min_prefix_tokens = 16
    assert not cache.save(say(1, 15), model.cold(say(1, 15)))
    assert cache.save(say(1, 40), model.cold(say(1, 40)))
    assert cache.lookup((*say(1, 12), 99, 98)).why == "shorter than the minimum of 16 tokens"
    assert cache.lookup((*say(1, 16), 99, 98)).reused == 16


# --- identity --------------------------------------------------------------------------------------------------------


def test_identities_share_nothing_and_changing_back_hits_again():
    """Failures 24, 26: another adapter, then none, then the first again."""
    cache, model = paged(), OracleModel()
    for name in ("a", "b", "none"):
        cache.use(name)
        assert cache.lookup(say(1, 30)).reused == 0
        cache.save(say(1, 30), model.cold(say(1, 30)))
    cache.use("a")
    assert cache.lookup(say(1, 30)).reused == 29
    cache.drop("b")
    assert cache.lookup(say(1, 30)).reused == 29
    cache.use("b")
    assert cache.lookup(say(1, 30)).reused == 0
    assert cache.row().evictions["cleared"] == 4
    assert cache.row().entries == 2


def test_another_layout_under_the_same_identity_replaces_what_was_stored(cache):
    cache.save(say(1, 30), OracleModel(("KVCache",)).cold(say(1, 30)))
    two = OracleModel(("KVCache", "RotatingKVCache"))
    cache.save(say(1, 20), two.cold(say(1, 20)))
    assert_serves(cache, two, say(1, 30), 20)
    assert cache.row().evictions["replaced"] == 4


# --- limits ----------------------------------------------------------------------------------------------------------


def token_bytes() -> int:
    return 2 * 2 * 32 * 4


def test_a_budget_in_bytes_is_never_exceeded_and_the_oldest_goes():
    """Failure 54."""
    cache, model = paged(None, max_bytes=100 * token_bytes()), OracleModel()
    for k in range(10):
        assert cache.save(say(100 * k, 40), model.cold(say(100 * k, 40)))
        assert cache.manager.nbytes <= 100 * token_bytes()
        cache.manager.check_invariants()
    assert cache.lookup(say(900, 40)).reused == 39
    assert cache.lookup(say(0, 40)).reused < 39
    assert cache.row().evictions["memory"] > 0
    assert cache.row().utilization <= 1


def test_what_can_never_fit_is_refused_before_anything_goes():
    cache, model = paged(None, max_bytes=100 * token_bytes()), OracleModel()
    cache.save(say(1, 90), model.cold(say(1, 90)))
    assert not cache.save(say(500, 101), model.cold(say(500, 101)))
    assert not cache.save(say(1, 101), model.cold(say(1, 101)))
    assert cache.lookup(say(1, 91)).reused == 90
    assert cache.row().extra["refused"] == 2
    blocks = paged(6)
    blocks.save(say(1, 30), model.cold(say(1, 30)))
    assert not blocks.save(say(500, 41), model.cold(say(500, 41)))
    assert blocks.lookup(say(1, 31)).reused == 30
    assert blocks.save(say(500, 40), model.cold(say(500, 40)))


def test_limits_change_at_once_and_zero_switches_off():
    cache, model = BlockAwarePrefixCache.for_budget(100 * token_bytes(), block_size=SIZE), OracleModel()
    events = []
    cache.store.bus.subscribe(events.append)
    cache.save(say(1, 80), model.cold(say(1, 80)))
    cache.set_limit(50 * token_bytes())
    assert cache.manager.nbytes <= 50 * token_bytes()
    assert cache.lookup(say(1, 80)).reused == 48, "the end of a sequence goes before its beginning"
    assert [e.reason for e in events if e.kind == "evicted"] == ["limit_lowered"]
    cache.set_limit(0)
    assert cache.manager.nbytes == 0
    assert not cache.save(say(1, 8), model.cold(say(1, 8)))
    assert cache.lookup(say(1, 8)).why == "the cache is switched off"
    cache.set_limit(100 * token_bytes())
    assert cache.save(say(1, 8), model.cold(say(1, 8)))


def test_one_shot_prompts_of_three_times_the_pool_are_all_stored():
    """Failure 58, with and without releasing what finished requests hold."""
    for released in (True, False):
        cache, model = paged(13), OracleModel()
        for k in range(12):
            tokens = say(100 * k, 3 * SIZE)
            table = cache.store_cache(f"r{k}", tokens, model.cold(tokens))
            assert table is not None
            assert cache.fetch_cache(f"q{k}", (*tokens, 7))[0].num_tokens == len(tokens)
            cache.release_cache(f"q{k}")
            if released:
                cache.release_cache(f"r{k}")
            stats = cache.get_stats()
            assert stats["free_blocks"] + stats["allocated_blocks"] == stats["total_blocks"]
        assert cache.get_stats()["evictions"] >= 2 * 12
        cache.manager.check_invariants()


def test_a_request_in_use_is_never_evicted():
    cache, model = paged(9), OracleModel()
    cache.store_cache("a", say(1, 4 * SIZE), model.cold(say(1, 4 * SIZE)))
    table, remaining = cache.fetch_cache("mine", say(1, 4 * SIZE + 1))
    assert remaining == [4 * SIZE + 1]
    cache.release_cache("a")
    for k in range(5):
        cache.store_cache(f"r{k}", say(1000 * (k + 1), 4 * SIZE), model.cold(say(1000 * (k + 1), 4 * SIZE)))
    assert readable(cache.reconstruct_cache(table)) == readable(model.cold(say(1, 4 * SIZE)))
    assert cache.store_cache("big", say(9000, 5 * SIZE), model.cold(say(9000, 5 * SIZE))) is None
    assert cache.reconstruct_cache(table) is not None


# --- requests --------------------------------------------------------------------------------------------------------


def test_a_request_stores_fetches_forks_and_releases(cache):
    model = OracleModel()
    assert cache.block_size == SIZE
    tokens = say(1, 2 * SIZE)
    table = cache.store_cache("a", tokens, model.cold(tokens))
    assert (table.request_id, table.num_tokens, len(table.block_ids), len(cache)) == ("a", 16, 2, 1)
    fetched, remaining = cache.fetch_cache("b", [*tokens, 99, 98])
    assert (fetched.block_ids, remaining, len(cache)) == (table.block_ids, [99, 98], 2)
    again, remaining = cache.fetch_cache("b", list(tokens))
    assert (again.num_tokens, remaining) == (15, [16])
    assert readable(cache.reconstruct_cache(again)) == readable(model.cold(tokens[:15]))
    fork = cache.fork_cache("a", "c")
    assert fork.block_ids == table.block_ids
    assert cache.fork_cache("nobody", "d") is None
    assert cache.fork_cache("a", "a") is table
    assert cache.get_stats()["shared_blocks"] == 2
    assert cache.get_stats()["active_requests"] == 3
    for request in "abc":
        assert cache.release_cache(request)
    assert not cache.release_cache("a")
    assert len(cache) == 0
    assert cache.manager.free_blocks == 399
    assert cache.fetch_cache("e", (*tokens, 5))[0].num_tokens == 16, "released is not forgotten"


def test_the_cache_for_generation_is_private_and_says_whether_it_was_shared(cache):
    model, tokens = OracleModel(), say(1, 20)
    assert cache.get_cache_for_generation("a") == (None, False)
    cache.store_cache("a", tokens, model.cold(tokens))
    mine, copied = cache.get_cache_for_generation("a")
    assert not copied
    cache.fork_cache("a", "b")
    theirs, copied = cache.get_cache_for_generation("b")
    assert copied
    model.run(mine, say(1, 30), 20)
    model.run(theirs, (*tokens, *say(500, 10)), 20)
    assert readable(mine) == readable(model.cold(say(1, 30)))
    assert readable(theirs) == readable(model.cold((*tokens, *say(500, 10))))
    assert readable(cache.get_cache_for_generation("a")[0]) == readable(model.cold(tokens))


def test_storing_under_a_request_again_replaces_its_table_and_frees_what_left_the_window(cache):
    model = OracleModel(("KVCache", "RotatingKVCache"))
    first = cache.store_cache("a", say(1, 40), model.cold(say(1, 40)))
    second = cache.store_cache("a", say(1, 80), model.cold(say(1, 80)))
    assert len(cache) == 1
    assert second.block_ids[:5] == first.block_ids
    assert second.other_groups[1][:8] == [0] * 8, "only the window's blocks are held"
    left = [i for i in first.other_groups[1] if i]
    assert all(cache.manager.blocks[i].ref_count == 0 for i in left)


def test_a_table_of_the_first_blocks_can_be_rebuilt_where_layers_can_be_cut(cache):
    model = OracleModel(("KVCache", "QuantizedKVCache"))
    table = cache.store_cache("a", say(1, 30), model.cold(say(1, 30)))
    part = BlockTable("x", table.block_ids[:2], 13)
    assert readable(cache.reconstruct_cache(part)) == readable(model.cold(say(1, 13)))


def test_tables_that_do_not_make_up_a_state_are_not_rebuilt(cache):
    model = OracleModel(("KVCache", "ArraysCache"))
    table = cache.store_cache("a", say(1, 16), model.cold(say(1, 16)))
    other = cache.store_cache("b", say(500, 16), model.cold(say(500, 16)))
    assert cache.reconstruct_cache(BlockTable("x", table.block_ids[:1], 8)) is None, "no recurrent state there"
    assert cache.reconstruct_cache(BlockTable("x", table.block_ids, 17, table.other_groups)) is None
    assert cache.reconstruct_cache(BlockTable("x", table.block_ids, 12, table.other_groups)) is None
    mixed = [table.block_ids[0], other.block_ids[1]]
    assert cache.reconstruct_cache(BlockTable("x", mixed, 16, table.other_groups)) is None
    assert cache.reconstruct_cache(BlockTable("x", table.block_ids[1:], 16, table.other_groups)) is None
    assert cache.reconstruct_cache(BlockTable("x")) is None
    assert cache.reconstruct_cache(table) is not None


def test_a_table_that_outlived_its_blocks_is_stale():
    cache, model = paged(5), OracleModel()
    table = cache.store_cache("a", say(1, 32), model.cold(say(1, 32)))
    cache.release_cache("a")
    assert cache.reconstruct_cache(table) is None
    other = cache.store_cache("b", say(500, 32), model.cold(say(500, 32)))
    assert sorted(other.block_ids) == sorted(table.block_ids)
    assert cache.reconstruct_cache(table) is None
    assert cache.reconstruct_cache(other) is not None


@pytest.mark.parametrize("library", LIBRARIES)
def test_layers_may_be_given_in_extracted_form(cache, library):
    live = OracleModel(("KVCache", "ArraysCache", "RotatingKVCache"), library).cold(say(1, 20))
    extracted = [{"class_ref": type(c), "state": c.state, "meta_state": getattr(c, "meta_state", "")} for c in live]
    table = cache.store_cache("a", say(1, 20), extracted)
    assert readable(cache.reconstruct_cache(table)) == readable(live)


def test_a_cut_hit_holds_no_row_beyond_the_cut(cache):
    """Failure 19: a reader that ignores the offset must not see another prompt's tokens."""
    model = OracleModel(("KVCache", "QuantizedKVCache", "CacheList"))
    cache.save(say(1, 14), model.cold(say(1, 14)))
    plain, quantized, nested = cache.lookup((*say(1, 10), 99)).cache
    for array in (plain.keys, plain.values, *quantized.keys, *quantized.values, *(c.keys for c in nested.caches)):
        assert array.shape[-2] == 10
    assert_serves(cache, model, (*say(1, 14), 99), 14)


@pytest.mark.parametrize("length", [5, WINDOW - 1, WINDOW, WINDOW + 1, 50])
@pytest.mark.parametrize("cut", [0, 1])
def test_a_rebuilt_ring_has_the_size_it_says(length, cut):
    """Failure 33, also where one row of a full ring is not held."""
    cache, model = paged(), OracleModel(("RotatingKVCache",))
    cache.save(say(1, length), model.cold(say(1, length)))
    found = cache.lookup((*say(1, length - cut), 99))
    assert found.reused == length - cut
    (ring,) = found.cache
    assert ring.keys.shape[2] == min(ring.offset, ring.max_size)
    assert 0 <= ring._idx <= ring.max_size
    for step in (1, 7):  # decoding overwrites the oldest row, prefill drops it
        going_on = cache.lookup((*say(1, length - cut), 99)).cache
        prompt = (*say(1, length - cut), *say(700, WINDOW))
        model.run(going_on, prompt, length - cut, chunk=step)
        assert readable(going_on) == readable(model.cold(prompt))


@pytest.mark.allows_log("bypassed")
def test_layers_that_do_not_hold_the_key_are_refused(cache):
    """Failure 46: the key names what the state holds."""
    model = OracleModel()
    assert cache.store_cache("a", say(1, 21), model.cold(say(1, 20))) is None
    assert not cache.save(say(1, 19), model.cold(say(1, 20)))
    assert cache.store_cache("a", say(1, 3), ["opaque"]) is None
    assert cache.store_cache("a", say(1, 3), model.make_cache()) is None
    assert cache.store_cache("a", (), model.make_cache()) is None
    assert cache.store_cache("a", say(1, 3), []) is None
    assert cache.row().bypassed == 4
    assert cache.manager.nbytes == 0


def test_statistics_are_counted_and_reset_without_touching_sizes(cache):
    model = OracleModel()
    cache.store_cache("a", say(1, 20), model.cold(say(1, 20)))
    cache.fetch_cache("b", (7, 8, 9))
    cache.fetch_cache("c", say(1, 21))
    stats = cache.get_stats()
    assert (stats["hits"], stats["misses"], stats["hit_rate"], stats["tokens_saved"]) == (1, 1, 0.5, 20)
    assert (stats["total_queries"], stats["entries"], stats["total_tokens_cached"]) == (2, 1, 20)
    cache.reset_stats()
    stats = cache.get_stats()
    assert (stats["hits"], stats["misses"], stats["tokens_saved"], stats["entries"]) == (0, 0, 0, 1)
    assert stats["nbytes"] == 20 * token_bytes()


def test_clear_forgets_all_and_says_so(cache):
    events = []
    cache.store.bus.subscribe(events.append)
    model = OracleModel()
    table = cache.store_cache("a", say(1, 20), model.cold(say(1, 20)))
    cache.clear()
    assert len(cache) == 0
    assert cache.get_stats()["allocated_blocks"] == 1
    assert cache.lookup(say(1, 20)).reused == 0
    assert cache.reconstruct_cache(table) is None
    assert cache.row().evictions["cleared"] == 3
    assert [e.kind for e in events] == ["stored", "evicted", "cleared", "missed"]


def test_with_caching_off_nothing_is_kept():
    cache, model = paged(enable_caching=False), OracleModel()
    assert cache.store_cache("a", say(1, 20), model.cold(say(1, 20))) is None
    assert cache.fetch_cache("b", say(1, 20)) == (None, list(say(1, 20)))


def test_threads_get_their_own_answers():
    """Failure 4: one prompt, many pictures, several threads."""
    cache, wrong = paged(60), []

    def ask(number: int) -> None:
        model = OracleModel(("KVCache", "RotatingKVCache"))
        for k in range(12):
            prompt, spans = picture(f"{(number + k) % 5}", 6, 9, 30)
            found = cache.lookup(prompt, spans)
            warm = found.cache if found.cache is not None else model.make_cache()
            model.run(warm, prompt, found.reused)
            if readable(warm) != readable(model.cold(prompt)):
                wrong.append((number, k))
            cache.save(prompt, warm, spans=spans)
        mx.clear_streams()

    threads = [threading.Thread(target=ask, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []
    assert cache.row().bypassed == 0
    assert cache.manager.free_blocks == 59
    cache.manager.check_invariants()


# --- faults ----------------------------------------------------------------------------------------------------------


@pytest.mark.allows_log("bypassed")
def test_a_fault_inside_becomes_a_bypass_and_nothing_stays_pinned(cache, monkeypatch):
    model = OracleModel()
    cache.save(say(1, 20), model.cold(say(1, 20)))

    def fail(*_):
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr("app.cache.block_layers.LayerLayout.gather", fail)
        assert cache.lookup(say(1, 21)).kind == "bypassed"
    with monkeypatch.context() as patch:
        patch.setattr("app.cache.block_store.BlockStore._longest_hit", fail)
        assert cache.lookup(say(1, 21)).kind == "bypassed"
        assert cache.fetch_cache("a", say(1, 21)) == (None, list(say(1, 21)))
    for broken in ("app.cache.block_pool.BlockPool.write", "app.cache.block_layers.LayerLayout.content"):
        with monkeypatch.context() as patch:
            patch.setattr(broken, fail)
            assert not cache.save(say(500, 20), model.cold(say(500, 20)))
        cache.manager.check_invariants()
    assert cache.row().bypassed == 5
    assert cache.manager.free_blocks == 399
    assert_serves(cache, model, say(1, 21), 20)


def test_events_tell_what_happened_in_order(cache):
    bus, events = EventBus(), []
    bus.subscribe(events.append)
    cache = BlockAwarePrefixCache("model", PagedCacheManager(SIZE, 4), bus=bus)
    model = OracleModel()
    cache.save(say(1, 20), model.cold(say(1, 20)))
    cache.lookup(say(1, 20))
    cache.save(say(500, 20), model.cold(say(500, 20)))
    assert [(e.kind, e.reason, e.tokens) for e in events] == [
        ("stored", "", 20),
        ("hit", "", 19),
        ("evicted", "count", 20),
        ("stored", "", 20),
    ]
    assert events[0].nbytes == events[2].nbytes == 20 * token_bytes()


@pytest.mark.parametrize("limits", [{"max_blocks": 40}, {"max_blocks": None, "max_bytes": 1 << 20}])
def test_clearing_the_manager_behind_the_cache_leaves_no_record(limits):
    cache, model, tokens = paged(**limits), OracleModel(), say(0, 20)
    table = cache.store_cache("r", tokens, model.cold(tokens))
    cache.manager.clear()
    assert (cache.get_stats()["entries"], cache.holdings(), cache.get_stats()["evictions_by_reason"]["cleared"]) == (
        0,
        [],
        3,
    )
    cache.spill_all()
    assert cache.reconstruct_cache(table) is None
    assert cache.fetch_cache("q", tokens) == (None, list(tokens))
    cache.drop("")
    assert cache.save(tokens, model.cold(tokens))
    assert_serves(cache, model, tokens, 19)
    cache.manager.check_invariants()


def test_a_table_deleted_behind_the_cache_does_not_keep_a_model_from_being_dropped(cache):
    tokens = say(0, 20)
    cache.store_cache("r", tokens, OracleModel().cold(tokens))
    cache.manager.delete_block_table("r")
    cache.drop("")
    assert cache.get_stats()["entries"] == 0


def test_a_request_with_placeholders_bypasses_the_look_up_by_request(cache):
    tokens = say(0, 20)
    cache.store_cache("r", tokens, OracleModel().cold(tokens))
    cache.placeholder_ids = frozenset({99})
    assert cache.fetch_cache("q", [*tokens[:16], 99, 99]) == (None, [*tokens[:16], 99, 99])
    assert (cache.get_stats()["bypassed"], cache.get_stats()["total_queries"]) == (1, 0)
