"""The count-limited whole-entry cache, identities, and the public face of the package."""

from __future__ import annotations

import subprocess
import sys
import threading
from dataclasses import replace

import pytest

import app.cache
from app.cache.identity import CacheIdentity, digest_of, files_digest, weights_digest
from app.cache.prefix import PrefixCacheManager
from tests.cache.oracle import OracleModel, readable

MODEL = OracleModel()


def test_stored_sequences_and_what_a_third_one_reuses():
    cache = PrefixCacheManager("m")
    for tokens in ([1, 2], [1, 2, 3, 4, 5]):
        assert cache.store_cache(tokens, MODEL.cold(tokens))
    live, rest = cache.fetch_cache([1, 2, 3, 9])
    assert rest == [9]
    assert readable(live) == readable(MODEL.cold([1, 2, 3]))
    hybrid = OracleModel(("KVCache", "ArraysCache"))
    bounded = PrefixCacheManager("m")
    for tokens in ([1, 2], [1, 2, 3, 4, 5]):
        bounded.store_cache(tokens, hybrid.cold(tokens))
    live, rest = bounded.fetch_cache([1, 2, 3, 9])
    assert rest == [3, 9]
    assert readable(live) == readable(hybrid.cold([1, 2]))


def test_count_limit_statistics_and_clearing():
    cache = PrefixCacheManager(max_entries=2)
    for first in (10, 20, 30):
        cache.store_cache([first, 1, 2], MODEL.cold([first, 1, 2]))
    assert len(cache) == 2
    assert cache.fetch_cache([10, 1, 2])[0] is None
    assert cache.fetch_cache([20, 1, 2])[1] == [2]
    cache.store_cache([40, 1], MODEL.cold([40, 1]))
    assert [20, 1, 2] in cache
    assert [30, 1, 2] not in cache
    stats = cache.get_stats()
    assert (stats["hits"], stats["misses"], stats["total_queries"], stats["hit_rate"]) == (1, 1, 2, 0.5)
    assert (stats["tokens_saved"], stats["evictions"]) == (2, 2)
    cache.reset_stats()
    assert cache.get_stats()["total_queries"] == 0
    assert len(cache) == 2
    cache.store_cache([40, 1], MODEL.cold([40, 1]))
    assert len(cache) == 2
    cache.clear()
    assert len(cache) == 0
    with pytest.raises(ValueError, match="max_entries"):
        PrefixCacheManager(max_entries=0)


def test_every_part_of_an_identity_changes_its_digest():
    base = CacheIdentity(
        "w", {"bits": 4}, "", "t", "c", {"theta": 1e6}, (("KVCache", 0),), {"max_pixels": 9}, {"mlx": "1"}
    )
    changed = [
        replace(base, weights="w2"),
        replace(base, quantization={"bits": 8}),
        replace(base, adapter="lora"),
        replace(base, tokenizer="t2"),
        replace(base, chat_template="c2"),
        replace(base, rope={"theta": 1e5}),
        replace(base, layout=(("RotatingKVCache", 512),)),
        replace(base, processor={"max_pixels": 8}),
        replace(base, versions={"mlx": "2"}),
        replace(base, format_version=2),
    ]
    digests = {identity.digest for identity in [base, *changed]}
    assert len(digests) == len(changed) + 1
    assert all(len(digest) == 64 for digest in digests)
    assert replace(base).digest == base.digest
    assert digest_of({"a": [1, 23]}) != digest_of({"a": [12, 3]})


def test_weights_are_told_apart_without_reading_them(tmp_path):
    shard, index = tmp_path / "model.safetensors", tmp_path / "model.safetensors.index.json"
    header = b'{"w":{"dtype":"F32"}}'
    shard.write_bytes(len(header).to_bytes(8, "little") + header + bytes(100))
    seen = {weights_digest(tmp_path)}
    shard.write_bytes(len(header).to_bytes(8, "little") + header + bytes(101))
    seen.add(weights_digest(tmp_path))
    shard.write_bytes(len(header).to_bytes(8, "little") + header.replace(b"F32", b"F16") + bytes(101))
    seen.add(weights_digest(tmp_path))
    index.write_text("{}")
    seen.add(weights_digest(tmp_path))
    assert len(seen) == 4
    assert files_digest(tmp_path, ("a.json",)) != files_digest(tmp_path, ("b.json",))
    (tmp_path / "a.json").write_text("x")
    assert len(files_digest(tmp_path, ("a.json",))) == 64


def test_all_public_names_can_be_imported_and_nothing_heavy_comes_with_the_package():
    for name in app.cache.__all__:
        assert getattr(app.cache, name) is not None
    assert dir(app.cache) == app.cache.__all__
    with pytest.raises(AttributeError):
        app.cache.nothing_of_the_kind  # noqa: B018
    heavy = "('mlx', 'mlx_lm', 'mlx_vlm', 'PIL', 'PySide6', 'sqlite3')"
    code = f"import sys, app.cache; print([m for m in {heavy} if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout == "[]\n"


def test_figures_can_be_read_from_other_threads_while_one_writes():
    cache = PrefixCacheManager(max_entries=20)
    states = {n: MODEL.cold([n, 1, 2, 3]) for n in range(40)}
    wrong, done = [], threading.Event()

    def read() -> None:
        while not done.is_set():
            row, stats = cache.row(), cache.get_stats()
            if (
                row.entries > 20
                or row.nbytes % (4 * 2 * 2 * 32 * 4)
                or stats["hits"] + stats["misses"] != stats["total_queries"]
            ):
                wrong.append(row)

    readers = [threading.Thread(target=read) for _ in range(3)]
    for reader in readers:
        reader.start()
    for round_ in range(10):
        for n, state in states.items():
            cache.store_cache([n, 1, 2, 3], state)
            cache.fetch_cache([n, 1, 2, 9])
        if round_ == 5:
            cache.clear()
    done.set()
    for reader in readers:
        reader.join()
    assert not wrong


def test_eight_threads_on_images_that_differ_in_one_pixel_each_get_their_own_state():
    from app.cache.media import MediaSpan, salt_tokens

    cache, failures = PrefixCacheManager(max_entries=30), []
    keys = [salt_tokens(range(20), [MediaSpan(8, 4, f"image {n}")]) for n in range(20)]
    cold = [MODEL.cold(key) for key in keys]
    right = [readable(state) for state in cold]
    lock = threading.Lock()

    def ask(worker: int) -> None:
        for step in range(25):
            n = (worker * 7 + step * 3) % 20
            found = cache.lookup((*keys[n], 99))
            if found.reused == 20:
                with lock:
                    same = readable(found.cache) == right[n]
                if not same:
                    failures.append(n)
            elif found.reused > 8:
                failures.append((n, found.reused))
            cache.save(keys[n], cold[n])

    workers = [threading.Thread(target=ask, args=(n,)) for n in range(8)]
    for worker in workers:
        worker.start()
    for worker in workers:
        worker.join()
    assert not failures
    assert cache.get_stats()["hits"] >= 180
