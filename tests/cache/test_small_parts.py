"""The byte ledger, the eviction order, the measuring of bytes and the way to the disk."""

from __future__ import annotations

import mlx.core as mx
import mlx_lm.models.cache as lm
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cache.disk_port import DiskPort, Namespaced, Queueing, Restoring
from app.cache.ledger import ByteLedger
from app.cache.lru import LRU
from app.cache.matching import Stored
from app.cache.sizes import estimate_kv_cache_memory, nested_nbytes
from app.cache.snapshot import Snapshot
from app.cache.ssd import SSDCacheTier
from tests.cache.oracle import OracleModel


@given(
    st.integers(0, 100),
    st.lists(st.tuples(st.sampled_from(["charge", "reserve", "refund", "release", "limit"]), st.integers(0, 60))),
)
def test_the_ledger_never_exceeds_its_limit_unless_it_was_lowered(limit, steps):
    ledger, used, reserved = ByteLedger(limit), 0, 0
    for what, n in steps:
        fits = used + reserved + n <= ledger.limit
        if what == "charge":
            assert ledger.charge(n) is fits
            used += n if fits else 0
        elif what == "reserve":
            assert ledger.reserve(n) is fits
            reserved += n if fits else 0
        elif what == "refund" and n <= used:
            ledger.refund(n)
            used -= n
        elif what == "release":
            ledger.release(n)
            reserved -= min(n, reserved)
        elif what == "limit":
            ledger.set_limit(n)
        assert (ledger.used, ledger.reserved) == (used, reserved)
        assert ledger.free == max(0, ledger.limit - used - reserved)
        assert ledger.overdraft == max(0, used + reserved - ledger.limit)


def test_the_ledger_refuses_nonsense():
    ledger = ByteLedger(10)
    with pytest.raises(ValueError, match="refund"):
        ledger.refund(1)
    with pytest.raises(ValueError, match="not a number of bytes"):
        ledger.charge(-1)
    with pytest.raises(ValueError, match="not a number of bytes"):
        ByteLedger(-1)


def test_the_least_recently_used_unpinned_key_goes_first():
    order: LRU[str] = LRU()
    for key in "abc":
        order.touch(key)
    order.touch("a")
    assert list(order) == ["b", "c", "a"]
    order.pin("b")
    order.pin("b")
    assert order.victim() == "c"
    assert order.victim("c") == "a"
    order.unpin("b")
    assert order.pinned("b")
    order.unpin("b")
    assert order.victim() == "b"
    order.unpin("gone")
    order.discard("b")
    assert "b" not in order
    assert len(order) == 2
    with pytest.raises(KeyError):
        order.pin("b")
    order.clear()
    assert order.victim() is None


class WithState:
    """A layer that shows its arrays through ``state`` only."""

    __slots__ = ()
    state = (mx.zeros((2, 3)),)


def test_bytes_are_measured_without_evaluating():
    lazy = mx.ones((4, 8)) * 2
    packed = lm.QuantizedKVCache(group_size=32)
    packed.update_and_fetch(mx.ones((1, 1, 3, 32)), mx.ones((1, 1, 3, 32)))
    arrays = lm.ArraysCache(3)
    arrays[1] = mx.ones((2, 2))
    both = lm.CacheList(packed, arrays)
    expected = sum(a.nbytes for side in (packed.keys, packed.values) for a in side)
    assert estimate_kv_cache_memory([both, None, [lazy, {"x": (lazy,)}], lm.KVCache()]) == expected + 16 + 128
    assert estimate_kv_cache_memory(None) == 0
    assert estimate_kv_cache_memory([np.zeros(4, np.float32), WithState(), object()]) == 16 + 24
    assert nested_nbytes({"a": [lazy, lazy], "b": (None, "text", {lazy.nbytes})}) == 128


def test_a_tier_that_only_takes_states_is_never_asked_for_any():
    class Taker:
        def __init__(self) -> None:
            self.taken = []

        def enqueue_spill(self, tokens, cache, memory_bytes=0):
            self.taken.append((tokens, memory_bytes))
            return True

        def lookup_ssd(self, tokens):
            return None

        def lookup_ssd_prefix(self, tokens, most=None):
            return {"num_tokens": 2}

    taker, model = Taker(), OracleModel()
    port = DiskPort(taker)
    port.use("model")
    entry = Stored("model", (1, 2), Snapshot.take(model.cold((1, 2)), 2), 7)

    assert port.spill(entry, "model")
    assert taker.taken == [((1, 2), 7)]
    assert port.longer((1, 2, 3), (), 0, 1) is None
    assert port.check((1, 2, 3))["matched_tokens"] == 2
    port.wait(1.0)
    for ability in (Namespaced, Queueing, Restoring):
        assert not isinstance(taker, ability)
        assert issubclass(SSDCacheTier, ability)
