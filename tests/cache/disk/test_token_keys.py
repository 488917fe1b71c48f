"""Salted tokens as keys: nothing is lost, nothing collides, the past is part of every digest."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cache.disk.token_keys import GRID, chunk_digests, common_length, decode_tokens, encode_tokens, prefix_key
from app.cache.media import salt_token

SALTED = st.builds(salt_token, st.text(max_size=4), st.just((1, 2, 2)), st.integers(0, 9))
TOKENS = st.lists(st.one_of(st.integers(0, 2**32 - 2), SALTED), max_size=80)


@given(TOKENS)
def test_tokens_round_trip(tokens):
    assert decode_tokens(encode_tokens(tokens)) == tuple(tokens)


@given(TOKENS, TOKENS)
def test_different_prefixes_have_different_keys(left, right):
    assert (prefix_key("n", left) == prefix_key("n", right)) == (left == right)


@given(TOKENS, TOKENS)
def test_common_length_is_what_a_loop_finds(left, right):
    slow = 0
    while slow < min(len(left), len(right)) and left[slow] == right[slow]:
        slow += 1
    assert common_length(left, right) == slow


@given(st.lists(st.integers(0, 5), min_size=GRID, max_size=4 * GRID), st.data())
def test_a_changed_token_changes_every_digest_from_its_chunk_on(tokens, data):
    place = data.draw(st.integers(0, len(tokens) - 1))
    changed = [*tokens[:place], tokens[place] + 1, *tokens[place + 1 :]]
    before, after = chunk_digests("n", tokens), chunk_digests("n", changed)
    assert [a == b for a, b in zip(before, after, strict=True)] == [i < place // GRID for i in range(len(before))]


def test_namespaces_do_not_share_keys():
    tokens = list(range(GRID))
    assert chunk_digests("a", tokens) != chunk_digests("b", tokens)
    assert prefix_key("a", [1]) != prefix_key("b", [1])


@pytest.mark.parametrize("token", [-1, 2**32 - 1, 2**300])
def test_tokens_that_cannot_be_keyed_are_refused(token):
    with pytest.raises(ValueError, match=r"keyed|marks a salted"):
        encode_tokens([1, token])


def test_a_cut_off_token_is_refused():
    for data in (b"\x01\x00", encode_tokens([salt_token("d", (), 0)])[:-3]):
        with pytest.raises(ValueError, match="cut off"):
            decode_tokens(data)
