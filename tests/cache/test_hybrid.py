"""Layer groups: what each kind needs, and how coordinators make them agree."""

from __future__ import annotations

from collections.abc import Iterable

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cache.block_hash import PromptChain
from app.cache.hybrid import (
    CacheHit,
    HybridKVCacheCoordinator,
    KVCacheCoordinatorNoPrefixCache,
    KVCacheGroup,
    UnitaryKVCacheCoordinator,
    get_kv_cache_coordinator,
)
from app.cache.paged import PagedCacheManager

FULL = KVCacheGroup(0, "full")
SIZE = 2


def window(group_id: int, tokens: int) -> KVCacheGroup:
    return KVCacheGroup(group_id, "window", tokens)


def recurrent(group_id: int) -> KVCacheGroup:
    return KVCacheGroup(group_id, "recurrent")


class Sequences:
    """Stores token sequences as the coordinator asks for it, without any tensors."""

    def __init__(self, *groups: KVCacheGroup, size: int = SIZE, caching: bool = True, blocks: int = 200) -> None:
        self.pool = PagedCacheManager(size, blocks)
        self.coordinator = get_kv_cache_coordinator(self.pool, groups, enable_caching=caching)

    def store(self, tokens: Iterable[int], held: int | None = None) -> list:
        """Store a state that holds the last ``held`` (all) tokens of its windows; return the slots."""
        chain = PromptChain(tuple(tokens), self.pool.block_size)
        held_from = {} if held is None else {g.group_id: max(0, len(chain) - held) for g in self.coordinator.groups}
        slots = self.coordinator.slots(chain, held_from)
        for slot in slots:
            if slot.block is None:
                block = self.pool.allocate_block()
                block.group_id = slot.group.group_id
                block.skipped = slot.start - slot.index * self.pool.block_size
                path = chain.path_to(slot.index, slot.stop)
                self.pool.publish(block, chain.hash_of(slot.index, slot.stop), chain.hash_before(slot.index), path)
                self.pool.free_block(block.block_id)
        return slots

    def hit(self, tokens: Iterable[int], limit: int | None = None) -> CacheHit:
        chain = PromptChain(tuple(tokens), self.pool.block_size)
        return self.coordinator.find_longest_cache_hit(chain, len(chain) if limit is None else limit)

    def lose(self, group_id: int, *places: int) -> None:
        """Evict the blocks of one group that end the first ``place + 1`` blocks."""
        gone = []
        for block in self.pool.blocks:
            depth, path = 0, block.path
            while path is not None:
                depth, path = depth + 1, path.parent
            if block.group_id == group_id and depth - 1 in places:
                gone.append(block)
        assert self.pool.evict(gone, "memory") == len(gone) == len(places)


def test_the_right_coordinator_is_chosen():
    pool = PagedCacheManager(4, 10)
    assert type(get_kv_cache_coordinator(pool, [FULL])) is UnitaryKVCacheCoordinator
    assert type(get_kv_cache_coordinator(pool, [window(0, 4)])) is UnitaryKVCacheCoordinator
    assert type(get_kv_cache_coordinator(pool, [FULL, recurrent(1)])) is HybridKVCacheCoordinator
    off = get_kv_cache_coordinator(pool, [FULL, recurrent(1)], enable_caching=False)
    assert type(off) is KVCacheCoordinatorNoPrefixCache


def test_groups_that_do_not_fit_are_refused():
    pool = PagedCacheManager(4, 10)
    with pytest.raises(ValueError, match="one group"):
        UnitaryKVCacheCoordinator(pool, [FULL, recurrent(1)])
    for groups in ([FULL], [recurrent(0), FULL], [FULL, KVCacheGroup(1, "full")]):
        with pytest.raises(ValueError, match="at least two"):
            HybridKVCacheCoordinator(pool, groups)


def test_without_caching_nothing_is_found_or_kept():
    off = Sequences(FULL, window(1, 4), caching=False)
    assert off.store(range(10)) == []
    assert off.hit(range(10)) == CacheHit()


def test_full_attention_hits_to_the_token():
    seen = Sequences(FULL)
    seen.store(range(11))
    assert seen.hit(range(11)).length == 11
    assert seen.hit([*range(7), 99, 98]).length == 7
    assert seen.hit([*range(6), 99, 98]).length == 6
    assert seen.hit([99]).length == 0
    assert seen.hit(range(11), limit=4).length == 4
    assert seen.hit(range(11), limit=0).length == 0


def test_a_sliding_window_keeps_and_needs_its_last_tokens_only():
    """Failure 35: window 4, blocks of 2, 16 tokens cached, the window group holds the last 4."""
    seen = Sequences(FULL, window(1, 4))
    seen.store(range(16), held=4)
    assert seen.pool.get_stats().total_tokens_cached == 16 + 4
    hit = seen.hit(range(18))
    assert hit.length == 16
    assert [block.is_null for block in hit.blocks[1]] == [True] * 6 + [False] * 2
    assert [block.is_null for block in hit.blocks[0]] == [False] * 8
    assert hit.limited_by is None


def test_losing_a_token_of_the_last_window_falls_back_to_the_largest_whole_window():
    """Failure 35, second half."""
    seen = Sequences(FULL, window(1, 4))
    for end in (6, 9, 16):
        seen.store(range(end), held=4)
    assert seen.hit(range(18)).length == 16
    seen.lose(1, 7)
    hit = seen.hit(range(18))
    assert (hit.length, hit.shared, hit.limited_by.group_id) == (9, 16, 1)
    seen.lose(1, 4)
    assert seen.hit(range(18)).length == 8, "tokens 5, 6 and 7 are still there"
    seen.lose(1, 3)
    assert seen.hit(range(18)).length == 6
    seen.lose(1, 2)
    assert seen.hit(range(18)).length == 0


def test_a_window_that_was_never_left_can_be_cut_anywhere():
    seen = Sequences(FULL, window(1, 40))
    seen.store(range(31))
    for end in (31, 30, 13, 1):
        assert seen.hit(range(31), limit=end).length == end
    assert seen.hit([*range(17), 99]).length == 17


def test_a_window_is_refused_where_its_tokens_are_gone():
    """Failure 32: window 8, 20 tokens stored, the first 10 wanted: positions 3 to 9 are gone."""
    seen = Sequences(window(0, 8))
    seen.store(range(20), held=8)
    assert seen.hit([*range(10), 99]).length == 0
    assert seen.hit([*range(19), 99]).length == 19, "window - 1 tokens before the cut are all there"
    assert seen.hit([*range(18), 99]).length == 0
    assert seen.hit(range(20)).length == 20


def test_rows_missing_at_the_front_of_a_block_are_not_taken_for_there():
    seen = Sequences(window(0, 4), size=8)
    seen.store(range(14), held=4)
    (slot,) = seen.store(range(14), held=4)
    assert (slot.start, slot.stop, slot.block.skipped) == (10, 14, 2)
    assert seen.hit(range(14)).length == 14
    assert seen.hit([*range(13), 99]).length == 13
    assert seen.hit([*range(12), 99]).length == 0
    assert seen.hit([*range(9), 99]).length == 0


def test_a_block_with_more_rows_replaces_one_with_fewer_in_look_ups():
    seen = Sequences(window(0, 4), size=8)
    seen.store(range(8), held=3)
    assert seen.hit([*range(7), 99]).length == 0
    (slot,) = seen.store(range(8), held=4)
    assert slot.block is None
    assert seen.hit([*range(7), 99]).length == 7


def test_of_two_tails_in_one_block_the_shorter_serves_where_the_longer_cannot():
    seen = Sequences(window(0, 4), size=8)
    seen.store(range(5), held=4)
    seen.store(range(8), held=4)
    assert seen.hit([*range(6), 99]).length == 5


def test_rows_missing_in_a_whole_block_may_be_held_by_a_shorter_one():
    seen = Sequences(window(0, 6))
    seen.store([0], held=1)
    seen.store([0, 0, 0, 0, 0], held=4)
    assert seen.hit([0, 0, 0]).length == 1


def test_windows_of_different_sizes_agree_on_an_end():
    seen = Sequences(FULL, window(1, 3), window(2, 9))
    seen.store(range(12), held=9)
    seen.store(range(20), held=9)
    assert seen.hit(range(22)).length == 20
    seen.lose(2, 9)
    assert seen.hit(range(22)).length == 12


def test_a_recurrent_group_needs_a_state_exactly_at_the_end():
    seen = Sequences(FULL, recurrent(1))
    for end in (5, 8, 13):
        seen.store(range(end))
    assert seen.hit(range(20)).length == 13
    assert seen.hit(range(20), limit=12).length == 8
    hit = seen.hit([*range(7), 99, 98])
    assert (hit.length, hit.shared, hit.limited_by.group_id) == (5, 7, 1)
    assert seen.hit([*range(4), 99]).length == 0
    assert [block.is_null for block in seen.hit(range(8)).blocks[1]] == [True] * 3 + [False]


def test_a_recurrent_state_of_another_sequence_is_never_found():
    seen = Sequences(FULL, recurrent(1))
    seen.store([1, 2, 3, 4, 5])
    seen.store([9, 2, 3, 4])
    assert seen.hit([9, 2, 3, 4, 5]).length == 4


def test_all_kinds_together_shorten_each_other_until_they_agree():
    seen = Sequences(FULL, window(1, 4), recurrent(2))
    for end in (6, 10, 16):
        seen.store(range(end), held=4)
    assert seen.hit(range(18)).length == 16
    seen.lose(2, 7)
    hit = seen.hit(range(18))
    assert (hit.length, hit.limited_by.group_id) == (10, 2)
    seen.lose(1, 4)
    assert seen.hit(range(18)).length == 6


def test_a_lost_block_in_the_middle_costs_only_what_stands_behind_it():
    """Failure 41: block 40 of 78 is missing, blocks 0 to 39 are reused."""
    seen = Sequences(FULL, size=64)
    seen.store(range(5000))
    seen.lose(0, 40)
    assert seen.hit(range(5000)).length == 40 * 64
    hybrid = Sequences(FULL, recurrent(1), size=64, blocks=400)
    for end in (2500, 5000):
        hybrid.store(range(end))
    assert hybrid.hit(range(5001)).length == 5000
    hybrid.lose(0, 40)
    assert hybrid.hit(range(5001)).length == 2500


def test_long_prompts_scan_a_window_in_linear_time():
    """A window that is gone everywhere must not be searched again from every end."""
    seen, calls = Sequences(FULL, window(1, 512), size=4, blocks=4000), 0
    seen.store(range(8000), held=100)
    find = seen.pool.find

    def counting(*arguments):
        nonlocal calls
        calls += 1
        return find(*arguments)

    seen.pool.find = counting
    assert seen.hit(range(8000)).length == 0
    assert calls < 3 * 8000 // 4


def test_a_hit_becomes_a_table():
    seen = Sequences(FULL, window(1, 4))
    seen.store(range(7), held=4)
    table = seen.hit(range(7)).table("r", 0)
    assert (table.request_id, table.num_tokens, len(table.block_ids)) == ("r", 7, 4)
    assert table.other_groups[1][0] == 0
    assert 0 not in table.other_groups[1][2:]
    assert CacheHit().table("r", 0).block_ids == []


def servable(group: KVCacheGroup, stored: list[tuple[tuple[int, ...], int]], prompt: tuple[int, ...], end: int) -> bool:
    """The slow, obviously right answer: which positions does any stored sequence with this prefix still hold?"""
    if group.kind == "recurrent":
        return any(tokens == prompt[:end] for tokens, _ in stored)
    needed = range(0 if group.kind == "full" else max(0, end - group.window + 1), end)
    held = set()
    for tokens, rows in stored:
        start = 0 if group.kind == "full" else max(0, len(tokens) - min(rows, group.window))
        for p in range(start, len(tokens)):
            if tokens[: p + 1] == prompt[: p + 1]:
                held.add(p)
    return held.issuperset(needed)


GROUPS = st.sampled_from(
    [
        (FULL,),
        (FULL, window(1, 3)),
        (FULL, window(1, 6), recurrent(2)),
        (FULL, recurrent(1)),
        (window(0, 4),),
        (recurrent(0),),
        (window(0, 5), recurrent(1)),
    ]
)
SEQUENCE = st.lists(st.integers(0, 1), min_size=1, max_size=14).map(tuple)


@settings(max_examples=250, deadline=None)
@given(GROUPS, st.integers(1, 5), st.lists(st.tuples(SEQUENCE, st.integers(1, 8)), max_size=6), SEQUENCE)
def test_hits_are_what_a_slow_reference_computes(groups, size, stored, prompt):
    """No hit claims more than is held, and none of the stored ends is missed."""
    seen = Sequences(*groups, size=size)
    for tokens, rows in stored:
        seen.store(tokens, held=rows)
        seen.pool.check_invariants()
    length = seen.hit(prompt).length
    assert length == 0 or all(servable(group, stored, prompt, length) for group in groups)
    ends = [len(tokens) for tokens, rows in stored if prompt[: len(tokens)] == tokens]
    reachable = [
        end for end in ends if all(g.kind != "window" or _held_at_once(g, stored, prompt, end) for g in groups)
    ]
    assert length >= max(reachable, default=0)
    if all(group.kind == "full" for group in groups):
        assert length == max(end for end in range(len(prompt) + 1) if servable(groups[0], stored, prompt, end))


def _held_at_once(group: KVCacheGroup, stored, prompt, end: int) -> bool:
    """Whether one stored state that ends here holds its whole window."""
    return any(tokens == prompt[:end] and rows >= min(end, group.window - 1) for tokens, rows in stored)
