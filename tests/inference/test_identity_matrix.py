"""Identity: whatever makes stored state wrong makes it unfindable, and what belongs together is found again.

Reports behind it (numbers of the list of known failures): 22 old entries served after a change of weights, adapter,
tokenizer, template, libraries, KV bits, rotary settings or image processor; 23 a folder named by the model's name only;
24 an adapter's state served to another; 25 a folder that grew without bound; 26 a switch of models that wiped the first
one's entries.
"""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from mlx_lm.models.cache import KVCache

from app.cache.config import CacheConfig
from app.cache.identity import CacheIdentity
from app.cache.stack import CacheStack
from app.inference.checkpoint import read_config
from app.inference.families.base import FamilyAdapter
from app.inference.identity import cache_identity
from app.paths import demo_model_dir
from tests.cache.disk.states import filled

TOKENS = tuple(range(1, 201))
FIRST = CacheIdentity(
    weights="w",
    quantization={"bits": 4, "group_size": 64},
    adapter="",
    tokenizer="t",
    chat_template="c",
    rope={"rope_theta": 10000.0},
    layout=("mlx_lm.KVCache", "float32"),
    processor={"max_pixels": 1000},
    versions={"mlx": "0.32.4"},
)
CHANGES: dict[str, dict[str, object]] = {
    "format version": {"format_version": 2},
    "weights": {"weights": "v"},
    "quantization": {"quantization": {"bits": 8, "group_size": 64}},
    "adapter": {"adapter": "a"},
    "tokenizer": {"tokenizer": "u"},
    "chat template": {"chat_template": "d"},
    "library": {"versions": {"mlx": "0.32.5"}},
    "layers": {"layout": ("mlx_lm.RotatingKVCache1024", "float32")},
    "rotary settings": {"rope": {"rope_theta": 10000.0, "rope_scaling": {"factor": 4.0}}},
    "image processor": {"processor": {"max_pixels": 2000}},
}


@contextmanager
def opened(folder: Path, identity: CacheIdentity, **config: object) -> Iterator[CacheStack]:
    stack = CacheStack(CacheConfig(ssd_dir=folder, **config))
    stack.bind(identity)
    yield stack
    stack.close()


def store(stack: CacheStack) -> None:
    assert stack.prompts.save(TOKENS, [filled(KVCache(), TOKENS)])


def reused(stack: CacheStack) -> int:
    return stack.prompts.lookup((*TOKENS, 9)).reused


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES.keys())
def test_a_change_finds_nothing_and_going_back_finds_everything(tmp_path: Path, change: dict[str, object]) -> None:
    with opened(tmp_path, FIRST) as stack:
        store(stack)
    with opened(tmp_path, replace(FIRST, **change)) as stack:
        assert reused(stack) == 0
    with opened(tmp_path, FIRST) as stack:
        assert reused(stack) == len(TOKENS)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"kv_quantize": True, "kv_bits": 4}, {}),
        ({"kv_quantize": True, "kv_bits": 4}, {"kv_quantize": True, "kv_bits": 8}),
        ({"kv_quantize": True, "kv_group_size": 32}, {"kv_quantize": True, "kv_group_size": 64}),
    ],
)
def test_state_stored_at_a_loss_is_not_served_where_another_loss_or_none_was_chosen(
    tmp_path: Path, first: dict[str, object], second: dict[str, object]
) -> None:
    with opened(tmp_path, FIRST, **first) as stack:
        store(stack)
    with opened(tmp_path, FIRST, **second) as stack:
        assert reused(stack) == 0
    with opened(tmp_path, FIRST, **first) as stack:
        assert reused(stack) == len(TOKENS)


def test_adapters_in_turn_find_only_their_own(tmp_path: Path) -> None:
    first, second, none = (replace(FIRST, adapter=name) for name in ("a", "b", ""))
    with opened(tmp_path, first) as stack:
        found = []
        for identity in (first, second, none, first):
            stack.bind(identity)
            found.append(reused(stack))
            if not found[-1]:
                store(stack)
            stack.release(identity)
            assert stack.ssd is not None
            assert stack.ssd.flush()
        assert found == [0, 0, 0, len(TOKENS)]


def test_the_limit_of_the_folder_holds_over_models_and_neither_is_wiped_without_need(tmp_path: Path) -> None:
    other = replace(FIRST, weights="other")
    limit = 1024 * 1024
    with opened(tmp_path, FIRST, ssd_bytes=limit) as stack:
        store(stack)
        stack.release(FIRST)
        stack.bind(other)
        store(stack)
        stack.release(other)
    assert sum(path.stat().st_size for path in tmp_path.rglob("*") if path.is_file()) <= limit
    with opened(tmp_path, FIRST, ssd_bytes=limit) as stack:
        assert reused(stack) == len(TOKENS)


# What is really on the disk


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return Path(shutil.copytree(demo_model_dir(), tmp_path / "model"))


def digest(adapter: FamilyAdapter, folder: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the identity of the demo model as it would be if it had been opened from ``folder``."""
    opened_from = replace(adapter.checkpoint, path=folder, config=read_config(folder, "model"))
    monkeypatch.setattr(adapter, "checkpoint", opened_from)
    return cache_identity(adapter).digest


def change_json(path: Path, **values: object) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text()), **values}))


def replace_shard(folder: Path) -> None:
    """One byte of a tensor, size unchanged, as an updated checkpoint of the same shape has it."""
    path = folder / "model.safetensors"
    content = bytearray(path.read_bytes())
    content[-1] ^= 1
    path.write_bytes(content)


DISK_CHANGES = {
    "shard": replace_shard,
    "template": lambda folder: (folder / "chat_template.jinja").write_text("{{ messages }}"),
    "tokenizer": lambda folder: change_json(folder / "tokenizer_config.json", add_bos_token=True),
    "rotary settings": lambda folder: change_json(folder / "config.json", rope_theta=5000.0),
    "image processor": lambda folder: change_json(folder / "preprocessor_config.json", max_pixels=20_000),
}


@pytest.mark.parametrize("change", DISK_CHANGES.values(), ids=DISK_CHANGES.keys())
def test_replacing_a_part_of_the_folder_changes_the_identity(
    demo: FamilyAdapter, folder: Path, monkeypatch: pytest.MonkeyPatch, change
) -> None:
    before = digest(demo, folder, monkeypatch)
    assert digest(demo, folder, monkeypatch) == before
    change(folder)
    assert digest(demo, folder, monkeypatch) != before


def test_a_second_folder_with_the_same_content_shares_the_identity(
    demo: FamilyAdapter, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = digest(demo, folder, monkeypatch)
    second = Path(shutil.copytree(folder, tmp_path / "elsewhere" / "another name"))
    assert digest(demo, second, monkeypatch) == before
    linked = tmp_path / "snapshot"
    linked.mkdir()
    for path in folder.iterdir():
        os.symlink(path, linked / path.name)
    assert digest(demo, linked, monkeypatch) == before
