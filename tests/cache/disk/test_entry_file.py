"""Entry files: bitwise round trips, and no damage that goes unnoticed."""

import mlx.core as mx
import numpy as np
import pytest

from app.cache.disk import faults
from app.cache.disk.buffers import HostArray, dtype_name, to_host, to_mlx
from app.cache.disk.entry_file import EntryDamaged, EntryHeader, read_entry, read_header, write_entry

DTYPES = [mx.float32, mx.float16, mx.bfloat16, mx.int8, mx.uint8, mx.int16, mx.uint16, mx.int32, mx.uint32, mx.bool_]


def bits(array):
    return np.asarray(array.view(mx.uint16) if array.dtype == mx.bfloat16 else array).tobytes()


def some_arrays():
    mx.random.seed(3)
    return {f"a.{dtype_name(mx.zeros(1, d))}": (mx.random.normal((2, 3, 5)) * 50).astype(d) for d in DTYPES}


@pytest.fixture
def entry(tmp_path):
    path = tmp_path / f"{'ab' * 32}-0.safetensors"
    header = EntryHeader("kv", "identity", "ab" * 32, "", 0, 5, {"layers": [1, None, "x"]})
    write_entry(path, header, to_host(some_arrays()))
    return path


def test_every_dtype_comes_back_bit_for_bit(entry):
    header, arrays = read_entry(entry)
    for name, array in some_arrays().items():
        back = to_mlx(header.arrays[name][0], arrays[name])
        assert back.dtype == array.dtype
        assert bits(back) == bits(array)


def test_the_header_says_what_was_written_and_the_file_is_private(entry):
    header = read_header(entry)
    assert (header.namespace, header.end, header.meta["layers"]) == ("identity", 5, [1, None, "x"])
    assert entry.stat().st_mode & 0o777 == 0o600


def test_other_programs_can_read_the_file(entry):
    loaded = mx.load(str(entry))
    assert bits(loaded["a.bfloat16"]) == bits(some_arrays()["a.bfloat16"])


def test_empty_and_scalar_tensors_round_trip(tmp_path):
    path = tmp_path / "x.safetensors"
    arrays = {"empty": mx.zeros((2, 0, 4)), "scalar": mx.array(7, mx.int32)}
    write_entry(path, EntryHeader("features", "i", "k"), to_host(arrays))
    header, back = read_entry(path)
    assert back["empty"].shape == (2, 0, 4)
    assert to_mlx(header.arrays["scalar"][0], back["scalar"]).item() == 7


def test_every_flipped_byte_is_noticed(entry):
    clean = entry.read_bytes()
    for position in range(0, len(clean), 3):
        entry.write_bytes(clean[:position] + bytes([clean[position] ^ 0x10]) + clean[position + 1 :])
        try:
            header, arrays = read_entry(entry)
        except EntryDamaged:
            continue
        # a flip in the part that only other programs read (offsets, padding) may pass, but then nothing changed
        fresh = some_arrays()
        assert all(bits(to_mlx(header.arrays[n][0], arrays[n])) == bits(a) for n, a in fresh.items()), position


def test_every_truncation_is_noticed(entry):
    clean = entry.read_bytes()
    for length in range(0, len(clean), 37):
        entry.write_bytes(clean[:length])
        with pytest.raises(EntryDamaged):
            read_entry(entry)


def test_a_foreign_file_is_not_an_entry(tmp_path):
    path = tmp_path / "foreign.safetensors"
    mx.save_safetensors(str(path), {"a": mx.zeros(3)})
    with pytest.raises(EntryDamaged, match="unreadable header"):
        read_header(path)


def test_an_older_format_is_refused(tmp_path):
    path = tmp_path / "old.safetensors"
    write_entry(path, EntryHeader("kv", "i", "k", format=0), {})
    with pytest.raises(EntryDamaged, match="format 0"):
        read_header(path)


def test_links_are_not_followed(entry, tmp_path):
    link = tmp_path / "link.safetensors"
    link.symlink_to(entry)
    with pytest.raises(OSError, match="symbolic links"):
        read_entry(link)


def test_a_failing_write_leaves_nothing(tmp_path):
    def full(name):
        if name == "tensor":
            raise OSError(28, "No space left on device")

    faults.install(full)
    try:
        with pytest.raises(OSError, match="No space"):
            write_entry(tmp_path / "x.safetensors", EntryHeader("kv", "i", "k"), to_host({"a": mx.zeros(9)}))
    finally:
        faults.install(None)
    assert list(tmp_path.iterdir()) == []


def test_complex_arrays_are_refused_by_name():
    with pytest.raises(TypeError, match="complex64"):
        to_host({"z": mx.zeros(2, mx.complex64)})


def test_a_cut_is_a_view_of_the_tokens():
    host = HostArray("F32", np.arange(24, dtype=np.float32).reshape(1, 2, 4, 3))
    assert host.cut(1, 3, 2).data.shape == (1, 2, 2, 3)
    assert host.cut(1, 3, 2).data.base is not None
