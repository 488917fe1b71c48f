"""The whole-entry cache against a dictionary model, and multimodal prompts against a slow reference."""

from __future__ import annotations

from collections import OrderedDict
from functools import lru_cache

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from app.cache.media import MediaSpan, salt_tokens
from app.cache.memory import MemoryAwarePrefixCache, MemoryCacheConfig
from tests.cache.oracle import WINDOW, OracleModel, fingerprint, handles, offsets

BASE = tuple(range(10, 10 + WINDOW + 6))
tokens_of = st.builds(
    lambda shared, tail: (*BASE[:shared], *tail) or (0,),
    st.one_of(st.integers(0, len(BASE)), st.integers(WINDOW - 2, WINDOW + 2)),
    st.lists(st.integers(0, 1), max_size=3),
)
START_LIMIT = 60_000
START_COUNT = 8


@lru_cache(maxsize=4096)
def right(kinds: tuple[str, ...], tokens: tuple[int, ...]) -> str:
    return fingerprint(OracleModel(kinds).cold(tokens))


def shared(a, b) -> int:
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


def legal(kinds: tuple[str, ...], length: int, n: int) -> bool:
    """Whether a state of ``length`` tokens can be cut to ``n``, from the rules in words."""
    if n == length:
        return True
    return "ArraysCache" not in kinds and ("RotatingKVCache" not in kinds or length < WINDOW)


class PrefixMachine(RuleBasedStateMachine):
    """Random operations on one cache; the model is a dictionary in order of use."""

    kinds: tuple[str, ...] = ("KVCache",)

    @initialize()
    def start(self):
        config = MemoryCacheConfig(max_memory_mb=START_LIMIT / 2**20, max_entries=START_COUNT, min_prefix_tokens=1)
        self.cache = MemoryAwarePrefixCache("a", config)
        self.oracle = OracleModel(self.kinds)
        self.model: OrderedDict[tuple[str, tuple[int, ...]], int] = OrderedDict()
        self.limit, self.reserved, self.identity = START_LIMIT, 0, "a"

    def room(self) -> int:
        return self.limit - self.reserved - sum(self.model.values())

    def evict(self, wanted: int) -> None:
        while self.room() < wanted and self.model:
            self.model.popitem(last=False)

    @rule(tokens=tokens_of, supersede=st.booleans())
    def store(self, tokens, supersede):
        supersede = supersede and self.kinds == ("KVCache",)
        live = self.oracle.cold(tokens)
        key = (self.identity, tokens)
        stored = self.cache.store(tokens, live, evict_prefixes=supersede)
        entry = self.cache.entries.index.get(*key)
        size = entry.nbytes if stored else None
        assert stored == (entry is not None and next(reversed(list(self.cache.entries.order))) is entry)
        if not stored:
            return
        assert size <= self.limit - self.reserved
        self.model.pop(key, None)
        if supersede:
            for old in [k for k in self.model if k[0] == self.identity and k[1] == tokens[: len(k[1])]]:
                del self.model[old]
        while len(self.model) >= START_COUNT:
            self.model.popitem(last=False)
        self.evict(size)
        self.model[key] = size
        assert not handles(live) & {id(a) for a in entry.snapshot.arrays().values()}

    @rule(tokens=tokens_of, decode=st.integers(0, 6))
    def fetch(self, tokens, decode):
        mine = [k[1] for k in self.model if k[0] == self.identity]
        reachable = {min(shared(k, tokens), len(tokens) - 1): k for k in mine}
        best = max((n for k in mine for n in reachable if self.serves(k, tokens, n)), default=0)
        live, rest = self.cache.fetch(tokens)
        assert len(tokens) - len(rest) == best, (tokens, mine)
        assert rest
        if live is None:
            assert best == 0
            return
        assert fingerprint(live) == right(self.kinds, tokens[:best])
        assert offsets(live) == {best}
        used = list(self.cache.entries.order)[-1]
        assert self.serves(used.tokens, tokens, best)
        self.model.move_to_end((used.identity, used.tokens))
        assert not handles(live) & {id(a) for a in used.snapshot.arrays().values()}
        self.oracle.run(live, (*tokens[:best], *range(decode)), best, chunk=1)
        again = used.snapshot.restore()
        assert fingerprint(again) == right(self.kinds, used.tokens)

    def serves(self, key, tokens, n) -> bool:
        return 0 < n <= min(shared(key, tokens), len(tokens) - 1) and legal(self.kinds, len(key), n)

    @rule(tokens=tokens_of)
    def remove(self, tokens):
        assert self.cache.remove(tokens) == (self.model.pop((self.identity, tokens), None) is not None)

    @rule(data=st.data())
    def remove_known(self, data):
        mine = [k[1] for k in self.model if k[0] == self.identity]
        if mine:
            self.remove(data.draw(st.sampled_from(mine)))

    @rule(tokens=tokens_of)
    def mismatched(self, tokens):
        before = len(self.cache)
        assert not self.cache.store((*tokens, 0), self.oracle.cold(tokens)) or set(self.kinds) <= {"ArraysCache"}
        assert len(self.cache) == before

    @rule(nbytes=st.integers(0, START_LIMIT))
    def reserve(self, nbytes):
        fits = nbytes <= self.limit - self.reserved
        assert self.cache.try_reserve_memory(nbytes) == fits
        if fits:
            self.evict(nbytes)
            self.reserved += nbytes

    @rule(nbytes=st.integers(0, 2 * START_LIMIT))
    def release(self, nbytes):
        self.cache.release_reserved_memory(nbytes)
        self.reserved -= min(nbytes, self.reserved)

    @rule(nbytes=st.integers(0, 2 * START_LIMIT))
    def change_limit(self, nbytes):
        self.cache.set_limit(nbytes)
        self.limit = nbytes
        self.evict(0)

    @rule()
    def clear(self):
        self.cache.clear()
        self.model.clear()

    @rule(identity=st.sampled_from(["a", "b"]))
    def use(self, identity):
        self.cache.use(identity)
        self.identity = identity

    @rule(identity=st.sampled_from(["a", "b"]))
    def drop(self, identity):
        self.cache.drop(identity)
        for key in [k for k in self.model if k[0] == identity]:
            del self.model[key]

    @invariant()
    def everything_agrees(self):
        store = self.cache.entries
        held = list(store.order)
        assert [(e.identity, e.tokens) for e in held] == list(self.model)
        assert {(name, e.tokens) for name, e in store.index} == set(self.model)
        assert store.ledger.used == sum(e.nbytes for e in held) == sum(e.snapshot.nbytes for e in held)
        assert store.ledger.reserved == self.reserved
        assert store.ledger.used == 0 or store.ledger.used + self.reserved <= self.limit
        for entry in held:
            layers = [layer.check() for layer in entry.snapshot.layers]
            assert {layer.n_tokens for layer in layers} == {entry.snapshot.n_tokens} == {len(entry.tokens)}


def machine_for(layers: tuple[str, ...]) -> type[PrefixMachine]:
    class Machine(PrefixMachine):
        kinds = layers

    return Machine


@pytest.mark.allows_log("a state was not stored")
@pytest.mark.parametrize(
    "kinds",
    [("KVCache",), ("KVCache", "ArraysCache"), ("KVCache", "RotatingKVCache")],
    ids=["full", "recurrent", "window"],
)
def test_any_sequence_of_operations(kinds):
    """About 10,000 operations in all over the three layouts."""
    options = settings(
        max_examples=45, stateful_step_count=75, deadline=None, suppress_health_check=list(HealthCheck), print_blob=True
    )
    run_state_machine_as_test(machine_for(kinds), settings=options)


# -- images ------------------------------------------------------------------------------------------------------------

piece = st.one_of(st.tuples(st.just("text"), st.integers(0, 1)), st.tuples(st.just("image"), st.sampled_from("AB")))
layouts = st.lists(piece, min_size=1, max_size=6)


def lay_out(pieces) -> tuple[tuple[int, ...], tuple[MediaSpan, ...]]:
    ids: list[int] = []
    spans = []
    for kind, what in pieces:
        if kind == "image":
            spans.append(MediaSpan(len(ids), 3, what))
            ids += [7, 7, 7]
        else:
            ids += [what, what]
    return salt_tokens(ids, spans), tuple(spans)


class Reference:
    """A list of what was stored, searched image by image and token by token."""

    def __init__(self) -> None:
        self.stored: list = []

    def reused(self, pieces) -> int:
        return max((self._with(old, pieces) for old in self.stored), default=0)

    @staticmethod
    def _with(old, new) -> int:
        """Units (a word of one token, or a whole image) that both begin with, as tokens, leaving one to run."""
        units = [Reference._units(pieces) for pieces in (old, new)]
        total, most, n = 0, sum(size for _, size in units[1]) - 1, 0
        for a, b in zip(*units, strict=False):
            if a != b or total + a[1] > most:
                break
            total, n = total + a[1], n + 1
        return total

    @staticmethod
    def _units(pieces):
        return [
            u for kind, what in pieces for u in ([((kind, what), 3)] if kind == "image" else [((kind, what), 1)] * 2)
        ]


class MediaMachine(RuleBasedStateMachine):
    @initialize()
    def start(self):
        self.cache = MemoryAwarePrefixCache("m", MemoryCacheConfig(max_memory_mb=64, min_prefix_tokens=1))
        self.reference = Reference()
        self.oracle = OracleModel()

    @rule(pieces=layouts)
    def turn(self, pieces):
        tokens, spans = lay_out(pieces)
        found = self.cache.lookup(tokens, spans)
        assert found.reused == self.reference.reused(pieces)
        live = found.cache or self.oracle.make_cache()
        if found.cache:
            assert fingerprint(live) == right(("KVCache",), tokens[: found.reused])
        self.oracle.run(live, tokens, found.reused)
        assert self.cache.store(tokens, live)  # unlike save, it never takes a prompt for the next turn of another
        self.reference.stored.append(pieces)


def test_interleaved_multimodal_prompts_reuse_what_the_slow_reference_says():
    options = settings(max_examples=40, stateful_step_count=20, deadline=None, suppress_health_check=list(HealthCheck))
    run_state_machine_as_test(MediaMachine, settings=options)
