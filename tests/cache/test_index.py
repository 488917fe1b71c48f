"""The radix tree against a list that is searched the slow way."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from app.cache.index import PrefixIndex, common_length

keys = st.lists(st.integers(0, 2), min_size=1, max_size=8).map(tuple)


def slow_common(a, b):
    n = 0
    while n < min(len(a), len(b)) and a[n] == b[n]:
        n += 1
    return n


@given(st.lists(st.integers(0, 1), max_size=40), st.lists(st.integers(0, 1), max_size=40))
def test_common_length(a, b):
    assert common_length(tuple(a), tuple(b)) == slow_common(a, b)


def check(index: PrefixIndex, model: dict, asked: tuple) -> None:
    match = index.find("m", asked)
    assert (match.exact.value if match.exact else None) == model.get(asked)
    shorter = sorted((k for k in model if len(k) < len(asked) and asked[: len(k)] == k), key=len, reverse=True)
    assert [e.tokens for e in match.ancestors] == shorter
    assert (match.ancestor.tokens if match.ancestor else None) == (shorter[0] if shorter else None)
    longer = [k for k in model if len(k) > len(asked) and k[: len(asked)] == asked]
    assert (match.longer is None) == (not longer)
    if longer:
        assert len(match.longer.tokens) == min(map(len, longer))
    assert match.common == max((slow_common(k, asked) for k in model), default=0)
    for depth, entry in match.branches:
        sharing = [k for k in model if k[:depth] == asked[:depth]]
        assert len(entry.tokens) == min(map(len, sharing))
    depths = [depth for depth, _ in match.branches]
    assert depths == sorted(depths, reverse=True)
    others = [k for k in model if k != asked]
    best = max((slow_common(k, asked) for k in others), default=0)
    if best:
        assert max(depths, default=0) == best or match.exact is not None


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(st.sampled_from(["put", "put", "del"]), keys), max_size=30), st.lists(keys, max_size=6))
def test_the_tree_finds_what_a_search_through_everything_finds(steps, asked):
    index, model = PrefixIndex(), {}
    for number, (what, key) in enumerate(steps):
        if what == "put":
            assert index.insert("m", key, number) == model.get(key)
            model[key] = number
        else:
            assert index.remove("m", key) == model.pop(key, None)
        assert len(index) == len(model)
        assert {e.tokens: e.value for e in index.entries("m")} == model
        check(index, model, key)
    for key in asked:
        check(index, model, key)
    assert index.find("other", (1,)).common == 0


def test_identities_are_apart_and_can_be_dropped():
    index = PrefixIndex()
    index.insert("a", [1, 2], "A")
    index.insert("b", [1, 2], "B")
    assert index.get("a", [1, 2]) == "A"
    assert ("b", [1, 2]) in index
    assert [e.value for e in index.drop("a")] == ["A"]
    assert index.get("a", [1, 2]) is None
    assert len(index) == 1
    assert [(name, e.value) for name, e in index] == [("b", "B")]
    assert index.remove("a", [1]) is None
    index.clear()
    assert len(index) == 0
    assert index.find("b", ()).exact is None


def test_an_empty_key_is_refused():
    try:
        PrefixIndex().insert("a", [], 1)
    except ValueError:
        return
    raise AssertionError("an empty key was accepted")
