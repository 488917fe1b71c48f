"""A stored state that a prompt was served from cut short, and that the new state contains whole."""

from __future__ import annotations

import pytest

from app.cache.memory import MemoryAwarePrefixCache, MemoryCacheConfig
from tests.cache.oracle import OracleModel


@pytest.mark.parametrize("cut", [96, 99])
def test_an_answer_said_again_and_longer_takes_the_place_of_the_first_one_once(cut: int) -> None:
    model = OracleModel()
    cache = MemoryAwarePrefixCache("model", MemoryCacheConfig(max_memory_mb=64, min_prefix_tokens=1))
    said = tuple(range(1, 101))
    assert cache.save(said, model.cold(said))
    assert cache.lookup(said[:cut]).reused == cut - 1
    longer = (*said, *range(101, 111))
    assert cache.save(longer, model.cold(longer)), "the entry goes for two reasons, and is refunded once"
    assert len(cache.entries) == 1
    assert cache.entries.ledger.used == sum(entry.nbytes for entry in cache.entries.order)
    assert cache.lookup((*longer, 1)).reused == len(longer)
