"""Index and folder brought into agreement: nothing wrong is taken in, nothing right is lost."""

import numpy as np
import pytest

from app.cache.disk.buffers import HostArray
from app.cache.disk.entry_file import EntryHeader, write_entry
from app.cache.disk.folder import CacheFolder
from app.cache.disk.index import DiskIndex
from app.cache.disk.recovery import reconcile, verify
from app.cache.disk.token_keys import encode_tokens, prefix_key


class Place:
    def __init__(self, folder):
        self.folder = CacheFolder(folder)
        self.index = DiskIndex(self.folder.index_path)
        self.damaged = []

    def write(self, tokens, start=0, parent="", end=None, own=None):
        key = prefix_key("n", tokens)
        encoded = encode_tokens(tokens[start:] if own is None else own)
        arrays = {"tokens": HostArray("U8", np.frombuffer(encoded, dtype=np.uint8))}
        header = EntryHeader("kv", "n", key, parent, start, end or len(tokens), {"cuttable": True, "sliced": ["a"]})
        path = self.folder.entry_path(f"{key}-{start}.safetensors")
        write_entry(path, header, arrays)
        return key, path

    def reconcile(self):
        return reconcile(self.folder, self.index, lambda name, reason: self.damaged.append(reason))

    def verify(self):
        return verify(self.folder, self.index, lambda name, reason: self.damaged.append(reason))


@pytest.fixture
def place(tmp_path):
    made = Place(tmp_path)
    yield made
    made.index.close()
    made.folder.close()


def test_files_without_a_row_are_taken_in_parents_first(place):
    root, _ = place.write(range(10))
    child, _ = place.write([*range(10), 7, 8], 10, root)
    assert place.reconcile() == 2
    assert [row.key for row in place.index.all()] == [root, child]
    assert place.index.all()[1].first == encode_tokens([7])


def test_rows_without_a_file_are_forgotten_with_what_continues_them(place):
    root, path = place.write(range(10))
    place.write([*range(10), 7], 10, root)
    place.reconcile()
    path.unlink()
    assert place.reconcile() == 0
    assert list(place.folder.files()) == []


def test_a_continuation_without_its_beginning_is_set_aside(place):
    place.write([*range(10), 7], 10, "no such entry")
    assert place.reconcile() == 0
    assert place.damaged == ["the entry it continues is gone"]


def test_a_file_whose_tokens_do_not_fit_is_set_aside(place):
    place.write(range(10), end=12)
    assert place.reconcile() == 0
    assert "describes 12 tokens and has 10" in place.damaged[0]


def test_headers_that_cannot_be_read_are_set_aside(place):
    _, path = place.write(range(10))
    path.write_bytes(b"nothing of ours")
    assert place.reconcile() == 0
    assert len(place.folder.quarantined()) == 0, "the caller decides what happens to damaged files"
    assert len(place.damaged) == 1


def test_an_entry_under_another_name_is_found_out(place):
    _, path = place.write(range(10))
    place.reconcile()
    other, _ = place.write(range(20))
    (place.folder.entry_path(f"{other}-0.safetensors")).replace(path)
    assert [reason for _, reason in place.verify()] == ["it holds another entry than the index says"]
