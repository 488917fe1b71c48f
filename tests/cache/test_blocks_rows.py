"""Rows of blocks joined into one array, by either way of joining."""

from __future__ import annotations

import mlx.core as mx
import numpy as np
import pytest

from app.cache.block_rows import RowSlice, join_rows

DTYPES = [mx.float32, mx.float16, mx.bfloat16, mx.uint32, mx.int8]


def block(rows: int, start: int, dtype: mx.Dtype) -> mx.array:
    array = mx.arange(start, start + 2 * 3 * rows * 4).reshape(2, 3, rows, 4).astype(dtype)
    mx.eval(array)
    return array


def bits(array: mx.array) -> bytes:
    return np.asarray(mx.contiguous(array).view(mx.uint8)).tobytes()


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("gpu", [False, True], ids=["copied", "concatenated"])
def test_rows_are_joined_in_order_bit_by_bit(monkeypatch, dtype, gpu):
    """The second way is what a GPU does; here it runs on the CPU too, since only the choice is tested."""
    if gpu:
        monkeypatch.setattr("app.cache.block_rows._on_cpu", lambda: False)
    first, second, third = (block(rows, start, dtype) for rows, start in ((5, 0), (4, 7), (6, 31)))
    joined = join_rows([RowSlice(first, 2), RowSlice(second), RowSlice(third, 0, 3)])
    expected = mx.concatenate([first[..., 2:, :], second, third[..., :3, :]], axis=-2)
    assert joined.dtype == dtype
    assert joined.shape == (2, 3, 10, 4)
    assert bits(joined) == bits(expected)


def test_a_single_whole_block_is_not_copied_and_a_part_of_one_is():
    only = block(5, 0, mx.float32)
    assert join_rows([RowSlice(only)]) is only
    part = join_rows([RowSlice(only, 1, 4)])
    assert bits(part) == bits(only[..., 1:4, :])
    assert len(RowSlice(only, 1, 4)) == 3
    assert len(RowSlice(only)) == 5


def test_a_joined_array_is_independent_of_its_blocks():
    first, second = block(3, 0, mx.float32), block(3, 50, mx.float32)
    joined = join_rows([RowSlice(first), RowSlice(second)])
    first[0, 0, 0, 0] = 99
    joined[0, 0, 1, 0] = 77
    assert joined[0, 0, 0, 0].item() == 0
    assert first[0, 0, 1, 0].item() == 4
