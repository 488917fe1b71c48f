"""``python -m app bench ssd``: what the disk tier costs beside moving the same bytes raw, all in one run."""

from __future__ import annotations

import os
import statistics
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

import mlx.core as mx

from app.bench.timing import timed
from app.cache.disk.folder import SUBFOLDER
from app.cache.disk.index import DiskIndex, IndexRow
from app.cache.disk.token_keys import GRID, chunk_digests, encode_tokens, prefix_key
from app.cache.snapshot import Snapshot
from app.cache.ssd import SSDCacheConfig, SSDCacheTier

MIB = 1024**2


def run(megabytes: int = 64, repeats: int = 5, entries: int = 10_000) -> dict[str, Any]:
    """Measure promote and spill against raw reads and writes, start-up and look-up with many entries.

    Args:
        megabytes: size of the entry that is spilled and promoted, MiB.
        repeats: runs of which the median counts.
        entries: entries in the index for start-up and look-up.

    Returns:
        Ratios (raw seconds / ours, 1.0 is as fast as raw) and seconds.
    """
    with tempfile.TemporaryDirectory() as folder:
        moved = _throughput(Path(folder) / "moved", megabytes, repeats)
        many = _many_entries(Path(folder) / "many", entries, repeats)
    return {"entry_mib": megabytes, "repeats": repeats, **moved, **many}


def _throughput(folder: Path, megabytes: int, repeats: int) -> dict[str, float]:
    folder.mkdir()
    tokens, snapshot = _state(megabytes)
    figures: dict[str, list[float]] = {"write_raw": [], "spill": [], "read_raw": [], "promote": []}
    for number in range(repeats):
        payload = os.urandom(MIB) * megabytes
        figures["write_raw"].append(timed(partial(_write, folder / "raw", payload)))
        tier = SSDCacheTier(SSDCacheConfig(folder / str(number), min_free_bytes=0))
        tier.start_writer()
        tier.flush()

        def spill(tier: SSDCacheTier = tier) -> None:
            tier.enqueue_spill(tokens, snapshot)
            tier.flush(60)

        figures["spill"].append(timed(spill))
        found = tier.lookup_ssd(tokens)
        if found is None:
            raise RuntimeError(f"the spilled state was not found: {tier.get_stats()['last_error']}")
        figures["promote"].append(timed(partial(tier.load, found)))
        path = Path(found["file_path"])
        figures["read_raw"].append(timed(path.read_bytes))
        tier.clear()
        tier.close()
    medians = {name: statistics.median(values) for name, values in figures.items()}
    return {
        "spill_to_raw_write": medians["write_raw"] / medians["spill"],
        "promote_to_raw_read": medians["read_raw"] / medians["promote"],
        **{f"{name}_seconds": value for name, value in medians.items()},
    }


def _many_entries(folder: Path, entries: int, repeats: int) -> dict[str, float]:
    """Fill an index with rows (files are not needed for opening and finding) and time both."""
    config = SSDCacheConfig(folder, max_entries=entries * 2)
    SSDCacheTier(config).close()
    index = DiskIndex(folder / SUBFOLDER / "index.sqlite3")
    shared = tuple(range(500))
    root = (*shared, *range(100))
    parent = prefix_key("", root)
    with index.bulk():
        index.add(_row(parent, "", 0, root), chunk_digests("", root))
        for number in range(1, entries):
            tokens = (*shared, *(number * 1000 + i for i in range(100)))
            digests = chunk_digests("", tokens)
            row = _row(prefix_key("", tokens, digests), parent, len(shared), tokens)
            index.add(row, digests[len(shared) // GRID :])
    index.close()
    opened = []
    for _ in range(repeats):
        started = time.perf_counter()
        tier = SSDCacheTier(config)
        opened.append(time.perf_counter() - started)
        tier.close()
    tier = SSDCacheTier(config)
    asked = [(*shared, *(n * 1000 + i for i in range(100)), 1, 2) for n in range(0, entries, max(1, entries // 50))]
    looked = [timed(partial(tier.lookup_ssd_prefix, tokens)) for tokens in asked]
    tier.close()
    return {
        "entries": entries,
        "open_seconds": statistics.median(opened),
        "lookup_seconds_median": statistics.median(looked),
        "lookup_seconds_max": max(looked),
    }


def _row(key: str, parent: str, start: int, tokens: tuple[int, ...]) -> IndexRow:
    first = encode_tokens(tokens[start : start + 1]) if parent else b""
    encoded = encode_tokens(tokens[start:])
    return IndexRow(0, "kv", "", key, parent, start, first, len(tokens), True, True, encoded, key, 1, 0, time.time())


def _state(megabytes: int) -> tuple[tuple[int, ...], Snapshot]:
    from mlx_lm.models.cache import KVCache

    heads, size, layers = 4, 64, 8
    tokens = megabytes * MIB // (layers * 2 * heads * size * 4)
    caches = []
    for _ in range(layers):
        cache = KVCache()
        keys = mx.random.normal((1, heads, tokens, size))
        cache.update_and_fetch(keys, keys + 1)
        caches.append(cache)
    return tuple(range(tokens)), Snapshot.take(caches, tokens)


def _write(path: Path, payload: bytes) -> None:
    with path.open("wb") as file:
        file.write(payload)
        file.flush()
        os.fsync(file.fileno())
