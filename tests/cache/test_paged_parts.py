"""The small parts of the pool: blocks, tables, queue, hashes, indexes."""

from __future__ import annotations

import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.cache.block_hash import PromptChain, TokenPath, namespace_root, same_path
from app.cache.block_index import SiblingIndex
from app.cache.media import MediaSpan, salt_tokens
from app.cache.paged import BlockHashToBlockMap, BlockTable, CacheBlock, FreeKVCacheBlockQueue, compute_block_hash


def blocks(count: int) -> list[CacheBlock]:
    return [CacheBlock(i) for i in range(count)]


def published(block_id: int, tokens: tuple[int, ...]) -> CacheBlock:
    return CacheBlock(block_id, path=TokenPath(tokens))


def test_a_new_block_has_no_owner_and_holds_nothing():
    block = CacheBlock(3)
    assert (block.block_id, block.ref_count, block.block_hash, block.cache_data, block.tokens) == (3, 0, None, None, ())
    assert block.is_blank


def test_a_block_is_full_shared_and_touched():
    block = CacheBlock(1, ref_count=1, token_count=64)
    assert block.is_full(64)
    assert not block.is_full(65)
    assert not block.is_shared()
    block.ref_count += 1
    assert block.is_shared()
    before = block.last_access
    time.sleep(0.001)
    block.touch()
    assert block.last_access > before


def test_resetting_the_hash_makes_a_block_private():
    block = CacheBlock(1, block_hash=b"h", parent_hash=b"p", path=TokenPath((1,)))
    block.reset_hash()
    assert (block.block_hash, block.parent_hash, block.path) == (None, None, None)


def test_a_table_copy_is_independent():
    table = BlockTable("a", [1, 2], 128, {1: [0, 4]})
    copy = table.copy("b")
    copy.add_block(3, 10)
    copy.other_groups[1].append(5)
    assert (copy.request_id, copy.block_ids, copy.num_tokens) == ("b", [1, 2, 3], 138)
    assert (table.block_ids, table.num_tokens, table.other_groups) == ([1, 2], 128, {1: [0, 4]})
    assert len(table) == 2


def test_a_table_lists_its_real_blocks_from_the_end():
    assert list(BlockTable("a", [1, 2, 3], 9, {1: [0, 4, 5], 2: [0, 0, 0, 7]}).all_ids()) == [7, 3, 5, 2, 4, 1]
    assert list(BlockTable("a").all_ids()) == []


def test_the_queue_gives_away_its_first_blocks_and_loses_any_in_between():
    all_blocks = blocks(5)
    queue = FreeKVCacheBlockQueue(all_blocks)
    assert queue.popleft() is all_blocks[0]
    queue.remove(all_blocks[2])
    queue.append(all_blocks[0])
    queue.prepend(all_blocks[2])
    assert [b.block_id for b in queue.get_all_free_blocks()] == [2, 1, 3, 4, 0]
    assert [b.block_id for b in queue.popleft_n(3)] == [2, 1, 3]
    queue.append_n(all_blocks[1:3])
    assert [b.block_id for b in queue.get_all_free_blocks()] == [4, 0, 1, 2]
    assert queue.num_free_blocks == len(queue) == 4
    assert all_blocks[4] in queue
    assert all_blocks[3] not in queue


def test_the_queue_refuses_what_would_break_it_and_stays_as_it_was():
    all_blocks = blocks(2)
    queue = FreeKVCacheBlockQueue(all_blocks)
    with pytest.raises(ValueError, match="queue of 2"):
        queue.popleft_n(3)
    with pytest.raises(ValueError, match="already"):
        queue.append(all_blocks[0])
    taken = queue.popleft()
    with pytest.raises(ValueError, match="in no free queue"):
        queue.remove(taken)
    assert queue.get_all_free_blocks() == all_blocks[1:]
    queue.popleft()
    with pytest.raises(ValueError, match="queue of 0"):
        queue.popleft()


def test_the_hash_map_holds_twins_and_forgets_them_one_by_one():
    first, second = blocks(2)
    table = BlockHashToBlockMap()
    table.insert(b"h", first)
    table.insert(b"h", second)
    assert table.get_block(b"h") is first
    assert len(table) == 1
    assert table.pop(b"h", 0) is first
    assert table.get_block(b"h") is second
    assert table.pop(b"h", 0) is None
    assert table.pop(b"h", 1) is second
    assert table.pop(b"h", 1) is None
    assert table.get_block(b"h") is None
    table.insert(b"x", first)
    table.clear()
    assert len(table) == 0


def test_the_block_hash_covers_parent_tokens_and_extra_keys():
    digests = {
        compute_block_hash(None, (1, 2)),
        compute_block_hash(None, (2, 1)),
        compute_block_hash(None, (1, 2), ("lora",)),
        compute_block_hash(b"root", (1, 2)),
        compute_block_hash(b"", (1, 2)),
        compute_block_hash(compute_block_hash(None, (1,)), (2,)),
        compute_block_hash(None, (1, 1 << 255)),
        compute_block_hash(None, (1, (1 << 255) | 1)),
    }
    assert len(digests) == 8
    assert all(len(digest) == 32 for digest in digests)
    assert compute_block_hash(None, [1, 2]) == compute_block_hash(None, (1, 2))


def test_namespaces_have_their_own_roots():
    assert namespace_root("") is None
    assert namespace_root("a") != namespace_root("b")


@given(st.lists(st.one_of(st.integers(0, 200_000), st.integers(1 << 255, (1 << 256) - 1)), max_size=40))
def test_a_chain_hashes_its_blocks_one_after_the_other(tokens):
    chain = PromptChain(tokens, 4, "model")
    digest = namespace_root("model")
    for i in range(len(tokens) // 4):
        assert chain.hash_before(i) == digest
        digest = compute_block_hash(digest, tokens[4 * i : 4 * i + 4])
        assert chain.hash_of(i) == digest
    full = len(tokens) // 4
    if len(tokens) % 4:
        assert chain.hash_of(full) == compute_block_hash(digest, tokens[4 * full :])
    if full:
        assert chain.hash_of(full - 1, full * 4 - 1) != chain.hash_of(full - 1)


def images(*places: tuple[str, int, int], length: int = 60) -> tuple[int, ...]:
    return salt_tokens([7] * length, [MediaSpan(start, count, digest) for digest, start, count in places])


@pytest.mark.parametrize(
    ("other", "first_difference"),
    [
        pytest.param(images(("b", 8, 20)), 8, id="another image at the same place"),
        pytest.param(images(("a", 9, 20)), 8, id="the same image elsewhere"),
        pytest.param(images(("a", 8, 19)), 27, id="a shorter span"),
        pytest.param(images(("a", 8, 20), ("c", 30, 4)), 30, id="a second image in a later block"),
        pytest.param(images(), 8, id="no image"),
    ],
)
def test_every_block_from_the_first_affected_one_on_has_another_hash(other, first_difference):
    """Failure 14: block hashes cover the images that overlap them, and all before them."""
    size = 8
    mine, theirs = PromptChain(images(("a", 8, 20)), size), PromptChain(other, size)
    same = [mine.hash_of(i) == theirs.hash_of(i) for i in range(len(mine) // size)]
    assert same == [(i + 1) * size <= first_difference for i in range(len(same))]


def test_swapped_images_differ_from_the_first_on_even_within_one_block():
    one = PromptChain(images(("a", 8, 4), ("b", 12, 4)), 16)
    two = PromptChain(images(("b", 8, 4), ("a", 12, 4)), 16)
    assert not any(one.hash_of(i) == two.hash_of(i) for i in range(3))


def test_paths_are_compared_token_by_token_to_the_start():
    def path(*pieces: tuple[int, ...]) -> TokenPath | None:
        node = None
        for piece in pieces:
            node = TokenPath(piece, node)
        return node

    assert same_path(None, None)
    assert same_path(path((1, 2), (3,)), path((1, 2), (3,)))
    assert not same_path(path((1, 2), (3,)), path((1, 9), (3,)))
    assert not same_path(path((3,)), path((1, 2), (3,)))
    assert not same_path(path((1, 2), (3,)), path((3,)))
    assert not same_path(None, path((1,)))
    assert not same_path(path((1,)), None)


def test_a_chain_adopts_stored_paths_in_order_only():
    chain = PromptChain(range(8), 4)
    stored = TokenPath((0, 1, 2, 3))
    assert chain.path_before(1).tokens == stored.tokens
    chain.adopt(1, TokenPath((4, 5, 6, 7)))
    chain.adopt(0, stored)
    assert chain.path_before(1) is stored
    assert chain.path_before(2).parent is stored


KEYS = st.lists(st.lists(st.integers(0, 3), min_size=1, max_size=5).map(tuple), max_size=12, unique=True)


@given(KEYS, st.lists(st.integers(0, 3), min_size=1, max_size=6).map(tuple))
def test_siblings_are_found_by_what_they_share(keys, wanted):
    index = SiblingIndex()
    for i, key in enumerate(keys):
        index.insert(b"p", published(i, key))
    shares = {
        key: next((i for i, (a, b) in enumerate(zip(key, wanted, strict=False)) if a != b), min(len(key), len(wanted)))
        for key in keys
    }
    found = list(index.by_common_prefix(b"p", wanted))
    assert {b.tokens: n for b, n in found} == {key: n for key, n in shares.items() if n}
    assert all(a[1] >= b[1] for a, b in pairwise(found))
    prefixes = [b.tokens for b in index.prefixes(b"p", wanted)]
    assert prefixes == sorted((k for k in keys if wanted[: len(k)] == k), key=len, reverse=True)


def test_siblings_with_equal_tokens_and_families_are_kept_apart():
    index = SiblingIndex()
    twins = [published(i, (1, 2)) for i in range(3)]
    for block, parent in zip(twins, (b"p", b"p", b"q"), strict=True):
        index.insert(parent, block)
    index.remove(b"p", twins[0])
    index.remove(b"p", twins[0])
    assert index.family(b"p") == [twins[1]]
    assert index.family(b"q") == [twins[2]]
    index.remove(b"p", twins[1])
    assert index.family(b"p") == []
    assert len(index) == 1
    index.clear()
    assert len(index) == 0
    assert list(index.by_common_prefix(b"q", (1, 2))) == []
    assert list(index.prefixes(b"q", (1, 2))) == []
