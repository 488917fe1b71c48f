"""The list of entries: what it says agrees with the rows, and reading it changes nothing."""

from __future__ import annotations

from pathlib import Path

import mlx.core as mx
import pytest
from mlx_lm.models.cache import KVCache

from app.cache.config import GIB, MIB, CacheConfig
from app.cache.inventory import DISK_LISTED, ENDING, Holding, state
from app.cache.lru import LRU
from app.cache.media import salt_token
from app.cache.stack import CacheStack

DIGEST = "ab" * 32
WORDS = tuple(range(1, 101))
PICTURE = tuple(salt_token(DIGEST, (1, 4, 4), index) for index in range(4))


def layers(n_tokens: int) -> list[KVCache]:
    cache = KVCache()
    cache.update_and_fetch(mx.ones((1, 2, n_tokens, 8)), mx.ones((1, 2, n_tokens, 8)))
    return [cache]


def stack(folder: Path, kind: str) -> CacheStack:
    config = CacheConfig(prefix_bytes=64 * MIB, prefix_kind=kind, ssd_dir=folder / "disk", ssd_bytes=GIB)
    made = CacheStack(config)
    made.bind("a" * 64)
    return made


@pytest.fixture(params=["memory", "simple", "paged"])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> CacheStack:
    made = stack(tmp_path, request.param)
    for tokens in (WORDS, (*PICTURE, *WORDS[:60])):
        assert made.prompts.save(tokens, layers(len(tokens)))
    assert made.vision.put_unit("a" * 64, DIGEST, features=mx.ones((4, 8)), seconds=0.5)
    yield made
    made.close()


def of_tier(holdings: tuple[Holding, ...], tier: str) -> list[Holding]:
    return [holding for holding in holdings if holding.tier == tier]


def test_the_list_agrees_with_the_rows_and_counts_nothing(filled: CacheStack) -> None:
    before = filled.overview()
    holdings = filled.holdings()
    for row in before.rows:
        listed = of_tier(holdings, row.name)
        assert len(listed) == row.entries
        if row.name == "vision" or (row.name == "prefix" and filled.config.prefix_kind != "paged"):
            assert sum(holding.nbytes for holding in listed) == row.nbytes
    assert filled.overview() == before


def test_prompts_are_told_by_their_last_words_latest_first(filled: CacheStack) -> None:
    latest, first = of_tier(filled.holdings(), "prefix")
    assert (first.tokens, first.media_tokens, first.ending) == (100, 0, WORDS[-ENDING:])
    assert (latest.tokens, latest.media_tokens, latest.ending) == (64, 4, WORDS[:60][-ENDING:])
    assert latest.used_at >= first.used_at > 0
    assert not latest.pinned
    filled.prompts.lookup((*WORDS, 7))
    assert of_tier(filled.holdings(), "prefix")[0].tokens == 100


def test_a_picture_is_told_by_its_content(filled: CacheStack) -> None:
    (features,) = of_tier(filled.holdings(), "vision")
    assert (features.kind, features.digest, features.tokens) == ("features", DIGEST, 4)
    assert features.used_at >= features.added_at > 0


def test_what_lies_on_disk_is_told_without_its_files_being_read(tmp_path: Path) -> None:
    made = stack(tmp_path, "memory")
    for tokens in (WORDS, (*PICTURE, *WORDS[:60])):
        made.prompts.save(tokens, layers(len(tokens)))
    made.prompts.spill_all()
    assert made.ssd.flush()
    for file in (tmp_path / "disk").rglob("*.safetensors"):
        file.chmod(0)
    listed = of_tier(made.holdings(), "ssd")
    assert sorted((h.tokens, h.media_tokens) for h in listed) == [(64, 4), (100, 0)]
    assert all(h.ending and h.nbytes and h.used_at for h in listed)
    assert DISK_LISTED == 500
    made.close()


@pytest.mark.parametrize("kind", ["memory", "paged"])
def test_the_disk_misses_nothing_where_memory_serves(tmp_path: Path, kind: str) -> None:
    made = stack(tmp_path, kind)
    assert made.prompts.lookup(WORDS).reused == 0
    assert (made.ssd.row().hits, made.ssd.row().misses) == (0, 1)
    made.prompts.save(WORDS, layers(100))
    made.prompts.spill_all()
    assert made.ssd.flush()
    assert made.prompts.lookup((*WORDS, 7, 8)).reused == 100
    assert (made.ssd.row().hits, made.ssd.row().misses) == (0, 1)
    made.prompts.clear()
    assert made.prompts.lookup((*WORDS, 7, 8)).source == "disk"
    assert (made.ssd.row().hits, made.ssd.row().misses) == (1, 1)
    made.close()


def test_an_entry_in_use_is_pinned(tmp_path: Path) -> None:
    made = stack(tmp_path, "memory")
    made.prompts.save(WORDS, layers(100))
    with made.prompts.pinned(WORDS):
        assert made.holdings()[0].pinned
    assert not made.holdings()[0].pinned
    made.close()


def test_a_state_of_many_pictures_still_has_an_ending_of_bounded_length() -> None:
    held = state("prefix", "", 1, (*WORDS, *PICTURE * 100, *WORDS[:3]))
    assert held.ending == WORDS[:3]
    assert held.media_tokens == 400


def test_the_order_remembers_when_a_key_came_and_was_used() -> None:
    order: LRU[str] = LRU()
    order.touch("a")
    added, used = order.times("a")
    order.touch("a")
    assert order.times("a")[0] == added
    assert order.times("a")[1] >= used
    order.discard("a")
    with pytest.raises(KeyError):
        order.times("a")
