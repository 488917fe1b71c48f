"""The tier's folder: ours alone, locked, and forgiving when others meddle."""

import os
import shutil

import pytest

from app.cache.disk.folder import SUBFOLDER, CacheFolder
from app.errors import UserError

NAME = f"{'ab' * 32}-0.safetensors"


@pytest.fixture
def folder(tmp_path):
    made = CacheFolder(tmp_path)
    yield made
    made.close()


def test_names_that_are_not_ours_are_never_removed(folder):
    with pytest.raises(ValueError, match="not a file of this cache"):
        folder.remove("../../holiday.png")


def test_what_is_gone_already_is_no_trouble(folder):
    assert folder.remove(NAME) == 0
    assert not folder.set_aside(NAME)
    shutil.rmtree(folder.root)
    assert folder.vanished
    assert list(folder.files()) == []
    assert folder.free_bytes() == 0
    assert folder.minimum_free(5) == 5
    folder.reopen()
    assert not folder.vanished


def test_the_minimum_free_is_a_share_of_the_volume_but_never_little(folder):
    total = shutil.disk_usage(folder.root).total
    assert folder.minimum_free(1, 0.5) == total // 2
    assert folder.minimum_free(total * 2) == total * 2


def test_damaged_files_are_kept_apart_oldest_first(folder):
    for age, digit in ((20, "a"), (10, "b")):
        name = f"{digit * 64}-0.safetensors"
        folder.entry_path(name).write_bytes(b"x")
        os.utime(folder.entry_path(name), (1000 - age, 1000 - age))
        assert folder.set_aside(name)
    assert [found.name[0] for found in folder.quarantined()] == ["a", "b"]


def test_a_link_in_place_of_the_folder_is_refused(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / SUBFOLDER).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(UserError, match="is a link"):
        CacheFolder(tmp_path)


def test_a_lock_that_cannot_be_made_is_said_in_words(tmp_path):
    CacheFolder(tmp_path).close()
    (tmp_path / SUBFOLDER / "lock").unlink()
    (tmp_path / SUBFOLDER / "lock").mkdir()
    with pytest.raises(UserError, match="cannot be written"):
        CacheFolder(tmp_path)
