"""Prompts in blocks against a slow reference: random sequences, images, layers, limits, requests."""

from __future__ import annotations

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from app.cache.blocks import BlockAwarePrefixCache
from app.cache.media import MediaSpan, cut_before_span, salt_tokens
from app.cache.paged import PagedCacheManager
from tests.cache.oracle import OracleModel, offsets, readable

PROMPT = st.lists(st.integers(0, 2), min_size=1, max_size=24).map(tuple)
KINDS = st.sampled_from(
    [
        ("KVCache",),
        ("KVCache", "RotatingKVCache"),
        ("KVCache", "ArraysCache"),
        ("RotatingKVCache", "ArraysCache", "QuantizedKVCache"),
        ("CacheList",),
    ]
)
PART = st.one_of(
    st.lists(st.integers(0, 2), min_size=1, max_size=6).map(tuple),
    st.tuples(st.sampled_from("abc"), st.integers(1, 9)),
)


class StoreMachine(RuleBasedStateMachine):
    """Whatever is done, a look-up gives the state of a cold run, and the accounts are right."""

    @initialize(kinds=KINDS, size=st.integers(2, 9), limit=st.sampled_from([None, 2_000, 20_000, 200_000]))
    def start(self, kinds, size, limit):
        self.model = OracleModel(kinds)
        pool = PagedCacheManager(size, 30 if limit is None else None, max_bytes=limit)
        self.cache = BlockAwarePrefixCache("a", pool)
        self.saved: set[tuple[str, tuple[int, ...]]] = set()
        self.in_use: dict[str, tuple[int, ...]] = {}

    @rule(tokens=PROMPT, persist=st.booleans())
    def save(self, tokens, persist):
        if self.cache.save(tokens, self.model.cold(tokens), persist=persist):
            self.saved.add((self.cache.identity, tokens))
            longer = (*tokens, 7)
            assert self.cache.lookup(longer).reused == len(tokens), "what was just stored is found to the token"

    @rule(tokens=PROMPT)
    def look_up(self, tokens):
        found = self.cache.lookup(tokens)
        assert found.reused < len(tokens)
        if found.cache is None:
            assert found.reused == 0
            return
        assert offsets(found.cache) <= {found.reused}
        assert any(i == self.cache.identity and t[: found.reused] == tokens[: found.reused] for i, t in self.saved)
        self.model.run(found.cache, tokens, found.reused, chunk=24)
        assert readable(found.cache) == readable(self.model.cold(tokens))

    @rule(tokens=PROMPT, name=st.sampled_from("xyz"))
    def store_for_a_request(self, tokens, name):
        if self.cache.store_cache(name, tokens, self.model.cold(tokens)) is not None:
            self.saved.add((self.cache.identity, tokens))
            self.in_use.pop(name, None)

    @rule(tokens=PROMPT, name=st.sampled_from("xyz"))
    def fetch_for_a_request(self, tokens, name):
        table, remaining = self.cache.fetch_cache(name, tokens)
        assert len(remaining) >= 1
        if table is not None:
            self.in_use[name] = tokens[: table.num_tokens]
            assert len(remaining) + table.num_tokens == len(tokens)

    @rule(source=st.sampled_from("xyz"), new=st.sampled_from("xyz"))
    def fork(self, source, new):
        if self.cache.fork_cache(source, new) is not None and source != new:
            self.in_use.pop(new, None)

    @rule(name=st.sampled_from("xyz"))
    def release(self, name):
        self.cache.release_cache(name)
        self.in_use.pop(name, None)

    @rule(name=st.sampled_from("ab"))
    def use(self, name):
        self.cache.use(name)

    @rule(limit=st.sampled_from([0, 2_000, 20_000, 200_000]))
    def set_limit(self, limit):
        if self.cache.manager.max_bytes is not None:
            self.cache.set_limit(limit)

    @rule(what=st.sampled_from(["nothing", "nothing", "drop", "clear"]))
    def forget(self, what):
        if what == "clear":
            self.cache.clear()
            self.in_use.clear()
        elif what == "drop":
            for name in list(self.in_use):
                self.release(name)
            self.cache.drop("b")

    @invariant()
    def accounts_are_right(self):
        if not hasattr(self, "cache"):
            return
        pool, store = self.cache.manager, self.cache.store
        pool.check_invariants()
        assert pool.max_bytes is None or pool.nbytes <= max(pool.max_bytes, pool.pinned_bytes)
        assert pool.max_bytes is None or self.in_use or store.idle or pool.nbytes <= pool.max_bytes
        assert self.cache.row().bypassed == 0
        assert set(store.idle) <= set(pool.request_tables)
        owners = sum(len(list(table.all_ids())) for table in pool.request_tables.values())
        assert owners == sum(block.ref_count for block in pool.blocks[1:]), "nothing stays pinned between requests"
        for record in store.records:
            assert all(pool.blocks[i].block_hash is not None for i in record.blocks), "a record's blocks are there"

    @invariant()
    def what_is_in_use_can_always_be_rebuilt(self):
        for name, tokens in getattr(self, "in_use", {}).items():
            rebuilt = self.cache.reconstruct_cache(self.cache.manager.get_block_table(name))
            self.model.run(rebuilt, (*tokens, 8, 9), len(tokens), chunk=24)
            assert readable(rebuilt) == readable(self.model.cold((*tokens, 8, 9)))


TestStoreMachine = StoreMachine.TestCase
TestStoreMachine.settings = settings(
    max_examples=40, stateful_step_count=30, deadline=None, suppress_health_check=list(HealthCheck)
)


def build(parts) -> tuple[tuple[int, ...], list[MediaSpan]]:
    """Return the salted tokens and spans of text pieces and ``(digest, length)`` images in a row."""
    tokens: list[int] = []
    spans = []
    for part in parts:
        if isinstance(part[0], str):
            spans.append(MediaSpan(len(tokens), part[1], part[0]))
            tokens += [3] * part[1]
        else:
            tokens += part
    return salt_tokens(tokens, spans), spans


def reference(stored, prompt, spans) -> int:
    """The longest common prefix with anything stored, a token left, no span split: compared token by token."""
    best = 0
    for tokens in stored:
        shared = 0
        while shared < min(len(tokens), len(prompt) - 1) and tokens[shared] == prompt[shared]:
            shared += 1
        best = max(best, cut_before_span(shared, spans))
    return best


@settings(max_examples=80, deadline=None)
@given(st.integers(1, 12), st.lists(st.lists(PART, min_size=1, max_size=5), min_size=2, max_size=7))
def test_interleaved_prompts_with_images_reuse_what_a_slow_reference_computes(size, layouts):
    model, stored = OracleModel(("KVCache",)), []
    cache = BlockAwarePrefixCache(None, PagedCacheManager(size, 400))
    for parts in layouts:
        prompt, spans = build(parts)
        found = cache.lookup(prompt, spans)
        assert found.reused == reference(stored, prompt, spans)
        warm = found.cache if found.cache is not None else model.make_cache()
        model.run(warm, prompt, found.reused)
        assert readable(warm) == readable(model.cold(prompt))
        assert cache.save(prompt, warm, spans=spans)
        stored.append(prompt)
        cache.manager.check_invariants()
