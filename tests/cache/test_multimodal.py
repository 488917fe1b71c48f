"""Prompt state of multimodal conversations for callers without spans."""

from __future__ import annotations

import mlx.core as mx
import mlx_lm.models.cache as lm
import mlx_vlm.models.cache as vlm
import numpy as np
import pytest
from PIL import Image

from app.cache import MLLMCacheManager, MLLMPrefixCacheEntry, MLLMPrefixCacheManager, VLMPrefixCacheEntry
from app.cache.media import salt_token
from app.errors import ImageRefused
from tests.cache.oracle import OracleModel, readable

IMG, SIZE = 151, 5


def picture(seed: int) -> Image.Image:
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, (4, 6, 3), dtype=np.uint8))


A, B, C = picture(1), picture(2), picture(3)
FEATURES = mx.arange(20, dtype=mx.float32).reshape(5, 4)


def ids(*parts) -> list[int]:
    """Tokens from numbers of text tokens and ``"img"``; text is different everywhere."""
    out: list[int] = []
    for part in parts:
        out += [IMG] * SIZE if part == "img" else [1000 + len(out) + i for i in range(part)]
    return out


def right_state(manager: MLLMPrefixCacheManager, images, tokens, count: int = 0) -> list:
    """State as the oracle has it: a function of text and image content."""
    from app.cache.pixels import compute_image_hash

    return manager._salted(tokens, [compute_image_hash(image) for image in images], count)[0]


def keep(manager, images, prompt, tokens, **how) -> None:
    model = OracleModel()
    count = how.pop("count", tokens.count(IMG))
    state = model.cold(right_state(manager, images, tokens, count))
    assert manager.store(images, prompt, how.pop("features", FEATURES), state, tokens, count, **how)


def check(manager, images, prompt, tokens, expected: int) -> MLLMPrefixCacheEntry | None:
    entry, length = manager.fetch(images, prompt, tokens)
    assert length == expected
    if length:
        key = right_state(manager, images, tokens)
        assert readable(entry.kv_cache) == readable(OracleModel().cold(key[:length]))
    return entry


def test_the_next_turn_reuses_the_last_one_with_its_images():
    manager = MLLMPrefixCacheManager()
    first = ids(4, "img", 6)
    keep(manager, [A], "what is this?", first)
    entry = check(manager, [A], "and now?", [*first, 7, 8, 9], len(first))
    assert mx.array_equal(entry.vision_embeddings, FEATURES)
    stats = manager.get_stats()
    assert (stats["hits"], stats["partial_hits"], stats["image_cache_hits"], stats["vision_encoder_skips"]) == (
        1,
        1,
        1,
        1,
    )
    assert stats["tokens_saved"] == len(first)
    assert entry.hit_count == 1


def test_an_exact_prompt_leaves_one_token():
    manager = MLLMPrefixCacheManager()
    tokens = ids(4, "img", 6)
    keep(manager, [A], "p", tokens)
    check(manager, [A], "p", tokens, len(tokens) - 1)
    entry, length = manager.fetch([A], "p")
    assert length == len(tokens) - 1
    assert entry.token_ids == tokens[:-1]
    assert manager.get_stats()["partial_hits"] == 0


def test_a_second_image_keeps_what_stood_before_it_and_a_replaced_first_one_loses_what_followed():
    manager = MLLMPrefixCacheManager()
    one = ids(4, "img", 6)
    keep(manager, [A], "one", one)
    two = [*one, *[IMG] * SIZE, 5, 5]
    entry = check(manager, [A, B], "two", two, len(one))
    assert entry.vision_embeddings is None
    check(manager, [C, B], "two", two, 4)
    keep(manager, [A, B], "two", two)
    check(manager, [B, A], "two", two, 4)
    check(manager, [A, C], "two", two, len(one))


def test_the_same_images_under_another_prompt_hand_out_features_but_no_state():
    manager = MLLMPrefixCacheManager()
    keep(manager, [A], "one", ids("img", 6))
    other = [1, 2, 3, *[IMG] * SIZE]
    entry, length = manager.fetch([A], "other", other)
    assert length == 0
    assert entry.kv_cache == []
    assert entry.token_ids == []
    assert mx.array_equal(entry.vision_embeddings, FEATURES)
    entry.vision_embeddings[...] = 0
    assert mx.array_equal(manager.fetch([A], "other", other)[0].vision_embeddings, FEATURES)
    assert manager.fetch([B], "other", other) == (None, 0)
    assert manager.fetch([A], "never stored")[0].kv_cache == []
    assert manager.get_stats()["misses"] == 4


def test_tiles_share_an_image_and_uneven_placeholders_are_salted_with_all_images():
    manager = MLLMPrefixCacheManager()
    tiled = ids("img", 1, "img", 2, "img", 1, "img", 3)
    keep(manager, [A, B], "tiles", tiled)
    check(manager, [A, C], "tiles", tiled, 2 * SIZE + 3)
    manager.clear()
    joined = [IMG] * 10 + [1, 2]
    keep(manager, [A, B], "joined", joined)
    check(manager, [A, C], "joined", joined, 5)
    manager.clear()
    uneven = ids("img", 2, "img", 3, "img", 2)
    keep(manager, [A, B], "uneven", uneven)
    check(manager, [A, B], "uneven", uneven, len(uneven) - 1)
    check(manager, [A, C], "uneven", uneven, 0)


def test_images_without_known_placeholders_share_only_among_themselves():
    manager = MLLMPrefixCacheManager()
    tokens = ids(12)
    keep(manager, [A], "p", tokens, count=0)
    check(manager, [A], "p", [*tokens, 1], 12)
    check(manager, [B], "p", tokens, 0)
    check(manager, [], "p", tokens, 0)


def test_text_alone_and_tokens_that_are_salted_already():
    manager = MLLMPrefixCacheManager()
    keep(manager, [], "text", ids(8))
    assert check(manager, [], "text", [*ids(8), 3], 8).vision_embeddings is None
    salted = [1, *(salt_token("d", (), i) for i in range(4)), 2]
    keep(manager, [A], "salted", salted)
    check(manager, [A], "salted", [*salted[:-1], 9], 5)


def test_state_of_another_length_is_refused(caplog):
    manager = MLLMPrefixCacheManager()
    assert not manager.store([A], "p", FEATURES, OracleModel().cold([1, 2, 3]), [1, 2])
    assert not manager.store([A], "p", FEATURES, [], [1, 2])
    assert not manager.store([A], "p", FEATURES, None, [1, 2])
    assert not manager.store([A], "p", FEATURES, OracleModel().cold([1]), [])
    assert len(manager) == 0
    assert manager.get_stats()["bypassed"] == 1
    assert "not stored" in caplog.text


def test_whole_prompts_by_images_and_text():
    manager, model = MLLMPrefixCacheManager(), OracleModel(("KVCache", "ArraysCache"))
    assert manager.fetch_cache([A], "p") == (None, False)
    assert not manager.store_cache([A], "p", None)
    assert not manager.store_cache([A], "p", [])
    assert not manager.store_cache([A], "p", [object()])
    state = model.cold(range(9))
    assert manager.store_cache([A], "p", state)
    assert manager.store_cache([A], "q", model.cold(range(5)), num_tokens=5)
    cache, hit = manager.fetch_cache([A], "p")
    assert hit
    assert readable(cache) == readable(state)
    assert manager.fetch_cache([B], "p") == (None, False)
    assert manager.fetch_cache([A], "q")[0][0].offset == 5
    assert len(manager) == 2


def test_bytes_of_features_and_state_are_charged_and_limited():
    tokens = ids("img", 11)
    state_bytes = 2 * len(tokens) * 2 * 32 * 4
    manager = MLLMPrefixCacheManager(max_memory_mb=2 * (state_bytes + FEATURES.nbytes) / 2**20)
    for image in (A, B, C):
        keep(manager, [image], "p", tokens)
        assert manager.get_stats()["memory_used_mb"] <= manager.get_stats()["max_memory_mb"]
    assert len(manager) == 2
    assert manager.entries.ledger.used == 2 * (state_bytes + FEATURES.nbytes)
    assert manager.get_stats()["evictions"] == 1
    check(manager, [A], "p", tokens, 0)
    few = MLLMPrefixCacheManager(max_entries=1)
    for image in (A, B):
        keep(few, [image], "p", tokens)
    assert few.get_stats()["entries"] == 1
    with pytest.raises(ValueError, match="max_entries"):
        MLLMPrefixCacheManager(max_entries=0)


def test_an_entry_measures_itself():
    entry = VLMPrefixCacheEntry(
        "i", "p", FEATURES, OracleModel(("QuantizedKVCache", "CacheList")).cold(range(4)), [1, 2, 3], 2, 1
    )
    assert entry.total_tokens == 3
    assert entry.memory_size > FEATURES.nbytes
    assert entry.get_prefix_match_length([1, 2, 9]) == 2
    assert VLMPrefixCacheEntry is MLLMPrefixCacheEntry
    assert MLLMCacheManager is MLLMPrefixCacheManager


def test_figures_are_zeroed_and_images_that_cannot_be_read_are_errors(tmp_path):
    manager = MLLMPrefixCacheManager()
    keep(manager, [A], "p", ids("img", 3))
    manager.fetch([A], "p")
    assert manager.get_stats()["hit_rate"] == 1.0
    manager.reset_stats()
    assert manager.get_stats()["total_queries"] == 0
    assert manager.get_stats()["hit_rate"] == 0.0
    assert manager.get_stats()["entries"] == 1
    with pytest.raises(ImageRefused):
        manager.fetch([tmp_path / "gone.png"], "p")
    with pytest.raises(ImageRefused):
        manager.store(["not-a-file.png"], "p", None, OracleModel().cold([1]), [1])


@pytest.mark.allows_log("look-up failed")
def test_a_fault_inside_is_a_miss(monkeypatch):
    manager = MLLMPrefixCacheManager()
    tokens = ids("img", 3)
    keep(manager, [A], "p", tokens)

    def broken(*_):
        raise RuntimeError("broken")

    monkeypatch.setattr(manager.entries, "restore", broken)
    entry, length = manager.fetch([A], "p", tokens)
    assert (entry.kv_cache, length) == ([], 0)
    assert manager.get_stats()["bypassed"] == 1


@pytest.mark.allows_log("broken")
def test_a_fault_while_looking_up_or_storing_is_counted(monkeypatch):
    manager = MLLMPrefixCacheManager()

    def broken(*_, **__):
        raise RuntimeError("broken")

    monkeypatch.setattr(manager.entries, "find", broken)
    monkeypatch.setattr(manager.entries, "add", broken)
    assert manager.fetch([A], "p", [1, 2, 3]) == (None, 0)
    assert not manager.store([A], "p", None, OracleModel().cold([1, 2, 3]), [1, 2, 3])
    assert manager.get_stats()["bypassed"] == 2


def test_placeholders_without_images_bypass_the_cache():
    manager, tokens = MLLMPrefixCacheManager(), ids(2, "img", 3)
    keep(manager, [A], "p", tokens)
    assert manager.fetch([], "p", tokens) == (None, 0)
    assert not manager.store([], "p", None, OracleModel().cold(tokens), tokens)
    assert (manager.get_stats()["bypassed"], len(manager)) == (2, 1)
    fresh = MLLMPrefixCacheManager()
    fresh.placeholder_ids = frozenset({IMG})
    assert not fresh.store([], "p", None, OracleModel().cold(tokens), tokens)
    keep(fresh, [A], "p", tokens, count=0)  # its place is known although nobody counted
    check(fresh, [B], "p", tokens, 2)


def test_text_that_occurs_as_often_as_placeholders_never_lets_images_share_state():
    manager = MLLMPrefixCacheManager()
    tokens = [1, IMG, 2, IMG, 3, 7, 7, 4]
    keep(manager, [A, B], "p", tokens, count=2)
    check(manager, [C, B], "p", tokens, 0)
    check(manager, [A, B], "p", tokens, len(tokens) - 1)


def test_what_is_a_placeholder_of_one_model_is_text_of_another():
    manager = MLLMPrefixCacheManager()
    manager.use("first")
    keep(manager, [A], "p", ids(2, "img", 1))
    manager.use("second")
    tokens = [7] * SIZE + [IMG, 3]
    keep(manager, [A], "p", tokens, count=SIZE)
    check(manager, [B], "p", tokens, 0)
    keep(manager, [], "text", [IMG, 3, 4])
    manager.use("first")
    assert manager.fetch([], "text", [IMG, 3, 4]) == (None, 0)


def test_two_kinds_of_placeholders_are_salted_with_all_images():
    manager, tokens = MLLMPrefixCacheManager(), [8] * SIZE + [IMG] * SIZE + [3]
    manager.placeholder_ids = frozenset({IMG, 8})
    keep(manager, [A, B], "p", tokens, count=0)
    check(manager, [C, B], "p", tokens, 0)


def test_state_that_covers_the_images_spares_the_encoder():
    manager, tokens = MLLMPrefixCacheManager(), ids(1, "img", 3)
    keep(manager, [A], "p", tokens, features=None)
    manager.fetch([A], "p", [*tokens, 5])
    manager.fetch([A], "p", [*tokens[: SIZE + 1], 99])
    stats = manager.get_stats()
    assert (stats["vision_encoder_skips"], stats["image_cache_hits"]) == (2, 2)
    manager.fetch([B], "p", tokens)
    assert manager.get_stats()["vision_encoder_skips"] == 2


@pytest.mark.parametrize("kinds", [("CacheList",), ("SimpleKVCache",), ("RotatingKVCache", "ArraysCache")])
def test_the_length_of_a_state_is_found_in_every_layer(kinds):
    library = vlm if kinds == ("SimpleKVCache",) else lm
    manager = MLLMPrefixCacheManager()
    assert manager.store_cache([A], "p", OracleModel(kinds, library).cold((1, 2, 3)))
    assert manager.fetch_cache([A], "p")[1]
