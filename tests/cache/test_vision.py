"""The vision cache: what is encoded again and what is not, bytes, and damaged features."""

from __future__ import annotations

import gc
from collections import UserDict, namedtuple
from dataclasses import dataclass

import mlx.core as mx
import numpy as np
import pytest
from PIL import Image

from app.cache import sizes
from app.cache.events import EventBus
from app.cache.identity import CacheIdentity
from app.cache.vision import VisionEmbeddingCache

MODEL = CacheIdentity("weights")


def features(tokens: int = 6, seed: int = 0, size: int = 8) -> mx.array:
    return mx.random.normal((tokens, size), key=mx.random.key(seed))


def picture(seed: int = 0) -> Image.Image:
    return Image.fromarray(np.random.default_rng(seed).integers(0, 256, (4, 6, 3), dtype=np.uint8))


class Encoder:
    """Encodes a unit unless the cache has it, as the engine does."""

    def __init__(self, cache: VisionEmbeddingCache, identity: object = MODEL) -> None:
        self.cache, self.identity, self.calls = cache, identity, 0

    def run(self, digest: str, tokens: int = 6, produce: int | None = None):
        found = self.cache.get_unit(self.identity, digest, tokens=tokens)
        if found is not None:
            return found.features
        self.calls += 1
        made = features(tokens if produce is None else produce, hash(digest) % 1000)
        self.cache.put_unit(self.identity, digest, features=made, tokens=tokens, seconds=0.5)
        return made


def test_ten_images_of_which_nine_are_known_cost_one_call_and_so_does_one_tile_of_twelve():
    cache = VisionEmbeddingCache()
    encoder = Encoder(cache)
    for digest in "abcdefghi":
        encoder.run(digest)
    encoder.calls = 0
    for digest in "abcdefghij":
        encoder.run(digest)
    assert encoder.calls == 1
    tiles = [f"tile {n}" for n in range(12)]
    for tile in tiles:
        encoder.run(tile)
    encoder.calls = 0
    for tile in [*tiles[:7], "changed", *tiles[8:]]:
        encoder.run(tile)
    assert encoder.calls == 1


def test_features_come_back_equal_and_private():
    cache = VisionEmbeddingCache()
    nested = (features(), [features(seed=1), (features(seed=2),)], {"extra": features(seed=3)})
    assert cache.put_unit(MODEL, "d", features=nested, tokens=6)
    got = cache.get_unit(MODEL, "d", tokens=6).features
    assert mx.array_equal(got[1][1][0], nested[1][1][0])
    got[0][...] = 0
    nested[0][...] = 1
    again = cache.get_unit(MODEL, "d").features
    assert mx.array_equal(again[0], features())


def test_model_settings_and_shape_are_part_of_the_key():
    cache = VisionEmbeddingCache()
    cache.put_unit(MODEL, "d", "448 px", features=features(), grid=(1, 4, 6))
    assert cache.get_unit(MODEL, "d", "224 px", grid=(1, 4, 6)) is None
    assert cache.get_unit(MODEL, "d", "448 px", grid=(1, 6, 4)) is None
    assert cache.get_unit(CacheIdentity("other"), "d", "448 px", grid=(1, 4, 6)) is None
    assert cache.get_unit(MODEL.digest, "d", "448 px", grid=(1, 4, 6)) is not None


@pytest.mark.allows_log("were not kept")
def test_an_encoder_that_once_gave_too_few_rows_poisons_nothing():
    cache = VisionEmbeddingCache()
    encoder = Encoder(cache)
    encoder.run("d", tokens=6, produce=5)
    assert len(cache) == 0
    encoder.run("d", tokens=6)
    encoder.run("d", tokens=6)
    assert encoder.calls == 2
    assert cache.get_stats()["refused"] == 1


@pytest.mark.allows_log("were not kept")
def test_features_that_cannot_belong_to_their_grid_are_not_kept():
    cache = VisionEmbeddingCache()
    image = picture()
    assert cache.set_features(image, MODEL, features(6), (1, 4, 6), 0.1)
    assert not cache.set_features(image, MODEL, features(5), (1, 4, 6), 0.1)
    assert not cache.set_features(image, MODEL, features(3), (1, 4, 6), 0.1)
    assert not cache.set_features(image, MODEL, mx.zeros((6, 8), mx.int32), (1, 4, 6), 0.1)
    assert not cache.set_features(image, MODEL, (), (1, 4, 6), 0.1)
    assert mx.array_equal(cache.get_features(image, MODEL), features(6))
    assert cache.set_features(image, MODEL, features(24), mx.array([[1, 4, 6]]), 0.1)
    assert cache.set_features(image, MODEL, features(9), (), 0.1)


def test_an_entry_of_another_length_than_the_prompt_expects_is_deleted():
    cache = VisionEmbeddingCache()
    cache.put_unit(MODEL, "d", features=features(256))
    assert cache.get_unit(MODEL, "d", tokens=275) is None
    assert len(cache) == 0
    assert cache.get_stats()["evictions_by_reason"]["damaged"] == 1


def test_the_contract_calls_take_paths_bytes_images_and_digests(tmp_path):
    cache = VisionEmbeddingCache()
    image, path = picture(), tmp_path / "a.png"
    image.save(path)
    assert cache.get_features(path, MODEL) is None
    cache.set_features(path, MODEL, features(), (1, 4, 6), 0.25)
    for source in (image, path.read_bytes(), str(path)):
        assert mx.array_equal(cache.get_features(source, MODEL), features())
    from app.cache.pixels import compute_image_hash

    assert cache.get_features(compute_image_hash(image), MODEL) is not None
    picture(1).save(path)
    assert cache.get_features(path, MODEL) is None
    stats = cache.get_stats()
    assert (stats["encoding_cache_hits"], stats["encoding_cache_misses"]) == (4, 2)
    assert stats["total_time_saved"] == pytest.approx(1.0)
    assert stats["total_images_processed"] == 1


def test_pixels_are_kept_by_content_and_order():
    cache = VisionEmbeddingCache(max_pixel_entries=1)
    a, b = picture(1), picture(2)
    assert cache.get_pixel_values([a, b]) is None
    assert cache.set_pixel_values([a, b], mx.ones((2, 3, 4)), mx.array([[1, 2, 2]]), 0.5)
    entry = cache.get_pixel_values([a, b])
    assert entry.pixel_values.shape == (2, 3, 4)
    assert entry.image_grid_thw.tolist() == [[1, 2, 2]]
    assert cache.get_pixel_values([b, a]) is None
    assert cache.get_pixel_values([a, b], "other size") is None
    cache.set_pixel_values([b], mx.ones((1, 3)))
    assert cache.get_pixel_values([a, b]) is None
    stats = cache.stats
    assert (stats.pixel_cache_hits, stats.pixel_cache_misses, stats.evictions) == (1, 4, 1)
    assert stats.pixel_hit_rate == 0.2
    assert stats.total_time_saved == 0.5
    assert stats.bytes == 12
    assert stats.encoding_hit_rate == 0.0


def one() -> int:
    return 6 * 8 * 4


def test_bytes_are_counted_once_limited_and_given_back():
    cache = VisionEmbeddingCache(max_bytes=3 * one())
    for digest in "abc":
        assert cache.put_unit(MODEL, digest, features=features())
    assert cache.put_unit(MODEL, "a", features=features(seed=5))
    assert cache.get_stats()["bytes"] == 3 * one()
    assert cache.get_stats()["evictions"] == 0
    cache.get_unit(MODEL, "b")
    assert cache.put_unit(MODEL, "d", features=features())
    assert cache.get_unit(MODEL, "c") is None
    assert not cache.put_unit(MODEL, "huge", features=features(100))
    assert len(cache) == 3
    cache.set_limit(one())
    assert len(cache) == 1
    cache.set_limit(0)
    assert cache.get_stats()["bytes"] == 0
    assert not cache.put_unit(MODEL, "a", features=features())
    assert cache.row().evictions["limit_lowered"] == 3


def test_a_slice_keeps_no_larger_buffer_alive():
    cache = VisionEmbeddingCache()
    gc.collect()
    before = mx.get_active_memory()
    batch = mx.random.normal((64, 256, 64))
    mx.eval(batch)
    cache.put_unit(MODEL, "d", features=batch[3])
    del batch
    gc.collect()
    assert mx.get_active_memory() - before < 2 * 256 * 64 * 4


def test_two_hundred_pictures_stay_within_the_budget():
    cache = VisionEmbeddingCache(max_encoding_entries=10_000, max_bytes=10 * one())
    for number in range(200):
        assert cache.put_unit(MODEL, str(number), features=features())
        assert cache.get_stats()["bytes"] <= 10 * one()
    assert len(cache) == 10
    assert cache.get_stats()["evictions_by_reason"]["memory"] == 190


def test_a_count_limit_of_each_level_and_switching_off():
    cache = VisionEmbeddingCache(max_encoding_entries=2)
    for digest in "abc":
        cache.put_unit(MODEL, digest, features=features())
    assert len(cache) == 2
    assert cache.get_stats()["evictions_by_reason"]["count"] == 1
    off = VisionEmbeddingCache(enabled=False)
    assert not off.put_unit(MODEL, "a", features=features())
    assert off.get_unit(MODEL, "a") is None
    assert off.get_pixel_values([]) is None
    none = VisionEmbeddingCache(max_encoding_entries=0)
    assert not none.put_unit(MODEL, "a", features=features())
    assert none.get_unit(MODEL, "a") is None


def test_geometry_is_remembered_after_the_features_are_gone(monkeypatch):
    monkeypatch.setattr("app.cache.unit_cache.GEOMETRIES", 2)
    cache = VisionEmbeddingCache(max_bytes=one())
    cache.put_unit(MODEL, "a", features=features(), grid=(1, 4, 6), seconds=0.7)
    cache.put_unit(MODEL, "b", features=features(), grid=(1, 4, 6), seconds=0.9)
    assert cache.get_unit(MODEL, "a", grid=(1, 4, 6)) is None
    known = cache.geometry(MODEL, "a", grid=(1, 4, 6))
    assert (known.tokens, known.grid, known.seconds) == (6, (1, 4, 6), 0.7)
    assert cache.skip(MODEL, "a", grid=(1, 4, 6)) == 0.7
    assert cache.skip(MODEL, "unknown") == 0.0
    row = cache.row()
    assert row.extra["encoder_skips"] == 2
    assert row.extra["seconds_saved"] == pytest.approx(0.7)
    cache.put_unit(MODEL, "c", features=features(), grid=(1, 4, 6))
    assert cache.geometry(MODEL, "a", grid=(1, 4, 6)) is None
    cache.reset_stats()
    assert cache.row().extra["encoder_skips"] == 0
    assert cache.row().nbytes == one()
    cache.clear()
    assert cache.geometry(MODEL, "c", grid=(1, 4, 6)) is None
    assert len(cache) == 0


def test_events_say_what_was_encoded_and_what_was_not():
    seen, bus = [], EventBus()
    bus.subscribe(seen.append)
    cache = VisionEmbeddingCache(bus=bus)
    cache.get_unit(MODEL, "a")
    cache.put_unit(MODEL, "a", features=features(), seconds=0.5)
    cache.get_unit(MODEL, "a")
    cache.clear()
    assert [e.kind for e in seen] == ["missed", "encoded", "stored", "encoder_skipped", "evicted", "cleared"]
    assert seen[3].seconds == 0.5
    assert seen[1].tokens == 6


class Tier:
    """A disk tier that is a dictionary."""

    def __init__(self):
        self.held, self.namespace, self.writes, self.fault = {}, "", 0, None

    def use(self, namespace):
        self.namespace = namespace

    def has_features(self, key):
        return (self.namespace, key) in self.held

    def spill_features(self, key, value, meta):
        if self.fault:
            raise self.fault
        self.writes += 1
        self.held[self.namespace, key] = (value, meta)
        return True

    def load_features(self, key):
        if self.fault:
            raise self.fault
        return self.held.get((self.namespace, key))


def test_features_that_had_to_go_come_back_from_the_tier():
    cache, tier = VisionEmbeddingCache(max_bytes=one()), Tier()
    cache.tier.tier, cache.tier.back_to = tier, "home"
    cache.put_unit(MODEL, "a", features=features(), seconds=0.5)
    cache.put_unit(MODEL, "b", features=features(seed=1), persist=False)
    found = cache.get_unit(MODEL, "a", tokens=6)
    assert found.source == "disk"
    assert found.seconds == 0.5
    assert mx.array_equal(found.features, features())
    assert cache.get_unit(MODEL, "a").source == "memory"
    assert len(tier.held) == 1
    assert tier.namespace == "home"
    cache.spill_all()
    assert tier.writes == 1
    cache.drop(MODEL)
    assert len(cache) == 0
    assert cache.get_unit(MODEL, "a", tokens=7) is None
    assert cache.get_unit(MODEL, "nowhere") is None


@pytest.mark.allows_log("vision cache was bypassed")
def test_a_failing_tier_is_no_tier_and_is_counted_and_logged_once(caplog):
    bus, heard = EventBus(), []
    bus.subscribe(heard.append)
    cache, tier = VisionEmbeddingCache(max_bytes=one(), bus=bus), Tier()
    cache.tier.tier, cache.tier.back_to = tier, "home"
    tier.fault = OSError("gone")
    cache.put_unit(MODEL, "a", features=features())
    assert cache.put_unit(MODEL, "b", features=features())
    for _ in range(3):
        assert cache.get_unit(MODEL, "a") is None
    assert (cache.row().bypassed, cache.get_stats()["bypassed"], tier.namespace) == (4, 4, "home")
    assert [(event.tier, event.reason) for event in heard if event.kind == "bypassed"] == [
        ("vision", "an entry could not be spilled (gone)"),
        *[("vision", "look-up failed (gone)")] * 3,
    ]
    assert len(caplog.records) == 2
    tier.has_features = tier.load_features
    assert not cache.holds(MODEL, "a")


@pytest.mark.allows_log("vision cache was bypassed")
def test_a_fault_inside_costs_the_entry_and_nothing_else(monkeypatch):
    cache = VisionEmbeddingCache(max_bytes=2 * one())
    cache.put_unit(MODEL, "a", features=features())
    cache.put_unit(MODEL, "b", features=features())

    def broken(_):
        raise RuntimeError("broken")

    with monkeypatch.context() as patch:
        patch.setattr("app.cache.vision_entries.detached", broken)
        assert not cache.put_unit(MODEL, "c", features=features())
        assert not cache.set_pixel_values([picture()], mx.zeros(2))
    with monkeypatch.context() as patch:
        patch.setattr("app.cache.unit_cache.fresh_handles", broken)
        patch.setattr("app.cache.vision.fresh_handles", broken)
        assert cache.get_unit(MODEL, "a") is None
        cache.clear()
        assert cache.set_pixel_values([picture()], mx.zeros(2))
        assert cache.get_pixel_values([picture()]) is None
    stats = cache.get_stats()
    assert (stats["bypassed"], stats["evictions"], stats["bytes"]) == (4, 0, 8)


def test_features_of_a_picture_come_back_from_the_tier_after_a_restart():
    before, after, tier = VisionEmbeddingCache(), VisionEmbeddingCache(), Tier()
    before.tier.tier = after.tier.tier = tier
    assert before.set_features(picture(), MODEL, features(), (1, 4, 6), 0.5)
    before.spill_all()
    assert mx.array_equal(after.get_features(picture(), MODEL), features())
    assert after.get_stats()["total_time_saved"] == 0.5
    assert mx.array_equal(after.get_features(picture(), MODEL), features())
    assert after.get_features(picture(1), MODEL) is None


@dataclass
class Embeddings:
    """As mlx-vlm hands them out."""

    inputs_embeds: object
    mask: object = None


Pair = namedtuple("Pair", "image tile")


@pytest.mark.parametrize(
    "wrap",
    [
        lambda a: a,
        np.asarray,
        lambda a: {"pixels": a, "sizes": [(4, 6)]},
        lambda a: UserDict(pixels=np.asarray(a)),
        Embeddings,
        lambda a: Pair(a, "tile"),
    ],
    ids=["mlx", "numpy", "dict", "mapping", "dataclass", "namedtuple"],
)
def test_pixels_are_counted_and_private_whatever_the_processor_made_them_as(wrap):
    cache = VisionEmbeddingCache(max_bytes=1000)
    made = mx.zeros((10, 10))
    assert cache.set_pixel_values([picture(0)], wrap(made))
    assert cache.get_stats()["bytes"] == made.nbytes
    handed = next(leaf for leaf in sizes.leaves_of(cache.get_pixel_values([picture(0)])) if sizes.is_array(leaf))
    handed[0] = 7
    again = next(leaf for leaf in sizes.leaves_of(cache.get_pixel_values([picture(0)])) if sizes.is_array(leaf))
    assert float(again[0][0]) == 0
    assert not cache.set_pixel_values([picture(1)], wrap(mx.zeros((10, 100))))  # it does not fit, and is not overlooked


def test_what_the_caller_does_to_pixels_afterwards_is_not_kept():
    cache, pixels = VisionEmbeddingCache(), np.zeros((2, 2))
    cache.set_pixel_values([picture(0)], pixels)
    pixels[:] = 5
    assert cache.get_pixel_values([picture(0)]).pixel_values.sum() == 0


def test_an_array_that_occurs_twice_is_kept_and_counted_once():
    cache, made = VisionEmbeddingCache(), features()
    assert cache.put_unit(MODEL, "a", features=Pair(made, made), tokens=6)
    (held,) = cache.entries.order
    assert held.value.image is held.value.tile
    assert cache.get_stats()["bytes"] == made.nbytes
    found = cache.get_unit(MODEL, "a", tokens=6)
    assert found is not None
    assert isinstance(found.features, Pair)
