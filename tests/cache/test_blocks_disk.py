"""Prompts in blocks with a disk tier behind them: what leaves memory is handed on whole, and comes back."""

from __future__ import annotations

import pytest

from app.cache.blocks import BlockAwarePrefixCache
from app.cache.events import EventBus
from app.cache.paged import PagedCacheManager
from app.cache.ssd import SSDCacheConfig, SSDCacheTier
from tests.cache.oracle import OracleModel, readable

SIZE = 8
TOKEN = 2 * 2 * 32 * 4


def say(first: int, count: int) -> tuple[int, ...]:
    return tuple(range(first, first + count))


class Tier:
    """A disk tier that is a dictionary."""

    def __init__(self) -> None:
        self.held, self.namespace, self.room, self.waits = {}, "", 100, []

    def use(self, namespace):
        self.namespace = namespace

    def enqueue_spill(self, tokens, cache, memory_bytes=0):
        if self.room == 0:
            return False
        self.room -= 1
        self.held[self.namespace, tuple(tokens)] = cache
        return True

    def flush(self, seconds):
        self.waits.append(seconds)
        self.room += 1


class BrokenTier(Tier):
    def enqueue_spill(self, tokens, cache, memory_bytes=0):
        raise OSError("no space left")


def small(tier: object, kinds=("KVCache",), tokens: int = 50) -> tuple[BlockAwarePrefixCache, OracleModel]:
    """Return a cache with room for ``tokens`` tokens of a sequence of 40, and its model."""
    model = OracleModel(kinds)
    cache = BlockAwarePrefixCache("model", PagedCacheManager(SIZE, None, max_bytes=1 << 30))
    cache.save(say(1, 40), model.cold(say(1, 40)))
    limit = cache.manager.nbytes * tokens // 40
    cache.clear()
    cache.set_limit(limit)
    cache.set_ssd_tier(tier)
    return cache, model


@pytest.mark.parametrize("kinds", [("KVCache",), ("KVCache", "RotatingKVCache"), ("KVCache", "ArraysCache")])
def test_what_is_evicted_is_handed_on_whole_before_it_goes(kinds):
    tier = Tier()
    cache, model = small(tier, kinds)
    cache.save(say(1, 40), model.cold(say(1, 40)))
    cache.save(say(500, 40), model.cold(say(500, 40)))
    assert list(tier.held) == [("model", say(1, 40))]
    assert readable(tier.held["model", say(1, 40)].restore()) == readable(model.cold(say(1, 40)))
    assert cache.manager.nbytes <= cache.manager.max_bytes


def test_a_lower_limit_hands_on_as_well():
    tier = Tier()
    cache, model = small(tier)
    cache.save(say(1, 40), model.cold(say(1, 40)))
    cache.set_limit(30 * TOKEN)
    assert list(tier.held) == [("model", say(1, 40))]


def test_what_must_not_be_persisted_and_what_is_superseded_or_cleared_stays_off_the_disk():
    tier = Tier()
    cache, model = small(tier)
    cache.save(say(1, 20), model.cold(say(1, 20)), persist=False)
    cache.save(say(1, 23), model.cold(say(1, 23)), persist=False)
    cache.save(say(500, 45), model.cold(say(500, 45)))
    assert tier.held == {}
    cache.clear()
    assert tier.held == {}


def test_a_chat_that_may_be_kept_is_not_given_up_for_one_that_may_not():
    tier = Tier()
    cache, model = small(tier)
    cache.save(say(1, 20), model.cold(say(1, 20)))
    cache.save(say(1, 30), model.cold(say(1, 30)), persist=False)
    cache.spill_all()
    assert list(tier.held) == [("model", say(1, 20))]
    assert readable(tier.held["model", say(1, 20)].restore()) == readable(model.cold(say(1, 20)))


def test_leaving_a_model_hands_on_each_branch_in_its_own_namespace_last_used_first():
    tier = Tier()
    cache, model = small(tier, tokens=400)
    for name, first in (("one", 1), ("two", 300)):
        cache.use(name)
        cache.save(say(first, 30), model.cold(say(first, 30)))
        cache.save((*say(first, 20), 9, 9), model.cold((*say(first, 20), 9, 9)))
    cache.drop("one")
    assert list(tier.held) == [("one", (*say(1, 20), 9, 9)), ("one", say(1, 30))]
    assert tier.namespace == "two"
    assert cache.row().entries == 2


def test_a_full_queue_is_waited_for():
    tier = Tier()
    cache, model = small(tier, tokens=400)
    tier.room = 1
    for first in (1, 100, 200):
        cache.save(say(first, 20), model.cold(say(first, 20)))
    cache.spill_all()
    assert [tokens[0] for _, tokens in tier.held] == [200, 100, 1]
    assert len(tier.waits) == 2
    assert 0 < tier.waits[0] <= 5
    assert cache.row().entries == 3


@pytest.mark.allows_log("could not be spilled")
def test_a_failing_disk_loses_nothing_new_and_keeps_no_model_from_being_left():
    cache, model = small(BrokenTier())
    cache.save(say(1, 40), model.cold(say(1, 40)))
    assert cache.save(say(500, 40), model.cold(say(500, 40)))
    assert cache.lookup(say(500, 41)).reused == 40
    assert cache.row().bypassed == 1
    cache.drop("model")
    assert cache.row().entries == 0
    assert cache.manager.nbytes == 0


def test_without_a_tier_nothing_is_put_together_for_it():
    cache, model = small(None)
    cache.save(say(1, 40), model.cold(say(1, 40)))
    assert cache.save(say(500, 40), model.cold(say(500, 40)))
    cache.spill_all()
    assert cache.row().bypassed == 0


@pytest.mark.parametrize("kinds", [("KVCache",), ("KVCache", "RotatingKVCache", "ArraysCache")])
def test_what_left_memory_comes_back_from_the_real_tier(tmp_path, kinds):
    bus = EventBus()
    tier = SSDCacheTier(SSDCacheConfig(tmp_path), bus)
    tier.start_writer()
    try:
        cache, model = small(tier, kinds)
        cache.use("model")
        cache.save(say(1, 40), model.cold(say(1, 40)))
        cache.save(say(500, 40), model.cold(say(500, 40)))
        assert tier.flush()
        found = cache.lookup((*say(1, 40), 7, 8))
        assert (found.source, found.reused, found.kind) == ("disk", 40, "prefix")
        assert readable(found.cache) == readable(model.cold(say(1, 40)))
        found = cache.lookup((*say(1, 40), 7, 8))
        assert (found.source, found.reused) == ("memory", 40)
        assert readable(found.cache) == readable(model.cold(say(1, 40)))
        cache.set_limit(10 * TOKEN)
        assert tier.flush()
        found = cache.lookup((*say(1, 40), 7, 8))
        assert (found.source, found.reused) == ("disk", 40), "too large to be kept, and served all the same"
        cache.manager.check_invariants()
    finally:
        tier.close()
