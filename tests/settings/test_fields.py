from __future__ import annotations

import os
from pathlib import Path

import pytest

from app.blas import THREADS_VARIABLE
from app.cache.config import MIB, CacheConfig
from app.settings.convert import put_into_environment, to_cache_config
from app.settings.declarations import Settings
from app.settings.docs import markdown
from app.settings.fields import BadSetting, FieldInfo, changed, describe, differences, value_of

FIELDS = describe()


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_every_setting_explains_itself(field: FieldInfo) -> None:
    assert field.title[0].isupper()
    assert not field.title.endswith(".")
    assert field.help.endswith(".")
    assert "!" not in field.help + field.title
    if field.type in ("int", "float"):
        assert field.minimum is not None
        assert field.maximum is not None
        assert field.minimum <= field.default <= field.maximum
    if field.type == "choice":
        assert field.default in field.choices


@pytest.mark.parametrize("field", FIELDS, ids=lambda field: field.name)
def test_the_default_is_what_stands_in_fresh_settings(field: FieldInfo) -> None:
    assert value_of(Settings(), field) == field.default
    assert changed(Settings(), field.section, field.key, field.default) == Settings()


@pytest.mark.parametrize("field", [f for f in FIELDS if f.type in ("int", "float")], ids=lambda field: field.name)
def test_numbers_outside_the_range_are_refused_with_the_range(field: FieldInfo) -> None:
    assert field.minimum is not None
    assert field.maximum is not None
    for bad in (field.minimum - 1, field.maximum + 1, "7", True, float("nan")):
        with pytest.raises(BadSetting) as caught:
            changed(Settings(), field.section, field.key, bad)
        assert field.allowed in str(caught.value)
        assert caught.value.subject == field.name


def test_a_changed_copy_leaves_the_original_alone() -> None:
    before = Settings()
    after = changed(before, "caches", "prefix_mb", 100)
    assert (before.caches.prefix_mb, after.caches.prefix_mb) == (2048, 100)
    assert [field.name for field in differences(before, after)] == ["caches.prefix_mb"]


def test_an_unknown_setting_is_our_mistake() -> None:
    with pytest.raises(KeyError):
        changed(Settings(), "caches", "prefix_gb", 1)


def test_lists_and_whole_numbers_are_taken_as_people_write_them() -> None:
    assert changed(Settings(), "generation", "stop", ["a", "b"]).generation.stop == ("a", "b")
    assert changed(Settings(), "ssd", "size_gb", 5).ssd.size_gb == 5.0


def test_the_default_budgets_are_those_of_the_caches() -> None:
    ours = to_cache_config(Settings())
    theirs = CacheConfig()
    assert (ours.prefix_kind, ours.prefix_bytes, ours.vision_bytes) == (
        theirs.prefix_kind,
        theirs.prefix_bytes,
        theirs.vision_bytes,
    )
    assert (ours.block_size, ours.max_entries, ours.min_prefix_tokens) == (
        theirs.block_size,
        theirs.max_entries,
        theirs.min_prefix_tokens,
    )
    assert (ours.kv_quantize, ours.kv_bits, ours.kv_group_size) == (
        theirs.kv_quantize,
        theirs.kv_bits,
        theirs.kv_group_size,
    )
    assert ours.ssd_bytes == theirs.ssd_bytes


def test_settings_reach_the_caches_in_their_units(tmp_path: Path) -> None:
    settings = Settings()
    for section, key, value in (
        ("caches", "prefix_mb", 100),
        ("caches", "vision_mb", 0),
        ("caches", "prefix_kind", "paged"),
        ("ssd", "enabled", True),
        ("ssd", "directory", str(tmp_path)),
        ("ssd", "size_gb", 0.5),
        ("ssd", "retention_days", 2),
    ):
        settings = changed(settings, section, key, value)
    config = to_cache_config(settings)
    assert (config.prefix_bytes, config.vision_bytes, config.prefix_kind) == (100 * MIB, 0, "paged")
    assert (config.ssd_dir, config.ssd_bytes, config.ssd_retention_seconds) == (tmp_path, 512 * MIB, 2 * 86400)
    assert to_cache_config(changed(settings, "ssd", "enabled", False)).ssd_dir is None
    assert to_cache_config(changed(settings, "ssd", "retention_days", 0)).ssd_retention_seconds is None


def test_the_disk_cache_lives_in_the_data_folder_unless_told_otherwise(fresh_folders: Path) -> None:
    config = to_cache_config(changed(Settings(), "ssd", "enabled", True))
    assert config.ssd_dir == fresh_folders / "data" / "cache"


def test_the_number_of_threads_goes_where_the_library_looks(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(THREADS_VARIABLE, "unset")
    monkeypatch.delenv(THREADS_VARIABLE)
    put_into_environment(Settings())
    assert THREADS_VARIABLE not in os.environ
    put_into_environment(changed(Settings(), "advanced", "blas_threads", 3))
    assert os.environ[THREADS_VARIABLE] == "3"
    put_into_environment(changed(Settings(), "advanced", "blas_threads", 5))
    assert os.environ[THREADS_VARIABLE] == "3", "the environment wins"


def test_the_page_in_docs_is_current() -> None:
    page = Path(__file__).parents[2] / "docs" / "settings.md"
    assert page.read_text(encoding="utf-8") == markdown(), "run: python -m app settings --docs > docs/settings.md"
