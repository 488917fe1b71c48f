"""Real KV layers with values that tell token and position, so that a restored state can be checked by equality."""

from collections.abc import Sequence

import mlx.core as mx
from mlx_lm.models.cache import ArraysCache, CacheList, KVCache, QuantizedKVCache, RotatingKVCache

HEADS, SIZE = 2, 64
WINDOW = 8


def rows(tokens: Sequence[int], layer: int, dtype: mx.Dtype = mx.float32) -> mx.array:
    """Return (1, heads, n, size): a value per (token, position, layer, channel) that depends on all tokens before."""
    past, values = 0, []
    for position, token in enumerate(tokens):
        past = (past * 31 + token % 1009) % 1013
        values.append((token % 251) + position * 0.25 + past + layer * 0.5)
    column = mx.array(values, mx.float32)[None, None, :, None]
    return (column + mx.arange(SIZE)[None, None, None, :] * 0.01 + mx.arange(HEADS)[None, :, None, None]).astype(dtype)


def filled(layer, tokens, number=0, dtype=mx.float32):
    keys = rows(tokens, number, dtype)
    layer.update_and_fetch(keys, keys + 1)
    return layer


def plain(tokens, dtype=mx.float32):
    return [filled(KVCache(), tokens, i, dtype) for i in range(2)]


def quantized(tokens, dtype=mx.float32):
    return [filled(QuantizedKVCache(group_size=32, bits=8), tokens, i, dtype) for i in range(2)]


def windowed(tokens, dtype=mx.float32):
    return [filled(KVCache(), tokens, 0, dtype), filled(RotatingKVCache(max_size=WINDOW), tokens, 1, dtype)]


def recurrent(tokens, dtype=mx.float32):
    state = ArraysCache(2)
    state[0] = rows(tokens, 5, dtype)[:, 0, -1, :]
    state[1] = rows(tokens, 6, dtype)[:, 1, -1:, :]
    return [filled(KVCache(), tokens, 0, dtype), state]


def nested(tokens, dtype=mx.float32):
    return [CacheList(filled(KVCache(), tokens, 0, dtype), filled(RotatingKVCache(max_size=WINDOW), tokens, 1, dtype))]


KINDS = {"plain": plain, "quantized": quantized, "windowed": windowed, "recurrent": recurrent, "nested": nested}


def same_bits(left, right) -> bool:
    """Whether two snapshots hold the same layers, bit for bit."""
    a, b = left.arrays(), right.arrays()
    return left.meta() == right.meta() and all(
        mx.array_equal(a[n].view(mx.uint8), b[n].view(mx.uint8)).item() for n in a
    )
