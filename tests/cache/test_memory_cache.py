"""The byte-limited whole-entry cache: what it finds, what it gives back, what it counts."""

from __future__ import annotations

import errno
import gc
import os
import sys

import mlx.core as mx
import mlx_lm.models.cache as lm
import mlx_vlm.models.cache as vlm
import numpy as np
import pytest

from app.cache.events import CacheEvent, EventBus
from app.cache.layers import snapshot_layer
from app.cache.layers.packed import BITS, GROUP_SIZES, PackedState, check_quantization, pack_layer
from app.cache.media import MediaSpan, salt_tokens
from app.cache.memory import MemoryAwarePrefixCache, MemoryCacheConfig
from app.cache.protocols import Ending
from app.cache.sizes import estimate_kv_cache_memory
from app.cache.superseding import KEPT_BOUNDARIES
from tests.cache.oracle import CHUNK, WINDOW, OracleModel, handles, offsets, readable

TRIMMABLE = [("KVCache",), ("QuantizedKVCache",), ("ConcatenateKVCache",), ("KVCache", "KVCache")]
BOUNDED = [("KVCache", "RotatingKVCache"), ("KVCache", "ArraysCache"), ("CacheList",), ("KVCache", "KeepKVCache")]
ALL = [*TRIMMABLE, *BOUNDED, ("ChunkedKVCache",)]


def small(**changes) -> MemoryCacheConfig:
    return MemoryCacheConfig(**{"max_memory_mb": 64, "min_prefix_tokens": 1, **changes})


def cache_of(**changes) -> MemoryAwarePrefixCache:
    return MemoryAwarePrefixCache("model", small(**changes))


def prompt(*parts: tuple[int, int]) -> tuple[int, ...]:
    """Tokens made of (first, count) runs."""
    return tuple(token for first, count in parts for token in range(first, first + count))


def serve(cache: MemoryAwarePrefixCache, model: OracleModel, tokens, spans=()) -> int:
    """Answer a prompt as the engine does; return the tokens that had to be run."""
    found = cache.lookup(tokens, spans)
    live, before = found.cache or model.make_cache(), model.prefilled
    assert found.reused < len(tokens)
    model.run(live, tokens, found.reused)
    assert readable(live) == readable(model.cold(tokens))
    cache.save(tokens, live)
    return model.prefilled - before


@pytest.mark.parametrize("library", [lm, vlm], ids=["mlx_lm", "mlx_vlm"])
@pytest.mark.parametrize("kinds", ALL, ids=str)
def test_the_answer_of_a_growing_chat_is_the_cold_one_for_every_layer_class(library, kinds):
    cache, model = cache_of(), OracleModel(kinds, library)
    tokens: tuple[int, ...] = ()
    for turn in range(4):
        tokens += prompt((100 * turn, 2 * CHUNK))
        run = serve(cache, model, tokens)
        assert run == (2 * CHUNK if turn else len(tokens))


@pytest.mark.parametrize("kinds", ALL, ids=str)
def test_decoding_from_a_fetched_state_leaves_the_entry_alone(kinds):
    cache, model = cache_of(), OracleModel(kinds)
    stored = prompt((1, 24))
    cache.store(stored, model.cold(stored))
    longer = (*stored, 7, 8)
    first, rest = cache.fetch(longer)
    assert rest == [7, 8]
    before = readable(first)
    model.run(first, (*longer, *range(20)), 24, chunk=1)
    second, _ = cache.fetch(longer)
    assert readable(second) == before
    assert offsets(second) == {24}
    assert not handles(first) & handles(second)


@pytest.mark.parametrize("kinds", TRIMMABLE, ids=str)
def test_the_same_prompt_twice_leaves_exactly_one_token_to_run(kinds):
    cache, model = cache_of(), OracleModel(kinds)
    tokens = prompt((1, 64))
    assert serve(cache, model, tokens) == 64
    assert serve(cache, model, tokens) == 1
    assert cache.last_lookup.kind == "exact"
    assert cache.last_lookup.why == ""
    assert serve(cache, model, tokens[:40]) == 1
    assert cache.last_lookup.kind == "supersequence"


@pytest.mark.parametrize("kinds", BOUNDED, ids=str)
def test_layers_that_cannot_be_cut_fall_back_to_a_boundary_or_miss(kinds):
    cache, model = cache_of(), OracleModel(kinds)
    boundary, full = prompt((1, 24)), prompt((1, 40))
    cache.store(boundary, model.cold(boundary))
    cache.store(full, model.cold(full))
    live, rest = cache.fetch((*full[:30], 999))
    assert len(rest) == 31 - 24
    assert offsets(live) == {24}
    live, rest = cache.fetch((*full[:20], 999))
    assert live is None
    assert len(rest) == 21
    assert "20 tokens match" in cache.last_lookup.why


def test_a_short_ancestor_never_hides_a_longer_common_prefix():
    cache, model = cache_of(), OracleModel()
    for tokens in ([1, 2], [1, 2, 3, 4, 5]):
        cache.store(tokens, model.cold(tokens), evict_prefixes=False)
    live, rest = cache.fetch([1, 2, 3, 9])
    assert rest == [9]
    assert readable(live) == readable(model.cold([1, 2, 3]))
    assert cache.last_lookup.kind == "lcp"


def test_the_window_rule():
    model = OracleModel(("RotatingKVCache",))
    cache = cache_of()
    long = prompt((1, WINDOW + 12))
    cache.store(long, model.cold(long))
    assert cache.fetch(long[:10])[0] is None
    assert "window already moved past this point" in cache.last_lookup.why
    assert cache.fetch((*long, 5))[1] == [5]
    cache.store(long[: WINDOW - 2], model.cold(long[: WINDOW - 2]))
    assert cache.fetch((*long[:9], 77))[1] == [77]


def test_one_prompt_longer_than_the_window_four_times_gives_four_equal_states():
    cache, model = cache_of(), OracleModel(("KVCache", "RotatingKVCache"))
    tokens = prompt((1, 3 * WINDOW))
    states = []
    for _ in range(4):
        found = cache.lookup(tokens)
        live = found.cache or model.make_cache()
        model.run(live, tokens[:-1], found.reused)
        cache.save(tokens[:-1], live)
        model.run(live, tokens, len(tokens) - 1)
        states.append(readable(live))
    assert all(state == states[0] for state in states)
    assert cache.last_lookup.reused == len(tokens) - 1


# -- images ------------------------------------------------------------------------------------------------------------


def with_images(*images: tuple[int, str], length: int = 40, size: int = 4):
    spans = tuple(MediaSpan(start, size, digest) for start, digest in images)
    return salt_tokens(range(1000, 1000 + length), spans), spans


def test_another_image_under_the_same_text_is_reused_up_to_its_span_and_no_further():
    cache, model = cache_of(), OracleModel()
    a, spans_a = with_images((10, "A"))
    b, spans_b = with_images((10, "B"))
    c, spans_c = with_images((10, "C"))
    runs = [serve(cache, model, t, s) for t, s in ((a, spans_a), (b, spans_b), (a, spans_a), (c, spans_c))]
    assert runs == [40, 30, 1, 30]
    assert cache.last_lookup.why == "first 10 tokens match; then image 1 is new"


def test_a_later_image_keeps_what_stood_before_it_and_a_replaced_first_one_loses_what_followed():
    cache, model = cache_of(), OracleModel()
    one, spans = with_images((5, "A"))
    serve(cache, model, one, spans)
    two, both = with_images((5, "A"), (30, "B"))
    assert serve(cache, model, two, both) == 10
    assert cache.last_lookup.why == "first 30 tokens match; then image 2 is new"
    other, spans = with_images((5, "C"), (30, "B"))
    assert serve(cache, model, other, spans) == 35
    swapped, spans = with_images((5, "B"), (30, "A"))
    assert serve(cache, model, swapped, spans) == 35


def test_a_cut_never_falls_inside_an_image():
    cache, model = cache_of(), OracleModel()
    tokens, spans = with_images((10, "A"), length=14)
    serve(cache, model, tokens, spans)
    assert serve(cache, model, tokens, spans) == 4
    assert cache.last_lookup.why == ""


def test_placeholders_without_spans_bypass_the_cache():
    cache, model = cache_of(), OracleModel()
    cache.placeholder_ids = frozenset({1003})
    tokens = prompt((1000, 8))
    assert not cache.save(tokens, model.cold(tokens))
    found = cache.lookup(tokens)
    assert found.kind == "bypassed"
    assert cache.row().bypassed == 2
    assert cache.save(prompt((1, 8)), model.cold(prompt((1, 8))))


# -- bytes -------------------------------------------------------------------------------------------------------------


def entry_bytes(model: OracleModel, length: int) -> int:
    return 2 * length * 2 * 32 * 4 * len(model.kinds)


def test_entries_are_charged_once_at_their_stored_size_whatever_the_live_buffer_holds():
    cache, model = cache_of(), OracleModel()
    tokens = prompt((1, 10))
    live = model.cold(tokens)
    assert estimate_kv_cache_memory(live) > entry_bytes(model, 10)
    cache.store(tokens, live)
    assert cache.entries.ledger.used == entry_bytes(model, 10)
    cache.store(tokens, live)
    assert cache.entries.ledger.used == entry_bytes(model, 10)
    assert cache.get_stats()["evictions_by_reason"]["replaced"] == 1


def test_storing_a_key_again_at_the_limit_evicts_no_bystander():
    model = OracleModel()
    limit = 2 * entry_bytes(model, 8) / 2**20
    cache = cache_of(max_memory_mb=limit)
    for first in (1, 100, 100, 1, 100):
        tokens = prompt((first, 8))
        assert cache.store(tokens, model.cold(tokens))
    assert len(cache) == 2
    assert cache.get_stats()["evictions"] == 0


def test_an_entry_larger_than_the_limit_is_refused_before_anything_is_evicted():
    model = OracleModel()
    cache = cache_of(max_memory_mb=entry_bytes(model, 20) / 2**20)
    cache.store(prompt((1, 8)), model.cold(prompt((1, 8))))
    assert not cache.store(prompt((50, 21)), model.cold(prompt((50, 21))))
    assert prompt((1, 8)) in cache
    assert cache.get_stats()["refused"] == 1


def test_the_least_recently_used_goes_first_and_every_kind_of_hit_refreshes():
    model = OracleModel()
    cache = cache_of(max_memory_mb=3 * entry_bytes(model, 8) / 2**20)
    keys = [prompt((first, 8)) for first in (100, 200, 300)]
    for key in keys:
        cache.store(key, model.cold(key))
    cache.fetch((*keys[0][:4], 9))
    cache.store(prompt((400, 8)), model.cold(prompt((400, 8))))
    assert [key in cache for key in keys] == [True, False, True]


def test_three_times_the_limit_in_one_shot_prompts_is_all_stored_and_never_above_it():
    model = OracleModel()
    limit = 10 * entry_bytes(model, 8)
    cache = cache_of(max_memory_mb=limit / 2**20)
    for first in range(30):
        key = prompt((1000 * first, 8))
        assert cache.store(key, model.cold(key))
        assert cache.entries.ledger.used <= limit
    assert cache.get_stats()["evictions_by_reason"]["memory"] == 20


def test_limits_change_at_once_and_zero_switches_off():
    model, cache = OracleModel(), cache_of()
    for first in (1, 100, 200):
        cache.store(prompt((first, 8)), model.cold(prompt((first, 8))))
    cache.set_limit(entry_bytes(model, 8))
    assert len(cache) == 1
    assert cache.get_stats()["evictions_by_reason"]["limit_lowered"] == 2
    cache.set_limit(0)
    assert len(cache) == 0
    assert cache.memory_usage_mb == 0
    assert not cache.store(prompt((1, 8)), model.cold(prompt((1, 8))))
    assert cache.lookup(prompt((1, 8))).why == "the cache is switched off"
    cache.set_limit(1 << 20)
    assert cache.store(prompt((1, 8)), model.cold(prompt((1, 8))))


def test_reservations_make_room_survive_clear_and_are_refused_where_they_cannot_fit():
    model = OracleModel()
    size = entry_bytes(model, 8)
    cache = cache_of(max_memory_mb=2 * size / 2**20)
    for first in (1, 100):
        cache.store(prompt((first, 8)), model.cold(prompt((first, 8))))
    assert not cache.try_reserve_memory(2 * size + 1)
    assert len(cache) == 2
    assert cache.try_reserve_memory(size)
    assert len(cache) == 1
    cache.clear()
    assert cache.entries.ledger.reserved == size
    assert not cache.store(prompt((1, 9)), model.cold(prompt((1, 9))))
    cache.release_reserved_memory(size)
    assert cache.store(prompt((1, 9)), model.cold(prompt((1, 9))))


def test_a_pinned_entry_is_not_evicted():
    model = OracleModel()
    size = entry_bytes(model, 8)
    cache = cache_of(max_memory_mb=2 * size / 2**20)
    first, second = prompt((1, 8)), prompt((100, 8))
    cache.store(first, model.cold(first))
    cache.store(second, model.cold(second))
    with cache.pinned(first):
        cache.store(prompt((200, 8)), model.cold(prompt((200, 8))))
        assert first in cache
        assert second not in cache
        assert not cache.store(prompt((300, 16)), model.cold(prompt((300, 16))))
        assert not cache.try_reserve_memory(2 * size)
        cache.set_limit(size // 2)
        assert first in cache
    assert first not in cache
    with cache.pinned(prompt((7, 7))):
        pass


def test_store_and_drop_keeps_live_arrays_and_active_memory_flat():
    model, cache = OracleModel(("KVCache", "ArraysCache")), cache_of()

    def cycle(number: int) -> None:
        key = prompt((number, 16))
        cache.store(key, model.cold(key))
        cache.fetch((*key, 1))
        cache.remove(key)

    for number in range(3):
        cycle(number)
    gc.collect()
    arrays = sum(isinstance(o, mx.array) for o in gc.get_objects())
    memory = mx.get_active_memory()
    for number in range(200):
        cycle(number)
    gc.collect()
    assert sum(isinstance(o, mx.array) for o in gc.get_objects()) <= arrays
    assert mx.get_active_memory() <= memory + 4096


# -- what stays and what goes ------------------------------------------------------------------------------------------


def test_a_twenty_turn_chat_holds_little_more_than_its_longest_state():
    cache, model = cache_of(), OracleModel()
    tokens: tuple[int, ...] = ()
    for turn in range(20):
        for part in (prompt((1000 * turn, 12)), prompt((1000 * turn + 500, 8))):
            tokens += part
            serve(cache, model, tokens)
        assert cache.entries.ledger.used <= 1.2 * entry_bytes(model, len(tokens))
    assert len(cache) == 1


@pytest.mark.parametrize("kinds", [("KVCache", "ArraysCache"), ("KVCache", "RotatingKVCache")], ids=str)
def test_a_chat_that_cannot_be_cut_keeps_a_constant_number_of_boundaries(kinds):
    cache, model = cache_of(), OracleModel(kinds)
    system = prompt((1, 20))
    cache.save(system, model.cold(system))
    tokens, counts = system, []
    for turn in range(12):
        tokens += prompt((1000 * turn, 12))
        serve(cache, model, tokens)
        ended = (*tokens, *prompt((1000 * turn + 500, 8)))
        cache.save(ended, model.cold(ended))
        counts.append(len(cache))
        tokens = ended if turn % 2 else (*tokens, 7, 7, 7)  # every second turn the template rewrites the answer
    assert max(counts) <= 6
    assert system in cache


def test_a_template_that_strips_the_answer_reuses_up_to_the_last_user_turn():
    cache, model = cache_of(), OracleModel(("KVCache", "ArraysCache"))
    asked = prompt((1, 30))
    cache.save(asked, model.cold(asked))
    answered = (*asked, *prompt((500, 20)))
    cache.save(answered, model.cold(answered))
    assert serve(cache, model, (*asked, *prompt((900, 10)))) == 10


def test_a_branch_that_was_come_back_to_keeps_its_boundary():
    cache, model = cache_of(), OracleModel(("KVCache", "ArraysCache"))
    system, fork = prompt((1, 10)), prompt((1, 20))
    left, right = (*fork, *prompt((100, 10))), (*fork, *prompt((200, 10)))
    for tokens in (system, fork, left):
        cache.save(tokens, model.cold(tokens))
    assert cache.lookup((*left, 5)).reused == len(left)
    cache.save(right, model.cold(right))
    for step in range(1, KEPT_BOUNDARIES + 2):
        longer = (*right, *prompt((300, step)))
        cache.save(longer, model.cold(longer))
    assert left in cache
    assert fork in cache
    assert right not in cache


def test_a_chat_whose_reasoning_is_stripped_and_whose_answers_are_regenerated_holds_one_state():
    cache, model = cache_of(), OracleModel()
    history: tuple[int, ...] = ()
    for turn in range(8):
        asked = (*history, *prompt((1000 * turn, 10)))
        for answer in range(2):
            found = cache.lookup((*asked, 1))
            live = found.cache or model.make_cache()
            model.run(live, asked, found.reused)
            cache.save(asked, live)
            answered = (*asked, 1, *prompt((1000 * turn + 300 * answer + 100, 40)))
            model.run(live, answered, len(asked))
            cache.save(answered, live)
            assert cache.entries.ledger.used <= 1.2 * entry_bytes(model, len(answered))
        history = (*asked, *prompt((1000 * turn + 900, 6)))
    assert len(cache) == 1


def test_an_entry_that_a_rewritten_turn_leaves_behind_goes():
    cache, model = cache_of(), OracleModel()
    first = prompt((1, 100))
    serve(cache, model, first)
    serve(cache, model, (*first[:95], *prompt((700, 30))))
    assert first not in cache
    second_chat = (*first[:50], *prompt((800, 30)))
    serve(cache, model, second_chat)
    assert len(cache) == 2


@pytest.mark.parametrize("stopped_at", [60, 64, 99])
def test_what_was_stopped_in_a_prompt_is_not_taken_for_one(stopped_at):
    """Another chat that shares more than that left nothing behind, and nor does an edited question."""
    cache, model = cache_of(), OracleModel()
    first = prompt((1, 100), (500, 20))
    cache.save(first[:stopped_at], model.cold(first[:stopped_at]))
    cache.save(first, model.cold(first), ending=Ending(100))
    other = (*first[:80], *prompt((900, 30)))
    assert cache.lookup(other).reused == 80
    cache.save(other, model.cold(other), ending=Ending(105))
    assert first in cache
    assert other in cache
    assert cache.lookup((*first, 1)).reused == len(first)


# -- identity, faults, words -------------------------------------------------------------------------------------------


def test_another_model_misses_and_coming_back_hits_again():
    cache, model = cache_of(), OracleModel()
    tokens = prompt((1, 10))
    runs = []
    for identity in ("adapter A", "adapter B", "none", "adapter A"):
        cache.use(identity)
        runs.append(serve(cache, model, tokens))
        if identity == "adapter B":
            assert cache.last_lookup.why == "model changed"
    assert runs == [10, 10, 10, 1]
    cache.drop("adapter A")
    assert serve(cache, model, tokens) == 10


@pytest.mark.allows_log("a state was not stored")
def test_states_of_another_length_than_their_key_are_refused_and_counted():
    cache, model = cache_of(), OracleModel()
    assert not cache.store([1, 2, 3, 4, 5], model.cold([1, 2, 3, 4, 5, 6]))
    assert not cache.store([1, 2, 3], None)
    assert not cache.store([], model.cold([1]))
    assert not cache.store([1, 2], [object()])
    assert len(cache) == 0
    assert cache.get_stats()["bypassed"] == 2


def test_a_fault_inside_becomes_a_miss_is_logged_once_and_counted(monkeypatch, caplog):
    cache, model = cache_of(), OracleModel()
    tokens = prompt((1, 10))
    cache.store(tokens, model.cold(tokens))

    def broken(*_, **__):
        raise RuntimeError("the ring is broken")

    monkeypatch.setattr(cache.entries, "restore", broken)
    monkeypatch.setattr(cache.entries, "add", broken)
    for _ in range(3):
        assert cache.fetch(tokens) == (None, list(tokens))
        assert not cache.store(tokens, model.cold(tokens))
    assert cache.row().bypassed == 6
    assert len([r for r in caplog.records if "the ring is broken" in r.message]) == 2


def test_why_a_prompt_was_not_reused():
    cache, model = cache_of(min_prefix_tokens=8), OracleModel()
    assert cache.lookup(prompt((1, 20))).why == "nothing is stored yet"
    cache.store(prompt((1, 20)), model.cold(prompt((1, 20))))
    assert cache.lookup((*prompt((1, 12)), 99, 99)).why == "first 12 tokens match; then the text differs"
    assert cache.lookup((*prompt((1, 20)), 99, 99)).why == "first 20 tokens match; then the rest is new"
    assert cache.lookup((*prompt((1, 5)), 99, 99)).why == "shorter than the minimum of 8 tokens"
    assert cache.lookup(prompt((500, 9))).why == "no stored prompt begins like this one"
    assert not cache.save(prompt((1, 7)), model.cold(prompt((1, 7))))
    image, spans = with_images((0, "A"), length=20)
    assert cache.lookup(image, spans).why == "image 1 is new"
    cache.store(image, model.cold(image))
    assert cache.lookup((*image[:2], *prompt((1, 9)))).why == "shorter than the minimum of 8 tokens"
    text_again = (*image[:8], *prompt((1, 9)))
    assert cache.lookup(text_again).why == "first 8 tokens match; then the text differs"


def test_an_image_that_was_taken_away_is_named():
    cache, model = cache_of(), OracleModel()
    tokens, _ = with_images((4, "A"), length=20)
    cache.store(tokens, model.cold(tokens))
    assert cache.lookup((*tokens[:4], 1, 2)).why == "first 4 tokens match; then an image was taken away"
    assert cache.lookup((*tokens[:6], 1, 2)).why == "first 6 tokens match; then an image was taken away"
    assert cache.lookup((*tokens[:1], 9, 9)).why == "first 1 token matches; then the text differs"


def test_events_tell_what_happened_in_order():
    seen: list[CacheEvent] = []
    bus = EventBus()
    bus.subscribe(seen.append)
    cache, model = MemoryAwarePrefixCache("m", small(), bus=bus), OracleModel()
    tokens = prompt((1, 10))
    cache.lookup(tokens)
    cache.save(tokens, model.cold(tokens))
    cache.lookup((*tokens, 1))
    cache.set_limit(1)
    cache.clear()
    kinds = [(event.kind, event.reason) for event in seen]
    assert kinds == [
        ("missed", "nothing is stored yet"),
        ("stored", ""),
        ("hit", ""),
        ("evicted", "limit_lowered"),
        ("resized", ""),
        ("cleared", ""),
    ]
    assert seen[2].tokens == 10


def test_statistics_are_zeroed_and_sizes_are_not():
    cache, model = cache_of(), OracleModel()
    tokens = prompt((1, 10))
    cache.store(tokens, model.cold(tokens))
    cache.fetch((*tokens, 1))
    stats = cache.get_stats()
    assert (stats["hits"], stats["misses"], stats["tokens_saved"], stats["hit_rate"]) == (1, 0, 10, 1.0)
    assert stats["entry_count"] == 1
    assert 0 < stats["memory_utilization"] < 1
    cache.reset_stats()
    stats = cache.get_stats()
    assert (stats["hits"], stats["hit_rate"], stats["entry_count"]) == (0, 0.0, 1)
    assert stats["current_memory_mb"] == cache.memory_usage_mb > 0
    assert cache.memory_limit_mb == 64
    row = cache.row()
    assert row.nbytes == cache.entries.ledger.used
    assert row.extra["tokens_saved"] == 0


def test_five_hundred_prompts_each_asked_twice_hit_five_hundred_times():
    cache, model = cache_of(max_entries=500), OracleModel()
    for number in range(500):
        tokens = prompt((number * 7, 3), (number, 2))
        assert cache.save(tokens, model.cold(tokens))
        assert cache.lookup(tokens).reused == 4
    assert cache.get_stats()["match_kinds"]["exact"] == 500


# -- configuration, quantized storage, saving --------------------------------------------------------------------------


@pytest.mark.parametrize(
    "changes",
    [
        {"max_memory_percent": 0},
        {"max_memory_percent": 1.1},
        {"max_entries": 0},
        {"kv_min_quantize_tokens": -1},
        {"min_prefix_tokens": 0},
        {"max_memory_mb": -1},
        {"max_memory_mb": float("nan")},
        {"max_memory_mb": float("inf")},
        {"kv_bits": 7},
        {"kv_bits": 16},
        {"kv_group_size": 48},
    ],
    ids=str,
)
def test_values_outside_their_range_are_refused(changes):
    with pytest.raises(ValueError, match="must"):
        MemoryCacheConfig(**changes)


@pytest.mark.parametrize("bits", BITS)
@pytest.mark.parametrize("group_size", GROUP_SIZES)
def test_every_quantization_that_is_accepted_exists(bits, group_size):
    check_quantization(bits, group_size)
    keys = mx.random.normal((1, 1, 4, 128), key=mx.random.key(1))
    live = lm.KVCache()
    live.update_and_fetch(keys, keys)
    packed = pack_layer(snapshot_layer(live, 4), bits, group_size)
    error = mx.abs(packed.restore().keys - keys).max().item()
    assert isinstance(packed, PackedState)
    assert 0 < error < 6 / (2**bits - 1), "half a step of a range of some six deviations"


def test_the_limit_is_explicit_or_a_share_of_what_is_free(monkeypatch):
    assert MemoryCacheConfig(max_memory_mb=5).compute_memory_limit() == 5 * 2**20
    monkeypatch.setattr("app.cache.memory._available_ram", lambda: 10 * 2**30)
    assert MemoryCacheConfig(max_memory_percent=0.5).compute_memory_limit() == 5 * 2**30
    monkeypatch.setattr("app.cache.memory._available_ram", lambda: 2**20)
    assert MemoryCacheConfig().compute_memory_limit() == 100 * 2**20
    monkeypatch.setattr("app.cache.memory._available_ram", lambda: 0)
    assert MemoryCacheConfig(max_memory_percent=0.25).compute_memory_limit() == 2 * 2**30


def test_free_memory_is_asked_of_the_system(monkeypatch):
    from app.cache import memory

    assert memory._available_ram() > 0
    monkeypatch.setitem(__import__("sys").modules, "psutil", None)
    assert memory._available_ram() == 0


def test_without_tracking_only_the_count_limits():
    cache = MemoryAwarePrefixCache(object(), small(max_memory_mb=0, enable_memory_tracking=False, max_entries=2))
    model = OracleModel()
    for first in (1, 100, 200):
        assert cache.store(prompt((first, 8)), model.cold(prompt((first, 8))))
    assert len(cache) == 2
    assert cache.get_stats()["evictions_by_reason"]["count"] == 1
    assert cache.identity == ""
    cache.entries.set_max_entries(1)
    assert len(cache) == 1


def test_quantized_storage_takes_fewer_bytes_and_gives_the_original_class_back():
    cache = cache_of(kv_quantize=True, kv_group_size=32, kv_min_quantize_tokens=16)
    model = OracleModel(("KVCache", "RotatingKVCache", "ArraysCache"))
    tokens = prompt((1, 40))
    cache.store(tokens, model.cold(tokens))
    plain = cache_of()
    plain.store(tokens, model.cold(tokens))
    assert cache.entries.ledger.used < plain.entries.ledger.used
    live, rest = cache.fetch((*tokens, 9))
    assert rest == [9]
    assert [type(layer) for layer in live] == [lm.KVCache, lm.RotatingKVCache, lm.ArraysCache]
    cold = model.cold(tokens)
    assert live[0].keys.dtype == cold[0].keys.dtype
    assert mx.abs(live[0].keys - cold[0].keys[..., :40, :]).max().item() < 0.1
    assert live[1].keys.tolist() == plain.fetch((*tokens, 9))[0][1].keys.tolist()


def test_short_entries_and_odd_head_sizes_are_stored_as_they_are():
    model, tokens = OracleModel(), prompt((1, 40))
    for changes in ({"kv_min_quantize_tokens": 41, "kv_group_size": 32}, {"kv_group_size": 64}):
        cache = cache_of(kv_quantize=True, **{"kv_min_quantize_tokens": 0, **changes})
        cache.store(tokens, model.cold(tokens))
        assert readable(cache.fetch((*tokens, 9))[0]) == readable(model.cold(tokens))


def test_a_quantized_entry_can_be_cut():
    cache, model = cache_of(kv_quantize=True, kv_group_size=32, kv_min_quantize_tokens=0), OracleModel()
    tokens = prompt((1, 40))
    cache.store(tokens, model.cold(tokens))
    live, rest = cache.fetch((*tokens[:17], 9))
    assert rest == [9]
    assert live[0].keys.shape[2] == live[0].offset == 17


@pytest.mark.parametrize("kinds", ALL, ids=str)
def test_saving_and_loading_keeps_every_state_and_the_order_of_use(kinds, tmp_path):
    cache, model = cache_of(), OracleModel(kinds)
    keys = [prompt((first, 24)) for first in (1, 100, 200)]
    for key in keys:
        cache.save(key, model.cold(key))
    cache.save(prompt((300, 8)), model.cold(prompt((300, 8))), persist=False)
    assert cache.save_to_disk(tmp_path)
    again = cache_of()
    assert again.load_from_disk(tmp_path) == 3
    for key in keys:
        assert readable(again.fetch((*key, 5))[0]) == readable(model.cold(key))
    assert [entry.tokens for entry in again.entries.order] == keys
    assert again.entries.ledger.used == sum(e.snapshot.nbytes for e in again.entries.order)
    assert again.load_from_disk(tmp_path) == 0
    assert len(again) == 3
    tight = cache_of(max_entries=1)
    assert tight.load_from_disk(tmp_path) == 1
    assert keys[-1] in tight


def test_loading_passes_over_what_is_foreign_or_damaged(tmp_path, caplog):
    cache, model = cache_of(), OracleModel()
    keys = [prompt((first, 24)) for first in (1, 100, 200)]
    for key in keys:
        cache.save(key, model.cold(key))
    cache.save_to_disk(tmp_path)
    other = MemoryAwarePrefixCache("another model", small())
    assert other.load_from_disk(tmp_path) == 0
    assert other.load_from_disk(tmp_path / "nowhere") == 0
    files = sorted(tmp_path.glob("entry-*"))
    damaged = bytearray(files[0].read_bytes())
    damaged[-5] ^= 1
    files[0].write_bytes(damaged)
    files[1].unlink()
    assert cache_of().load_from_disk(tmp_path) == 1
    manifest = tmp_path / "prefix-cache.json"
    manifest.write_text(manifest.read_text().replace('"format": 1', '"format": 99'))
    assert cache_of().load_from_disk(tmp_path) == 0
    assert "format 99" in caplog.text
    (tmp_path / "file").write_text("")
    assert not cache.save_to_disk(tmp_path / "file")
    cache.remove(keys[0])
    cache.save_to_disk(tmp_path)
    assert len(list(tmp_path.glob("entry-*"))) == 2


# -- the tier behind it ------------------------------------------------------------------------------------------------


class Tier:
    """A disk tier that is a dictionary."""

    def __init__(self):
        self.held, self.namespace, self.misses, self.broken = {}, "", 0, False

    def use(self, namespace):
        self.namespace = namespace

    def enqueue_spill(self, tokens, cache, memory_bytes=0):
        if self.broken:
            raise OSError("no space left")
        self.held[self.namespace, tuple(tokens)] = cache
        return True

    def lookup_ssd(self, tokens):
        return {"num_tokens": len(tokens)} if (self.namespace, tuple(tokens)) in self.held else None

    def lookup_ssd_prefix(self, tokens, most=None):
        fits = [k for n, k in self.held if n == self.namespace and tuple(tokens[: len(k)]) == k]
        fits = [k for k in fits if most is None or len(k) <= most]
        return {"num_tokens": len(max(fits, key=len)), "key": max(fits, key=len)} if fits else None

    def load(self, found, n=None):
        return self.held[self.namespace, found["key"]].cut(n)

    def missed(self):
        self.misses += 1


def test_evicted_entries_go_to_the_tier_and_come_back_from_it():
    model, tier = OracleModel(), Tier()
    cache = cache_of(max_memory_mb=2 * entry_bytes(model, 8) / 2**20)
    cache.set_ssd_tier(tier)
    keys = [prompt((first, 8)) for first in (1, 100, 200)]
    for key in keys:
        cache.save(key, model.cold(key))
    assert list(tier.held) == [("model", keys[0])]
    assert cache.check_ssd(keys[0]) == {"num_tokens": 8, "match_type": "exact", "matched_tokens": 8}
    assert cache.check_ssd((*keys[0], 1))["match_type"] == "prefix"
    assert cache.check_ssd(keys[1]) is None
    found = cache.lookup((*keys[0], 1))
    assert (found.source, found.reused, found.why) == ("disk", 8, "")
    assert readable(found.cache) == readable(model.cold(keys[0]))
    assert cache.lookup((*keys[0], 1)).source == "memory"
    assert tier.misses == 0
    assert cache.lookup((*keys[0], 1, 2, 3)).source == "memory"
    assert tier.misses == 0, "memory served it"
    assert cache.lookup((9, 9)).source == "none"
    assert tier.misses == 1


@pytest.mark.allows_log("could not be spilled")
def test_a_failing_spill_never_loses_the_new_entry():
    model, tier = OracleModel(), Tier()
    cache = cache_of(max_memory_mb=entry_bytes(model, 8) / 2**20)
    cache.set_ssd_tier(tier)
    tier.broken = True
    for first in (1, 100):
        assert cache.save(prompt((first, 8)), model.cold(prompt((first, 8))))
    assert prompt((100, 8)) in cache
    assert cache.row().bypassed == 1


def test_leaving_a_model_waits_where_the_queue_is_full_and_survives_a_failing_disk():
    model, tier = OracleModel(), Tier()
    cache = cache_of()
    cache.set_ssd_tier(tier)
    for first in (1, 100, 200):
        cache.save(prompt((first, 8)), model.cold(prompt((first, 8))))
    waits, take = [], tier.enqueue_spill
    tier.flush = waits.append
    tier.enqueue_spill = lambda *args: len(tier.held) <= len(waits) and take(*args)
    cache.spill_all()
    assert len(tier.held) == 3
    assert len(waits) == 2
    assert 0 < waits[0] <= 5
    assert next(iter(tier.held))[1] == prompt((200, 8))


@pytest.mark.allows_log("could not be spilled")
def test_a_failing_disk_does_not_keep_a_model_from_being_left():
    model, tier = OracleModel(), Tier()
    cache = cache_of()
    cache.set_ssd_tier(tier)
    cache.save(prompt((1, 8)), model.cold(prompt((1, 8))))
    tier.broken = True
    cache.drop("model")
    assert len(cache) == 0


def test_a_failing_copy_gives_its_room_back(monkeypatch, caplog):
    from app.cache.snapshot import Snapshot

    cache, model = cache_of(), OracleModel()
    tokens = prompt((1, 8))

    def failing(_self):
        raise MemoryError("no room for the copy")

    with monkeypatch.context() as patch:
        patch.setattr(Snapshot, "settle", failing)
        assert not cache.store(tokens, model.cold(tokens))
    assert cache.entries.ledger.reserved == cache.entries.ledger.used == 0
    assert "no room for the copy" in caplog.text

    def taken(self):
        cache.entries.ledger.set_limit(1)
        return self

    monkeypatch.setattr(Snapshot, "settle", taken)
    assert not cache.store(tokens, model.cold(tokens))
    assert cache.get_stats()["refused"] == 1


def test_a_rival_store_of_the_same_key_is_replaced(monkeypatch):
    from app.cache.snapshot import Snapshot

    cache, model = cache_of(), OracleModel()
    tokens, settle = prompt((1, 8)), Snapshot.settle

    def slow(self):
        monkeypatch.setattr(Snapshot, "settle", settle)
        cache.store(tokens, model.cold(tokens))
        return settle(self)

    monkeypatch.setattr(Snapshot, "settle", slow)
    assert cache.store(tokens, model.cold(tokens))
    assert len(cache) == 1
    assert cache.entries.ledger.used == entry_bytes(model, 8)


def test_incognito_entries_never_reach_the_tier():
    model, tier = OracleModel(), Tier()
    cache = cache_of(max_memory_mb=entry_bytes(model, 8) / 2**20)
    cache.set_ssd_tier(tier)
    for first in (1, 100):
        cache.save(prompt((first, 8)), model.cold(prompt((first, 8))), persist=False)
    cache.spill_all()
    cache.drop("model")
    assert not tier.held


def test_leaving_a_model_spills_into_its_own_namespace():
    model, tier = OracleModel(), Tier()
    cache = cache_of()
    cache.set_ssd_tier(tier)
    tokens = prompt((1, 8))
    cache.save(tokens, model.cold(tokens))
    cache.spill_all()
    assert len(cache) == 1
    cache.use("second")
    cache.drop("model")
    assert list(tier.held) == [("model", tokens)]
    assert tier.namespace == "second"
    assert cache.check_ssd(tokens) is None
    cache.set_ssd_tier(None)
    assert cache.check_ssd(tokens) is None


def test_a_tier_that_cannot_read_its_entry_is_a_miss():
    model, tier = OracleModel(), Tier()
    cache = cache_of()
    cache.set_ssd_tier(tier)
    tokens = prompt((1, 8))
    cache.save(tokens, model.cold(tokens))
    cache.spill_all()
    cache.clear()
    tier.load = lambda found, n=None: None
    assert cache.lookup((*tokens, 1)).reused == 0


# -- more reports ------------------------------------------------------------------------------------------------------


def test_a_reader_that_ignores_the_offset_sees_nothing_beyond_a_shortened_hit():
    cache, model = cache_of(), OracleModel()
    tokens = prompt((1, 500))
    cache.store(tokens, model.cold(tokens))
    before = readable(cache.fetch((*tokens, 9))[0])
    live, _ = cache.fetch((*tokens[:100], 9))
    assert live[0].keys.shape[2] == live[0].values.shape[2] == live[0].offset == 100
    assert readable(live) == readable(model.cold(tokens[:100]))
    assert readable(cache.fetch((*tokens, 9))[0]) == before


def test_leaving_another_model_takes_nothing_from_this_one():
    cache, model = cache_of(), OracleModel()
    for identity, first in (("one", 1), ("two", 100)):
        cache.use(identity)
        cache.save(prompt((first, 8)), model.cold(prompt((first, 8))))
    cache.drop("two")
    cache.use("one")
    assert cache.lookup((*prompt((1, 8)), 9)).reused == 8


def test_memory_is_given_back_when_a_model_is_left():
    gc.collect()
    mx.clear_cache()
    before = mx.get_active_memory()
    cache, model = cache_of(), OracleModel(("KVCache", "ArraysCache"))
    for first in range(0, 1000, 100):
        cache.save(prompt((first, 64)), model.cold(prompt((first, 64))))
    assert mx.get_active_memory() > before + cache.entries.ledger.used // 2
    cache.drop("model")
    gc.collect()
    assert mx.get_active_memory() <= before + 4096


@pytest.mark.allows_log("a state was not stored")
def test_a_cancelled_prefill_keeps_what_it_ran():
    cache, model = cache_of(), OracleModel(("KVCache", "ArraysCache"))
    tokens = prompt((1, 10 * CHUNK))
    live, done = model.make_cache(), 6 * CHUNK
    model.run(live, tokens[:done], 0)
    assert cache.save(tokens[:done], live)
    assert not cache.store(tokens, live)
    assert serve(cache, model, tokens) == len(tokens) - done


def test_a_five_thousand_token_hybrid_prefix_is_reused_to_its_boundary():
    class Long(OracleModel):
        def cold(self, tokens):
            keys = mx.arange(len(tokens), dtype=mx.float32).reshape(1, 1, -1, 1) * mx.ones((1, 2, 1, 32))
            cache = self.make_cache()
            cache[0].update_and_fetch(keys, -keys)
            cache[1][0] = mx.full((1, 4), len(tokens))
            return cache

    cache, model = cache_of(), Long(("KVCache", "ArraysCache"))
    tokens = prompt((1, 5000))
    cache.save(tokens, model.cold(tokens))
    found = cache.lookup((*tokens, 1, 2))
    assert found.reused == 5000
    assert found.cache[1][0].tolist() == [[5000] * 4]
    assert cache.lookup((*tokens[:4000], 1, 2)).reused == 0


NOT_UTF8 = pytest.param(
    os.fsdecode(b"not utf-8 \xff"), marks=pytest.mark.skipif(sys.platform == "darwin", reason="macOS has no such names")
)


@pytest.mark.parametrize("folder", ["plain", "Ordner ü 图", NOT_UTF8])
def test_a_save_works_in_every_folder_with_tokens_of_every_kind_and_takes_rubbish_away(tmp_path, folder):
    target = tmp_path / folder
    target.mkdir()
    (target / f"tmp-{'a' * 64}.safetensors").write_bytes(b"left by a crash")
    saved = cache_of()
    assert saved.store(np.arange(10), OracleModel().cold(range(10)))
    assert saved.save_to_disk(target)
    assert sorted(path.name[:6] for path in target.iterdir()) == ["entry-", "prefix"]
    loaded = cache_of()
    assert loaded.load_from_disk(target) == 1
    assert readable(loaded.lookup(range(12)).cache) == readable(OracleModel().cold(range(10)))


@pytest.mark.allows_log("could not be saved")
@pytest.mark.parametrize("step", ["save_safetensors", "replace"])
def test_a_disk_that_is_full_while_saving_is_said_and_leaves_the_old_save(tmp_path, monkeypatch, step):
    cache = cache_of()
    cache.store(range(10), OracleModel().cold(range(10)))
    assert cache.save_to_disk(tmp_path)
    before = sorted(path.name for path in tmp_path.iterdir())
    cache.store(range(100, 110), OracleModel().cold(range(100, 110)))

    def full(*_, **__):
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(f"app.cache.persist.{'mx' if step == 'save_safetensors' else 'os'}.{step}", full)
        assert not cache.save_to_disk(tmp_path)
    assert sorted(path.name for path in tmp_path.iterdir()) == before
    assert cache_of().load_from_disk(tmp_path) == 1
