"""The pool against a model that is slow and obviously right."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from app.cache.paged import PagedCacheManager

SIZE = 2
PROMPTS = st.lists(st.integers(0, 2), min_size=1, max_size=9)


class PoolMachine(RuleBasedStateMachine):
    """Owners are counted by hand; content says for which tokens it was written, so a wrong hit shows."""

    @initialize(blocks=st.sampled_from([2, 5, 9, None]), limit=st.sampled_from([None, 6, 12, 40]))
    def start(self, blocks, limit):
        self.manager = PagedCacheManager(SIZE, blocks, max_bytes=limit if blocks or limit else 12)
        self.owned: Counter[int] = Counter()
        self.tables: dict[str, list[int]] = {}
        self.names = iter(range(10**9))

    def snapshot(self):
        pool = self.manager
        return (
            pool.get_stats(),
            pool.nbytes,
            [(b.ref_count, b.block_hash, b.nbytes) for b in pool.blocks],
            {name: (list(t.block_ids), t.num_tokens) for name, t in pool.request_tables.items()},
        )

    def expect_refusal(self, action):
        before = self.snapshot()
        with pytest.raises(ValueError):  # noqa: PT011 - any refusal will do; that nothing changed is the point
            action()
        assert self.snapshot() == before

    @rule(tokens=PROMPTS, nbytes=st.integers(0, 5))
    def store(self, tokens, nbytes):
        """Store the full blocks of a prompt behind those that are there already, and keep them."""
        pool = self.manager
        found, _ = pool.get_computed_blocks(tokens)
        pool.touch(found)
        missing = len(tokens) // SIZE - len(found)
        fits = pool.max_blocks is None or missing <= pool.free_blocks
        if not fits or not pool.make_room(missing * nbytes):
            if not fits:
                self.expect_refusal(lambda: pool.get_new_blocks(missing))
            pool.free_block_batch(reversed(found))
            return
        blocks = [*found, *pool.get_new_blocks(missing)]
        for i, block in enumerate(blocks[len(found) :], len(found)):
            pool.write(block, tuple(tokens[: (i + 1) * SIZE]), nbytes)
        pool.cache_full_blocks(blocks, tokens, len(found), len(blocks))
        name = str(next(self.names))
        table = pool.create_block_table(name)
        for block in blocks:
            pool.add_block_to_table(table, block, SIZE)
            self.owned[block.block_id] += 1
        self.tables[name] = [block.block_id for block in blocks]

    @rule(tokens=PROMPTS)
    def look_up(self, tokens):
        blocks, n = self.manager.get_computed_blocks(tokens)
        assert n == len(blocks) * SIZE <= len(tokens)
        for i, block in enumerate(blocks):
            assert block.cache_data == tuple(tokens[: (i + 1) * SIZE])
        shared, remaining = self.manager.find_shared_prefix(tokens)
        assert len(remaining) >= 1
        assert len(shared) * SIZE + len(remaining) == len(tokens)

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def release(self, data):
        name = data.draw(st.sampled_from(sorted(self.tables)))
        assert self.manager.delete_block_table(name)
        self.owned.subtract(self.tables.pop(name))

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def fork(self, data):
        source, name = data.draw(st.sampled_from(sorted(self.tables))), str(next(self.names))
        self.manager.fork_block_table(self.manager.request_tables[source], name)
        self.tables[name] = list(self.tables[source])
        self.owned.update(self.tables[name])

    @precondition(lambda self: self.tables)
    @rule(data=st.data())
    def write_into_a_private_copy(self, data):
        pool = self.manager
        name = data.draw(st.sampled_from(sorted(self.tables)))
        table = pool.request_tables[name]
        shared = [pool.blocks[i] for i in table.block_ids if pool.blocks[i].is_shared()]
        fits = pool.max_blocks is None or len(shared) <= pool.free_blocks
        size = sum(block.nbytes for block in shared)
        if not fits or (pool.max_bytes is not None and pool.pinned_bytes + size > pool.max_bytes):
            self.expect_refusal(lambda: pool.get_blocks_for_generation(table))
            return
        blocks, copied = pool.get_blocks_for_generation(table)
        assert copied == bool(shared)
        assert all(block.ref_count == 1 for block in blocks)
        self.owned.subtract(self.tables[name])
        self.tables[name] = [block.block_id for block in blocks]
        self.owned.update(self.tables[name])

    @rule(n=st.integers(0, 4))
    def evict(self, n):
        assert 0 <= self.manager.evict_lru_blocks(n) <= n

    @rule(n=st.integers(0, 10))
    def press(self, n):
        before = self.snapshot()
        if not self.manager.handle_memory_pressure(n):
            assert n > self.manager.free_blocks
            assert self.snapshot() == before

    @precondition(lambda self: self.manager.max_bytes is not None)
    @rule(limit=st.sampled_from([0, 4, 12, 40]))
    def change_the_limit(self, limit):
        self.manager.set_max_bytes(limit)
        assert self.manager.nbytes <= max(limit, self.manager.pinned_bytes)

    @rule()
    def fail_on_purpose(self):
        pool = self.manager
        if pool.max_blocks is not None:
            self.expect_refusal(lambda: pool.get_new_blocks(pool.free_blocks + 1))
        owned = [pool.blocks[i] for i, count in self.owned.items() if count]
        too_often = [block for block in owned for _ in range(block.ref_count + 1)]
        if owned:
            self.expect_refusal(lambda: pool.free_block_batch(too_often))

    @rule()
    def reset(self):
        assert self.manager.reset_prefix_cache() == (not any(self.owned.values()))

    @rule(everything=st.sampled_from([False, False, False, True]))
    def clear(self, everything):
        if everything:
            self.manager.clear()
            self.owned.clear()
            self.tables.clear()

    @invariant()
    def nothing_is_broken(self):
        pool = getattr(self, "manager", None)
        if pool is None:
            return
        pool.check_invariants()
        assert {b.block_id: b.ref_count for b in pool.blocks[1:] if b.ref_count} == +self.owned
        stats = pool.get_stats()
        assert stats.free_blocks + stats.allocated_blocks == stats.total_blocks
        assert stats.shared_blocks == sum(count > 1 for count in self.owned.values())
        for name, block_ids in self.tables.items():
            assert pool.request_tables[name].block_ids == block_ids


TestPoolMachine = PoolMachine.TestCase
TestPoolMachine.settings = settings(
    max_examples=120, stateful_step_count=40, deadline=None, suppress_health_check=list(HealthCheck)
)
