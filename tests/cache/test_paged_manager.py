"""The paged cache manager: allocation, ownership, look-up, tables, copy-on-write, limits."""

from __future__ import annotations

import threading

import mlx.core as mx
import pytest

from app.cache.paged import CacheStats, PagedCacheManager


def chain(manager: PagedCacheManager, tokens: list[int], *, data: bool = True):
    """Allocate, fill and publish the full blocks of ``tokens``; the caller owns them."""
    size = manager.block_size
    blocks = manager.get_new_blocks(len(tokens) // size)
    for i, block in enumerate(blocks):
        if data:
            manager.write(block, [mx.array(tokens[i * size : (i + 1) * size])])
    manager.cache_full_blocks(blocks, tokens, 0, len(blocks))
    return blocks


def ids(blocks) -> list[int]:
    return [block.block_id for block in blocks]


@pytest.fixture
def manager():
    pool = PagedCacheManager(block_size=4, max_blocks=8)
    yield pool
    pool.check_invariants()


def test_a_new_pool_has_the_null_block_and_free_ones(manager):
    assert manager.get_stats() == CacheStats(total_blocks=8, allocated_blocks=1, free_blocks=7)
    assert list(manager.allocated_blocks) == [0]
    assert manager.free_blocks == 7
    assert manager.usage == 0.0
    assert manager.null_block.is_null


@pytest.mark.parametrize(
    "arguments",
    [
        {"block_size": 0},
        {"max_blocks": 0},
        {"max_blocks": None},
        {"max_bytes": -1},
    ],
)
def test_impossible_sizes_are_refused(arguments):
    with pytest.raises(ValueError, match=r"must|limit"):
        PagedCacheManager(**arguments)


def test_blocks_are_handed_out_until_all_have_owners(manager):
    handed = [manager.allocate_block() for _ in range(7)]
    assert sorted(ids(handed)) == list(range(1, 8))
    assert all(block.ref_count == 1 for block in handed)
    assert manager.allocate_block() is None
    assert manager.usage == 1.0
    assert manager.free_block(handed[0].block_id)
    assert not manager.free_block(handed[0].block_id)
    assert manager.allocate_block() is handed[0]


def test_a_batch_that_cannot_be_had_changes_nothing(manager):
    manager.free_block_batch(chain(manager, list(range(12))))
    before = manager.get_stats()
    for n in (8, -1):
        with pytest.raises(ValueError, match="asked for"):
            manager.get_new_blocks(n)
    with pytest.raises(ValueError, match="asked for"):
        manager.allocate_blocks_for_tokens(7 * 4 + 1)
    assert manager.get_stats() == before
    assert manager.get_computed_blocks(list(range(12)))[1] == 12


@pytest.mark.parametrize(("tokens", "count"), [(0, 0), (1, 1), (4, 1), (5, 2)])
def test_tokens_take_whole_blocks(manager, tokens, count):
    assert len(manager.allocate_blocks_for_tokens(tokens)) == count


def test_references_decide_when_a_block_is_free(manager):
    block = manager.allocate_block()
    assert manager.increment_ref(block.block_id)
    assert manager.get_stats().shared_blocks == 1
    assert not manager.decrement_ref(block.block_id)
    assert manager.decrement_ref(block.block_id)
    assert not manager.decrement_ref(block.block_id)
    assert not manager.increment_ref(block.block_id), "a blank block cannot be revived"
    for unknown in (0, 99, -1):
        assert not manager.increment_ref(unknown)
        assert not manager.free_block(unknown)


def test_a_release_beyond_what_is_owned_changes_nothing(manager):
    first, second = manager.get_new_blocks(2)
    with pytest.raises(ValueError, match="more often"):
        manager.free_block_batch([first, second, second])
    assert (first.ref_count, second.ref_count) == (1, 1)
    assert manager.free_block_batch([first, manager.null_block, second]) == 2


def test_a_released_block_stays_findable_until_it_is_given_away(manager):
    """And the moment it is, no hash leads to it."""
    tokens = list(range(8))
    blocks = chain(manager, tokens)
    manager.free_block_batch(reversed(blocks))
    found, n = manager.get_computed_blocks(tokens)
    assert (found, n) == (blocks, 8)
    assert [b.cache_data[0].tolist() for b in found] == [tokens[:4], tokens[4:]]
    block_hash = blocks[1].block_hash
    assert manager.get_cached_block(block_hash) is blocks[1]
    taken = manager.get_new_blocks(6)
    assert blocks[1] in taken, "the end of a chain goes before its beginning"
    assert manager.get_cached_block(block_hash) is None
    assert blocks[1].is_blank
    assert manager.get_computed_blocks(tokens) == ([blocks[0]], 4)
    assert manager.get_stats().evictions == 1
    assert manager.evictions == {"count": 1}


def test_touching_a_found_block_protects_it(manager):
    blocks = chain(manager, list(range(8)))
    manager.free_block_batch(blocks)
    manager.touch(blocks)
    assert [b.ref_count for b in blocks] == [1, 1]
    assert len(manager.get_new_blocks(5)) == 5
    assert manager.allocate_block() is None
    assert manager.get_computed_blocks(list(range(8)))[1] == 8


def test_touching_something_blank_changes_nothing(manager):
    blocks = chain(manager, list(range(4)))
    manager.free_block_batch(blocks)
    with pytest.raises(ValueError, match="not findable"):
        manager.touch([*blocks, manager.blocks[7]])
    assert blocks[0].ref_count == 0


def test_least_recently_used_goes_first_and_a_hit_refreshes(manager):
    for start in (0, 100, 200):
        manager.free_block_batch(chain(manager, list(range(start, start + 4))))
    manager.touch(manager.get_computed_blocks(list(range(4)))[0])
    manager.free_block_batch(manager.get_computed_blocks(list(range(4)))[0])
    assert manager.evict_lru_blocks(1) == 1
    assert [manager.get_computed_blocks(list(range(s, s + 4)))[1] for s in (0, 100, 200)] == [4, 0, 4]
    assert manager.evict_lru_blocks(9) == 2
    assert manager.evict_lru_blocks(1) == 0


def test_released_private_content_is_evicted_before_anything_findable(manager):
    manager.free_block_batch(chain(manager, [1, 2, 3, 4]))
    private = manager.allocate_block()
    manager.write(private, [mx.zeros(8)])
    manager.free_block(private.block_id)
    assert manager.nbytes == 32 + 16
    assert manager.evict_lru_blocks(1) == 1
    assert manager.nbytes == 16
    assert manager.get_stats().evictions == 0, "nobody could have found it"
    assert manager.get_computed_blocks([1, 2, 3, 4])[1] == 4


def test_memory_pressure_makes_blank_blocks_or_changes_nothing(manager):
    manager.free_block_batch(chain(manager, list(range(24))))
    kept = manager.allocate_block()
    assert not manager.handle_memory_pressure(7)
    assert manager.get_computed_blocks(list(range(24)))[1] == 24
    assert manager.handle_memory_pressure(2)
    assert manager.get_computed_blocks(list(range(24)))[1] == 0, "the first block was the oldest"
    assert manager.handle_memory_pressure(0)
    assert kept.ref_count == 1


def test_the_shared_prefix_leaves_a_token_to_run(manager):
    """Failure 45: the same prompt twice, at a block boundary."""
    tokens = list(range(8))
    blocks = chain(manager, tokens)
    assert manager.find_shared_prefix(tokens) == (ids(blocks[:1]), tokens[4:])
    assert manager.find_shared_prefix([*tokens, 8]) == (ids(blocks), [8])
    assert manager.find_shared_prefix([5]) == ([], [5])
    assert manager.find_shared_prefix([]) == ([], [])
    stats = manager.get_stats()
    assert (stats.cache_hits, stats.cache_misses) == (2, 2)
    manager.reset_stats()
    stats = manager.get_stats()
    assert (stats.cache_hits, stats.cache_misses, stats.total_tokens_cached) == (0, 0, 8)


def test_a_hit_is_verified_against_the_tokens_not_the_hash_alone(manager, monkeypatch):
    """With a hash that always collides, nothing wrong may be found, not even behind another beginning."""
    monkeypatch.setattr("app.cache.block_hash.compute_block_hash", lambda *_: b"same")
    chain(manager, [1, 2, 3, 4, 5, 6, 7, 8])
    chain(manager, [9, 9, 9, 9, 1, 1, 1, 1])
    assert manager.get_computed_blocks([1, 2, 3, 9, 5, 6, 7, 8])[1] == 0
    assert manager.get_computed_blocks([9, 9, 9, 9, 5, 6, 7, 8])[1] == 4
    assert manager.get_computed_blocks([1, 2, 3, 4, 5, 6, 7, 8])[1] == 8


def test_identities_share_nothing(manager):
    manager.namespace = "a"
    chain(manager, [1, 2, 3, 4])
    manager.namespace = "b"
    assert manager.get_computed_blocks([1, 2, 3, 4])[1] == 0
    manager.namespace = "a"
    assert manager.get_computed_blocks([1, 2, 3, 4])[1] == 4


@pytest.mark.parametrize(("cached", "full"), [(0, 3), (2, 1), (-1, 1)])
def test_caching_other_blocks_than_there_are_is_refused(manager, cached, full):
    blocks = manager.get_new_blocks(2)
    with pytest.raises(ValueError, match="no blocks"):
        manager.cache_full_blocks(blocks, list(range(9)), cached, full)


def test_caching_is_all_or_nothing(manager):
    blocks = manager.get_new_blocks(2)
    manager.free_block(blocks[1].block_id)
    with pytest.raises(ValueError, match="no owner"):
        manager.cache_full_blocks(blocks, list(range(8)), 0, 2)
    assert blocks[0].block_hash is None
    manager.cache_full_blocks(blocks, list(range(8)), 0, 1)
    with pytest.raises(ValueError, match="findable already"):
        manager.cache_full_blocks(blocks, list(range(8)), 0, 1)
    with pytest.raises(ValueError, match="cannot be published"):
        manager.publish(blocks[0], b"h", None, blocks[0].path)


def test_with_caching_off_nothing_is_findable():
    pool = PagedCacheManager(4, 8, enable_caching=False)
    blocks = chain(pool, [1, 2, 3, 4], data=False)
    assert pool.get_computed_blocks([1, 2, 3, 4]) == ([], 0)
    pool.free_block_batch(blocks)
    pool.check_invariants()


def test_tables_own_what_is_added_and_release_it(manager):
    table = manager.get_or_create_block_table("a")
    assert manager.get_or_create_block_table("a") is table is manager.get_block_table("a")
    for _ in range(2):
        manager.add_block_to_table(table, manager.allocate_block(), 4)
    assert table.num_tokens == 8
    assert manager.get_stats().total_tokens_cached == 8
    assert manager.delete_block_table("a")
    assert not manager.delete_block_table("a")
    assert manager.get_block_table("a") is None
    assert manager.free_blocks == 7


def test_a_table_takes_only_owned_blocks_and_what_fits(manager):
    table = manager.create_block_table("a")
    with pytest.raises(ValueError, match="cannot stand"):
        manager.add_block_to_table(table, manager.blocks[3], 4)
    with pytest.raises(ValueError, match="cannot stand"):
        manager.add_block_to_table(table, manager.allocate_block(), 5)
    assert len(table) == 0


def test_creating_a_table_anew_releases_the_old_one(manager):
    manager.add_block_to_table(manager.create_block_table("a"), manager.allocate_block(), 4)
    assert len(manager.create_block_table("a")) == 0
    assert manager.free_blocks == 7


def test_a_published_block_keeps_its_token_count_in_a_table(manager):
    (block,) = chain(manager, [1, 2, 3, 4])
    table = manager.create_block_table("a")
    manager.add_block_to_table(table, block, 2)
    assert (table.num_tokens, block.token_count) == (2, 4)


def test_a_fork_shares_and_the_last_owner_frees(manager):
    table = manager.create_block_table("a")
    block = manager.allocate_block()
    manager.write(block, [mx.zeros(4)])
    manager.add_block_to_table(table, block, 4)
    fork = manager.fork_block_table(table, "b")
    assert (fork.block_ids, fork.num_tokens, block.ref_count) == (table.block_ids, 4, 2)
    assert manager.nbytes == 16, "a fork copies nothing"
    with pytest.raises(ValueError, match="itself"):
        manager.fork_block_table(table, "a")
    manager.delete_block_table("a")
    assert block.ref_count == 1
    manager.delete_block_table("b")
    assert block.ref_count == 0


def test_forking_a_table_whose_blocks_are_gone_changes_nothing(manager):
    table = manager.create_block_table("a")
    manager.add_block_to_table(table, manager.allocate_block(), 4)
    manager.delete_block_table("a")
    with pytest.raises(ValueError, match="not findable"):
        manager.fork_block_table(table, "b")
    assert manager.get_block_table("b") is None


def test_copy_on_write_isolates_both_sides(manager):
    """Failure 52: after the copy, appending to, replacing or writing into one side never shows in the other."""
    table = manager.create_block_table("a")
    block = manager.allocate_block()
    manager.write(block, [mx.array([1, 2]), {"scale": [mx.array([3])]}])
    manager.add_block_to_table(table, block, 4)
    assert manager.get_blocks_for_generation(table) == ([block], False)
    fork = manager.fork_block_table(table, "b")
    blocks, was_copied = manager.get_blocks_for_generation(fork)
    assert was_copied
    assert blocks[0] is not block
    assert fork.block_ids == [blocks[0].block_id]
    assert (block.ref_count, blocks[0].ref_count) == (1, 1)
    blocks[0].cache_data[0][0] = 99
    blocks[0].cache_data[1]["scale"].append(mx.array([4]))
    block.cache_data.append("mine")
    assert block.cache_data[0].tolist() == [1, 2]
    assert len(block.cache_data[1]["scale"]) == 1
    assert len(blocks[0].cache_data) == 2
    assert manager.get_stats().cow_copies == 1
    assert manager.nbytes == 2 * 12
    assert manager.get_blocks_for_generation(fork) == (blocks, False)


def test_a_copy_for_which_there_is_no_room_changes_nothing():
    for pool in (PagedCacheManager(4, 3), PagedCacheManager(4, 9, max_bytes=40)):
        table = pool.create_block_table("a")
        for _ in range(2):
            block = pool.allocate_block()
            pool.write(block, [mx.zeros(4)])
            pool.add_block_to_table(table, block, 4)
        fork = pool.fork_block_table(table, "b")
        before = pool.get_stats()
        with pytest.raises(ValueError, match="no room"):
            pool.get_blocks_for_generation(fork)
        assert pool.get_stats() == before
        assert fork.block_ids == table.block_ids
        pool.check_invariants()


def test_memory_is_committed_as_blocks_are_written():
    pool = PagedCacheManager(4, None, max_bytes=64)
    assert len(pool.blocks) == 1
    blocks = pool.get_new_blocks(3)
    assert pool.nbytes == 0
    pool.write(blocks[0], [mx.zeros(10)])
    assert pool.nbytes == 40
    pool.write(blocks[0], [mx.zeros(5)])
    assert pool.nbytes == 20
    pool.write(blocks[1], "opaque", 44)
    with pytest.raises(ValueError, match="do not fit"):
        pool.write(blocks[2], [mx.zeros(1)])
    assert blocks[2].cache_data is None
    with pytest.raises(ValueError, match="no owner"):
        pool.write(pool.null_block, [mx.zeros(1)])
    pool.check_invariants()


def test_room_is_made_from_the_least_recently_used_or_not_at_all():
    pool = PagedCacheManager(4, None, max_bytes=64)
    for start in (0, 10, 20):
        pool.free_block_batch(chain(pool, list(range(start, start + 4))))
    pinned = chain(pool, list(range(30, 34)))
    assert not pool.make_room(49)
    assert pool.nbytes == 64
    assert pool.make_room(32)
    assert pool.nbytes == 32
    assert pool.get_computed_blocks(list(range(20, 24)))[1] == 4
    assert pool.evictions == {"memory": 2}
    assert pinned[0].ref_count == 1
    assert pool.allocate_block() is not None
    pool.check_invariants()


def test_a_lower_limit_evicts_at_once_and_owned_blocks_follow_when_released():
    pool = PagedCacheManager(4, None, max_bytes=64)
    pool.free_block_batch(chain(pool, [1, 2, 3, 4]))
    owned = chain(pool, [5, 6, 7, 8])
    pool.set_max_bytes(8)
    assert pool.nbytes == 16
    assert pool.evictions == {"limit_lowered": 1}
    pool.free_block_batch(owned)
    assert pool.nbytes == 0
    pool.set_max_bytes(0)
    with pytest.raises(ValueError, match="not a number of bytes"):
        pool.set_max_bytes(-1)
    assert PagedCacheManager(4, 8).make_room(10**12), "counted in blocks, bytes are not limited"
    pool.check_invariants()


def test_three_times_the_pool_in_one_shot_prompts_are_all_stored(manager):
    """Failure 58: what finished requests hold is released, so a full pool evicts instead of refusing."""
    for k in range(21):
        tokens = list(range(100 * k, 100 * k + 4))
        manager.free_block_batch(chain(manager, tokens))
        assert manager.get_computed_blocks(tokens)[1] == 4
        stats = manager.get_stats()
        assert stats.free_blocks + stats.allocated_blocks == stats.total_blocks
    assert manager.get_stats().evictions == 14


def test_the_eviction_hook_sees_the_content_before_it_goes(manager):
    seen = []
    manager.on_evict = lambda block, reason: seen.append((block.tokens, block.cache_data[0].tolist(), reason))
    manager.free_block_batch(chain(manager, [1, 2, 3, 4]))
    assert manager.evict(manager.blocks, "superseded") == 1
    assert manager.evict(manager.blocks, "superseded") == 0
    assert seen == [((1, 2, 3, 4), [1, 2, 3, 4], "superseded")]


def test_withdrawing_makes_a_block_private(manager):
    (block,) = chain(manager, [1, 2, 3, 4])
    manager.withdraw(block)
    manager.withdraw(block)
    assert manager.get_computed_blocks([1, 2, 3, 4])[1] == 0
    assert block.cache_data is not None


def test_resetting_the_prefix_cache_waits_for_owners(manager):
    blocks = chain(manager, list(range(8)))
    assert not manager.reset_prefix_cache()
    assert manager.get_computed_blocks(list(range(8)))[1] == 8
    manager.free_block_batch(blocks)
    assert manager.reset_prefix_cache()
    assert manager.get_computed_blocks(list(range(8)))[1] == 0
    assert manager.evictions == {"cleared": 2}
    assert manager.nbytes == 0


def test_clear_forgets_owners_tables_and_look_up_together(manager):
    table = manager.create_block_table("a")
    for block in chain(manager, list(range(8))):
        manager.add_block_to_table(table, block, 4)
    manager.clear()
    assert manager.get_stats().free_blocks == 7
    assert manager.request_tables == {}
    assert len(manager.hash_to_block) == 0
    assert manager.nbytes == 0
    assert manager.evictions == {"cleared": 2}
    assert not manager.delete_block_table("a")


def test_memory_usage_names_blocks_and_bytes(manager):
    chain(manager, list(range(8)))
    assert manager.get_memory_usage() == {
        "block_size": 4,
        "max_blocks": 8,
        "total_blocks": 8,
        "allocated_blocks": 3,
        "free_blocks": 5,
        "utilization": 3 / 8,
        "total_tokens_cached": 8,
        "nbytes": 32,
        "max_bytes": None,
    }
    assert manager.stats == manager.get_stats()


def test_statistics_can_be_read_while_another_thread_writes(manager):
    stop, problems = threading.Event(), []

    def read():
        while not stop.is_set():
            stats = manager.get_stats()
            if stats.allocated_blocks + stats.free_blocks != stats.total_blocks:
                problems.append(stats)

    reader = threading.Thread(target=read)
    reader.start()
    for k in range(200):
        manager.free_block_batch(chain(manager, list(range(k, k + 12)), data=False))
    stop.set()
    reader.join()
    assert problems == []


def test_threads_never_get_the_same_block():
    pool, got = PagedCacheManager(4, 101), []
    threads = [
        threading.Thread(target=lambda: got.extend(pool.get_new_blocks(1)[0] for _ in range(10))) for _ in range(5)
    ]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(ids(got))) == 50


def test_a_refused_copy_does_not_grow_a_pool_that_is_limited_in_bytes():
    pool = PagedCacheManager(2, None, max_bytes=100)
    table = pool.create_block_table("a")
    (block,) = pool.get_new_blocks(1)
    pool.write(block, "data", 80)
    pool.add_block_to_table(table, block, 2)
    pool.fork_block_table(table, "b")
    pool.get_new_blocks(pool.free_blocks)
    before = pool.get_stats()
    with pytest.raises(ValueError, match="no room"):
        pool.get_blocks_for_generation(table)
    assert pool.get_stats() == before
