"""Micro-benchmark of the caches: look-up, store and eviction, block rebuild against a plain copy, leaks.

Absolute times depend on the machine; what must hold anywhere are the limits named in ``LIMITS`` and the ratios. The
arrays are made up, no model is needed.
"""

from __future__ import annotations

import gc
import json
import random
import statistics
from collections.abc import Callable, Sequence
from typing import Any

import mlx.core as mx

from app.bench.timing import timed
from app.cache.config import MIB
from app.cache.index import PrefixIndex
from app.cache.layers import concat_layers
from app.cache.memory import MemoryAwarePrefixCache, MemoryCacheConfig
from app.cache.snapshot import Snapshot

LIMITS = {"lookup_ms": 1.0}
"""A look-up for a 20,000-token prompt among 1,000 entries that share their first 10,000 tokens: below 1 ms."""
SHARED, TOTAL, ENTRIES = 10_000, 20_000, 1_000
HEADS, SIZE, LAYERS = 4, 64, 8


def run(quick: bool = False) -> dict[str, Any]:
    """Return all figures as plain data. ``quick`` uses fewer entries and cycles.

    Returns:
        ``lookup`` (ms by number of entries and by prompt length), ``store`` and ``evict`` (ms), ``blocks`` (ratio to a
        plain copy of the same bytes), ``leaks`` (live arrays and active bytes before and after), and ``limits``.
    """
    counts = (10, 100) if quick else (10, 100, ENTRIES)
    lookup = {
        "by_entries_ms": {str(count): lookup_ms(count, TOTAL) for count in counts},
        "by_tokens_ms": {str(total): lookup_ms(counts[-1], total) for total in (2_500, 5_000, 10_000, TOTAL)},
    }
    store, evict = store_and_evict_ms(counts[-1])
    return {
        "lookup": lookup,
        "index_store_ms": store,
        "index_evict_ms": evict,
        "blocks": block_rebuild(),
        "entry_restore": entry_restore(),
        "leaks": leaks(20 if quick else 200),
        "limits": LIMITS,
        "within_limits": lookup["by_entries_ms"][str(counts[-1])] < LIMITS["lookup_ms"],
    }


def report(figures: dict[str, Any]) -> str:
    """Return the figures as lines for a terminal."""
    return json.dumps(figures, indent=2)


def lookup_ms(entries: int, total: int) -> float:
    """Return the median time of a look-up that shares all but its last token with one of ``entries``, in ms."""
    index, keys = _filled(entries, total)
    asked = [(*_private(key[:-1]), -1) for key in random.Random(2).sample(keys, min(len(keys), 25))]
    return statistics.median(_ms(lambda key=key: index.find("model", key)) for key in asked)  # type: ignore[misc]


def store_and_evict_ms(entries: int) -> tuple[float, float]:
    """Return the median times of adding and removing one entry among ``entries``, in ms."""
    index, keys = _filled(entries, TOTAL)
    news = [_key(random.Random(-n), keys[0][:SHARED], TOTAL) for n in range(1, 12)]
    stores = [_ms(lambda key=key: index.insert("model", key, 0)) for key in news]  # type: ignore[misc]
    removes = [_ms(lambda key=key: index.remove("model", key)) for key in news]  # type: ignore[misc]
    return statistics.median(stores), statistics.median(removes)


def block_rebuild(tokens: int = 4096, block: int = 64) -> dict[str, float]:
    """Return the times of joining blocks into layers and of copying the same bytes, and their ratio."""
    snapshot = _snapshot(tokens)
    pieces = [[layer.slice(at, at + block) for at in range(0, tokens, block)] for layer in snapshot.layers]
    rebuilt = min(_ms(lambda: [concat_layers(parts) for parts in pieces]) for _ in range(5))
    copied = min(_ms(lambda: _copy(snapshot)) for _ in range(5))
    return {"mib": snapshot.nbytes / MIB, "rebuild_ms": rebuilt, "copy_ms": copied, "ratio": rebuilt / copied}


def entry_restore(tokens: int = 4096) -> dict[str, float]:
    """Return the times of restoring a whole entry and one cut in half, beside copying the same bytes."""
    snapshot = _snapshot(tokens)
    whole = min(_ms(snapshot.restore) for _ in range(5))
    half = min(_ms(lambda: snapshot.restore(tokens // 2)) for _ in range(5))
    return {"whole_ms": whole, "half_ms": half, "copy_ms": min(_ms(lambda: _copy(snapshot)) for _ in range(5))}


def leaks(cycles: int) -> dict[str, int]:
    """Store, fetch and drop an entry ``cycles`` times; return live arrays and active bytes before and after."""
    cache = MemoryAwarePrefixCache("model", MemoryCacheConfig(max_memory_mb=256, min_prefix_tokens=1))
    tokens = tuple(range(128))

    def cycle() -> None:
        cache.store(tokens, _snapshot(len(tokens)).restore())
        cache.fetch((*tokens, -1))
        cache.remove(tokens)

    for _ in range(3):
        cycle()
    before = _live()
    for _ in range(cycles):
        cycle()
    after = _live()
    return {
        "cycles": cycles,
        "arrays_before": before[0],
        "arrays_after": after[0],
        "bytes_before": before[1],
        "bytes_after": after[1],
    }


# -- made-up data ------------------------------------------------------------------------------------------------------


def _filled(entries: int, total: int) -> tuple[PrefixIndex[int], list[tuple[int, ...]]]:
    source = random.Random(1)
    base = tuple(source.getrandbits(17) for _ in range(min(SHARED, total // 2)))
    index: PrefixIndex[int] = PrefixIndex()
    keys = [_key(source, base, total) for _ in range(entries)]
    for number, key in enumerate(keys):
        index.insert("model", key, number)
    return index, keys


def _key(source: random.Random, base: tuple[int, ...], total: int) -> tuple[int, ...]:
    return (*base, *(source.getrandbits(17) for _ in range(total - len(base))))


def _private(tokens: Sequence[int]) -> tuple[int, ...]:
    """Return equal numbers that are other objects, as the ids of a new prompt are."""
    return tuple(json.loads(json.dumps(tokens)))


def _snapshot(tokens: int) -> Snapshot:
    import mlx_lm.models.cache as live

    layers = []
    for number in range(LAYERS):
        layer = live.KVCache()
        keys = mx.random.normal((1, HEADS, tokens, SIZE), key=mx.random.key(number))
        layer.update_and_fetch(keys, keys + 1)
        layers.append(layer)
    return Snapshot.take(layers, tokens)


def _copy(snapshot: Snapshot) -> None:
    mx.eval([array + 0 for array in snapshot.arrays().values()])


def _ms(work: Callable[[], object]) -> float:
    return 1000 * timed(work)


def _live() -> tuple[int, int]:
    gc.collect()
    return sum(isinstance(thing, mx.array) for thing in gc.get_objects()), int(mx.get_active_memory())
