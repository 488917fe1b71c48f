"""The longest stored prefix: the index must find what a slow comparison with everything stored finds."""

import time

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cache.disk.chains import leaves, longest_chain, path_to, shared_length
from app.cache.disk.index import DiskIndex, IndexRow
from app.cache.disk.token_keys import GRID, chunk_digests, encode_tokens, prefix_key


class Written:
    """An index filled as the spiller does it, and the plain list of what went in."""

    def __init__(self, folder):
        self.index = DiskIndex(folder / "index.sqlite3")
        self.stored: dict[tuple[int, ...], bool] = {}

    def add(self, tokens, cuttable=True):
        tokens = tuple(tokens)
        chain = longest_chain(self.index, "n", tokens)
        if chain is not None and chain.tokens == len(tokens):
            return
        row, shared = shared_length(self.index, "n", tokens)
        start = min(shared, len(tokens) - 1)
        if row is None or start <= row.start:
            row, start = None, 0
        first = encode_tokens(tokens[start : start + 1]) if row and leaves(row, tokens, start) else b""
        digests = chunk_digests("n", tokens)
        key = prefix_key("n", tokens, digests)
        new = IndexRow(0, "kv", "n", key, row.key if row else "", start, first, len(tokens), cuttable, True,
                       encode_tokens(tokens[start:]), f"{key}-{start}", 10, 0, time.time())  # fmt: skip
        self.index.add(new, digests[start // GRID :])
        self.stored[tokens] = cuttable


def common(left, right):
    return next((i for i, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))


BASE = tuple(range(3 * GRID))
SEQUENCES = st.builds(
    lambda keep, tail: BASE[:keep] + tuple(tail),
    st.integers(0, len(BASE)),
    st.lists(st.integers(0, 3), min_size=1, max_size=2 * GRID),
)


@settings(max_examples=60, deadline=None)
@given(st.lists(SEQUENCES, min_size=1, max_size=8), SEQUENCES)
def test_cuttable_entries_serve_the_longest_common_prefix(tmp_path_factory, stored, asked):
    written = Written(tmp_path_factory.mktemp("chains"))
    for tokens in stored:
        written.add(tokens)
    expected = max(common(tokens, asked) for tokens in stored)
    chain = longest_chain(written.index, "n", asked)
    written.index.close()
    assert (chain.tokens if chain else 0) == expected


@settings(max_examples=60, deadline=None)
@given(st.lists(SEQUENCES, min_size=1, max_size=8), SEQUENCES)
def test_uncuttable_entries_serve_only_whole(tmp_path_factory, stored, asked):
    written = Written(tmp_path_factory.mktemp("chains"))
    for tokens in stored:
        written.add(tokens, cuttable=False)
    expected = max((len(t) for t in stored if asked[: len(t)] == t), default=0)
    chain = longest_chain(written.index, "n", asked)
    written.index.close()
    assert (chain.tokens if chain else 0) == expected


@pytest.fixture
def written(tmp_path):
    filled = Written(tmp_path)
    yield filled
    filled.index.close()


def test_a_short_uncuttable_entry_beside_a_longer_one_is_found(written):
    written.add([*BASE[:GRID], 1], cuttable=False)
    written.add([BASE[0]], cuttable=False)
    assert longest_chain(written.index, "n", [*BASE[:GRID], 0]).tokens == 1


def test_a_limit_leaves_tokens_to_run(written):
    written.add(range(50))
    assert longest_chain(written.index, "n", range(50), most=49).tokens == 49


def test_a_missing_parent_makes_the_child_unusable(written):
    written.add(range(50))
    written.add([*range(50), 7, 8, 9])
    child = longest_chain(written.index, "n", [*range(50), 7, 8, 9]).last
    assert [row.start for row in path_to(written.index, child)] == [0, 50]
    written.index.remove(path_to(written.index, child)[0].id)
    assert path_to(written.index, child) == []
    assert longest_chain(written.index, "n", [*range(50), 7, 8, 9]) is None


def test_another_namespace_finds_nothing(written):
    written.add(range(50))
    assert longest_chain(written.index, "other", range(50)) is None
