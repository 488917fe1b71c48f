"""The SSD tier on real files, as the chat meets it."""

import errno
import os
import shutil
import sqlite3
import threading
import time
from dataclasses import replace

import mlx.core as mx
import pytest

from app.cache.disk import faults
from app.cache.disk.folder import SUBFOLDER
from app.cache.events import EventBus
from app.cache.media import salt_token
from app.cache.snapshot import Snapshot
from app.cache.ssd import SSDCacheConfig, SSDCacheStats, SSDCacheTier
from app.errors import UserError
from tests.cache.disk.states import KINDS, plain, recurrent, same_bits, windowed
from tests.folders import bytes_under

MIB = 1024**2
DTYPES = [mx.float32, mx.float16, mx.bfloat16]
CHAT = (*range(40), *(salt_token("image", (1, 2, 2), i) for i in range(12)), *range(100, 130))


@pytest.fixture
def open_tier(tmp_path):
    opened = []

    def open_one(folder=None, **options):
        config = SSDCacheConfig(folder or tmp_path, **{"max_size_gb": 0.05, "min_free_bytes": 0, **options})
        tier = SSDCacheTier(config, EventBus())
        tier.start_writer()
        tier.flush()
        opened.append(tier)
        return tier

    yield open_one
    for tier in opened:
        tier.close()


def spill(tier, tokens, cache):
    snapshot = Snapshot.take(cache, len(tokens))
    assert tier.enqueue_spill(tokens, snapshot, snapshot.nbytes)
    assert tier.flush()
    return snapshot


def disk_bytes(folder):
    return bytes_under(folder / SUBFOLDER)


@pytest.mark.parametrize("dtype", DTYPES, ids=str)
@pytest.mark.parametrize("kind", KINDS)
def test_every_layer_and_dtype_comes_back_bitwise_after_a_restart(open_tier, kind, dtype):
    tier = open_tier()
    snapshot = spill(tier, CHAT, KINDS[kind](CHAT, dtype))
    tier.close()
    tier = open_tier()
    found = tier.lookup_ssd(CHAT)
    assert (found["match_type"], found["num_tokens"]) == ("exact", len(CHAT))
    assert same_bits(tier.load(found), snapshot)


@pytest.mark.parametrize("kind", ["plain", "quantized"])
def test_a_growing_chat_writes_only_its_new_part(open_tier, kind):
    tier = open_tier()
    spill(tier, CHAT, KINDS[kind](CHAT))
    first = tier.get_stats()["spill_bytes"]
    longer = (*CHAT, *range(300, 308))
    snapshot = spill(tier, longer, KINDS[kind](longer))
    assert tier.get_stats()["spill_bytes"] - first < first / 3
    assert same_bits(tier.load(tier.lookup_ssd(longer)), snapshot)


def test_identical_state_is_not_written_twice(open_tier):
    tier = open_tier()
    for _ in range(5):
        spill(tier, CHAT, plain(CHAT))
    shorter = CHAT[:30]
    spill(tier, shorter, plain(shorter))
    stats = tier.get_stats()
    assert (stats["spill_count"], stats["unchanged"], stats["entries"]) == (1, 5, 1)


def test_an_edit_branches_off_in_the_middle_and_both_sides_come_back(open_tier):
    tier = open_tier()
    edited = (*CHAT[:60], *range(700, 720))
    snapshots = {tokens: spill(tier, tokens, plain(tokens)) for tokens in (CHAT, edited)}
    for tokens, snapshot in snapshots.items():
        assert same_bits(tier.load(tier.lookup_ssd(tokens)), snapshot)


def test_the_longest_prefix_is_found_and_cut(open_tier):
    tier = open_tier()
    snapshot = spill(tier, CHAT, plain(CHAT))
    found = tier.lookup_ssd_prefix((*CHAT[:70], 1, 2, 3))
    assert (found["match_type"], found["matched_tokens"]) == ("prefix", 70)
    assert same_bits(tier.load(found), snapshot.cut(70))
    assert same_bits(tier.load(found, 40), snapshot.cut(40))


@pytest.mark.parametrize("make", [windowed, recurrent])
def test_states_that_cannot_be_cut_serve_only_at_their_end(open_tier, make):
    tier = open_tier()
    snapshots = [spill(tier, tokens, make(tokens)) for tokens in (CHAT[:50], CHAT)]
    assert tier.lookup_ssd_prefix(CHAT[:45]) is None
    assert tier.lookup_ssd_prefix(CHAT[:60])["matched_tokens"] == 50
    assert tier.lookup_ssd_prefix(CHAT, most=len(CHAT) - 1)["matched_tokens"] == 50
    assert same_bits(tier.load(tier.lookup_ssd(CHAT)), snapshots[1])


def test_identities_do_not_share_entries(open_tier):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    tier.use("another model")
    assert tier.lookup_ssd_prefix(CHAT) is None
    tier.use("")
    assert tier.lookup_ssd(CHAT) is not None


def test_features_come_back_with_their_description(open_tier):
    tier = open_tier()
    features = (mx.arange(12).reshape(3, 4).astype(mx.bfloat16), [mx.ones((2, 2)), None])
    assert tier.spill_features("image|settings", features, {"grid": [1, 2, 2], "seconds": 0.4})
    assert tier.spill_features("image|settings", features, {"grid": [1, 2, 2], "seconds": 0.4})
    tier.flush()
    assert tier.has_features("image|settings")
    (first, (second, nothing)), meta = tier.load_features("image|settings")
    assert first.dtype == mx.bfloat16
    assert mx.array_equal(first, features[0]).item()
    assert mx.array_equal(second, features[1][0]).item()
    assert (nothing, meta) == (None, {"grid": [1, 2, 2], "seconds": 0.4})
    assert tier.get_stats()["spill_count"] == 1
    assert tier.load_features("unknown") is None


@pytest.mark.allows_log("damaged")
def test_damaged_files_are_never_a_hit_and_are_set_aside(open_tier, tmp_path):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    (path,) = (tmp_path / SUBFOLDER / "entries").iterdir()
    clean = path.read_bytes()
    for position in range(0, len(clean), len(clean) // 40):
        path.write_bytes(clean[:position] + bytes([clean[position] ^ 1]) + clean[position + 1 :])
        found = tier.lookup_ssd_prefix(CHAT)
        loaded = tier.load(found)
        if loaded is None:
            assert tier.lookup_ssd_prefix(CHAT) is None
            assert not path.exists()
            path.write_bytes(clean)
            tier.reconcile()
        else:
            assert same_bits(loaded, Snapshot.take(plain(CHAT), len(CHAT)))
    stats = tier.get_stats()
    assert stats["quarantined"] == stats["promotion_failures"] > 10


@pytest.mark.allows_log("damaged")
def test_verify_names_what_is_damaged_and_its_continuations_go_too(open_tier, tmp_path):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    (path,) = (tmp_path / SUBFOLDER / "entries").iterdir()
    longer = (*CHAT, 5, 6)
    spill(tier, longer, plain(longer))
    assert tier.verify() == []
    path.write_bytes(path.read_bytes()[:-9])
    assert [name for name, _ in tier.verify()] == [path.name]
    assert tier.lookup_ssd_prefix(longer) is None
    assert tier.get_stats()["entries"] == 0


@pytest.mark.parametrize("damage", ["missing", "garbage", "older"])
def test_a_bad_index_is_rebuilt_from_the_files(open_tier, tmp_path, damage):
    tier = open_tier()
    tokens = [CHAT, (*CHAT, 1, 2, 3), (*CHAT[:50], 9, 9)]
    snapshots = [spill(tier, t, plain(t)) for t in tokens]
    tier.spill_features("f", mx.ones(3), {})
    tier.close()
    index = tmp_path / SUBFOLDER / "index.sqlite3"
    if damage == "older":
        db = sqlite3.connect(index)
        db.execute("PRAGMA user_version = 99")
        db.close()
    else:
        for path in index.parent.glob("index.sqlite3*"):
            path.unlink()
        if damage == "garbage":
            index.write_bytes(b"not a database at all" * 100)
    tier = open_tier()
    assert tier.get_stats()["entries"] == 4
    for t, snapshot in zip(tokens, snapshots, strict=True):
        assert same_bits(tier.load(tier.lookup_ssd(t)), snapshot)
    assert tier.load_features("f") is not None


def test_the_limit_counts_every_file_and_holds_over_namespaces_and_restarts(open_tier, tmp_path):
    limit = 2 * MIB
    options = {"max_size_gb": limit / 1024**3}
    tier = open_tier(**options)
    for number in range(30):
        tier.use(f"model {number % 3}")
        tokens = tuple(range(number * 1000, number * 1000 + 150))
        spill(tier, tokens, plain(tokens))
        assert disk_bytes(tmp_path) <= limit
    evictions = tier.get_stats()["evictions"]["memory"]
    assert evictions > 5
    tier.close()
    tier = open_tier(max_size_gb=MIB / 1024**3)
    assert disk_bytes(tmp_path) <= MIB
    assert tier.get_stats()["disk_bytes"] <= MIB
    tier.configure(SSDCacheConfig(tmp_path, max_size_gb=MIB / 2 / 1024**3, min_free_bytes=0))
    tier.flush()
    assert tier.get_stats()["disk_bytes"] <= MIB / 2


def test_least_recently_used_goes_first_even_when_the_clock_goes_back(open_tier, monkeypatch):
    tier = open_tier(max_entries=3)
    chats = [tuple(range(n * 1000, n * 1000 + 40)) for n in range(4)]
    for chat in chats[:3]:
        spill(tier, chat, plain(chat))
    monkeypatch.setattr(time, "time", lambda: 0.0)
    tier.load(tier.lookup_ssd(chats[0]))
    tier.flush()
    spill(tier, chats[3], plain(chats[3]))
    assert [tier.lookup_ssd(chat) is not None for chat in chats] == [True, False, True, True]
    assert tier.get_stats()["evictions"] == {"count": 1}


def test_entries_unused_for_too_long_expire(open_tier, monkeypatch):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    tier.close()
    later = time.time() + 100
    monkeypatch.setattr(time, "time", lambda: later)
    tier = open_tier(retention_seconds=1000)
    assert tier.get_stats()["entries"] == 1
    tier.close()
    tier = open_tier(retention_seconds=50)
    assert tier.get_stats()["entries"] == 0
    assert tier.get_stats()["evictions"] == {"expired": 1}


def test_a_second_process_is_told_and_touches_nothing(open_tier, tmp_path):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    with pytest.raises(UserError, match="Another Second Glance uses this cache folder"):
        SSDCacheTier(SSDCacheConfig(tmp_path))
    assert tier.load(tier.lookup_ssd(CHAT)) is not None


def test_a_folder_removed_while_running_is_a_clean_miss_and_is_made_again(open_tier, tmp_path):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    shutil.rmtree(tmp_path / SUBFOLDER)
    found = tier.lookup_ssd(CHAT)
    assert found is None or tier.load(found) is None
    snapshot = spill(tier, CHAT, plain(CHAT))
    assert same_bits(tier.load(tier.lookup_ssd(CHAT)), snapshot)
    assert tier.get_stats()["entries"] == 1


@pytest.mark.parametrize("point", ["opened", "header", "tensor", "flushed", "synced", "renamed"])
@pytest.mark.parametrize("code", [errno.ENOSPC, errno.EACCES, errno.EIO])
@pytest.mark.allows_log("could not be used")
def test_a_disk_that_fails_at_any_step_costs_only_the_entry(open_tier, tmp_path, point, code):
    tier = open_tier()
    heard = []
    tier._bus.subscribe(heard.append)

    def fail(name):
        if name == point:
            raise OSError(code, os.strerror(code))

    faults.install(fail)
    try:
        for _ in range(3):
            assert tier.enqueue_spill(CHAT, plain(CHAT))
        tier.flush()
    finally:
        faults.install(None)
    assert [event.kind for event in heard] == ["bypassed"], "one notice, not one per failure"
    assert os.strerror(code) in tier.get_stats()["last_error"]
    assert not list((tmp_path / SUBFOLDER / "entries").iterdir())
    snapshot = spill(tier, CHAT, plain(CHAT))
    assert same_bits(tier.load(tier.lookup_ssd(CHAT)), snapshot)


@pytest.mark.allows_log("could not be used")
def test_an_index_that_takes_no_row_leaves_no_file_that_nobody_counts(open_tier, tmp_path, monkeypatch):
    tier = open_tier()

    def full(*_):
        raise sqlite3.OperationalError("database or disk is full")

    with monkeypatch.context() as patch:
        patch.setattr(tier._index, "add", full)
        assert tier.enqueue_spill(CHAT, plain(CHAT))
        tier.flush()
    assert tier.get_stats()["drops"] == 1
    assert not list((tmp_path / SUBFOLDER / "entries").iterdir())
    spill(tier, CHAT, plain(CHAT))


@pytest.mark.allows_log("could not be used")
def test_a_volume_without_enough_free_space_is_left_alone(open_tier):
    tier = open_tier(min_free_bytes=1 << 60)
    tier.enqueue_spill(CHAT, plain(CHAT))
    tier.flush()
    assert tier.get_stats()["entries"] == 0
    assert "no room" in tier.get_stats()["last_error"]


@pytest.mark.allows_log("no room")
def test_an_entry_larger_than_the_limit_evicts_nobody(open_tier):
    tier = open_tier(max_size_gb=MIB / 1024**3)
    spill(tier, CHAT, plain(CHAT))
    huge = tuple(range(5000, 6500))
    tier.enqueue_spill(huge, plain(huge))
    tier.flush()
    assert tier.lookup_ssd(CHAT) is not None
    assert tier.get_stats()["drops"] == 1


def test_only_our_own_files_are_ever_removed(open_tier, tmp_path):
    (tmp_path / "holiday.safetensors").write_text("mine")
    inside = tmp_path / SUBFOLDER / "entries"
    tier = open_tier()
    (inside / "notes.safetensors").write_text("mine")
    (inside / f"{'ab' * 32}-0.safetensors").symlink_to(tmp_path / "holiday.safetensors")
    spill(tier, CHAT, plain(CHAT))
    tier.reconcile()
    tier.clear()
    assert tier.get_stats()["entries"] == 0
    assert (tmp_path / "holiday.safetensors").read_text() == "mine"
    assert (inside / "notes.safetensors").read_text() == "mine"


def test_folders_and_files_are_private_even_where_they_existed(open_tier, tmp_path):
    open_tier().close()
    root = tmp_path / SUBFOLDER
    root.chmod(0o755)
    (root / "index.sqlite3").chmod(0o644)
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    modes = {p.name: p.stat().st_mode & 0o777 for p in [root, *root.rglob("*")]}
    assert {mode for name, mode in modes.items() if (root / name).is_dir() or name == SUBFOLDER} == {0o700}
    assert {p.stat().st_mode & 0o777 for p in root.rglob("*") if p.is_file()} == {0o600}


def test_removing_one_entry_keeps_what_continues_it(open_tier):
    tier = open_tier()
    longer = (*CHAT, 1, 2)
    for tokens in (CHAT, longer):
        spill(tier, tokens, plain(tokens))
    assert not tier.remove(CHAT), "the longer one needs it"
    assert tier.remove(longer)
    assert tier.remove(CHAT)
    assert not tier.remove(CHAT)
    assert tier.get_stats()["entries"] == 0


def test_the_queue_is_bounded_and_drops_are_counted(open_tier):
    tier = open_tier(spill_queue_size=2)
    gate = threading.Event()
    faults.install(lambda name: gate.wait(10) and None)
    try:
        kept = [tier.enqueue_spill((n, *CHAT), plain((n, *CHAT))) for n in range(6)]
    finally:
        gate.set()
        tier.flush()
        faults.install(None)
    assert kept.count(False) == tier.get_stats()["drops"] >= 3
    assert tier.get_stats()["entries"] == kept.count(True)


def test_closing_finishes_what_is_queued_and_may_be_called_twice(open_tier):
    tier = open_tier()
    chats = [(n, *CHAT) for n in range(20)]
    for chat in chats:
        assert tier.enqueue_spill(chat, plain(chat))
    tier.close()
    tier.close()
    tier = open_tier()
    assert all(tier.lookup_ssd(chat) is not None for chat in chats)


@pytest.mark.allows_log("were dropped")
def test_closing_without_time_drops_and_leaves_nothing_half_done(open_tier):
    tier = open_tier()
    for n in range(50):
        tier.enqueue_spill((n, *CHAT), plain((n, *CHAT)))
    tier.close(timeout=0)
    tier = open_tier()
    assert tier.verify() == []


def test_statistics_reset_but_sizes_stay(open_tier):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    tier.load(tier.lookup_ssd(CHAT))
    tier.missed()
    row = tier.row()
    assert (row.hits, row.misses, row.entries, row.hit_rate) == (1, 1, 1, 0.5)
    tier.reset_stats()
    assert (tier.row().hits, tier.row().entries) == (0, 1)


@pytest.mark.parametrize("field", ["max_size_gb", "max_entries", "spill_queue_size", "retention_seconds"])
def test_sizes_must_be_positive(tmp_path, field):
    with pytest.raises(ValueError, match=field):
        SSDCacheConfig(tmp_path, **{field: 0})


def test_a_folder_that_cannot_be_made_is_the_users_to_fix(tmp_path):
    (tmp_path / SUBFOLDER).write_text("a file where the folder should be")
    with pytest.raises(UserError, match="cannot be used"):
        SSDCacheTier(SSDCacheConfig(tmp_path))


def test_what_cannot_be_kept_is_dropped_and_counted(open_tier):
    tier = open_tier()
    assert not tier.enqueue_spill((1, 2), plain((1, 2, 3)))
    assert not tier.spill_features("f", mx.zeros(2, mx.complex64), {})
    assert not tier.spill_features("f", (mx.zeros(2), object()), {})
    assert tier.get_stats()["drops"] == 3


@pytest.mark.allows_log("damaged")
def test_damaged_features_are_encoded_anew(open_tier, tmp_path):
    tier = open_tier()
    tier.spill_features("f", mx.ones(300), {})
    tier.flush()
    (path,) = (tmp_path / SUBFOLDER / "entries").iterdir()
    path.write_bytes(path.read_bytes()[:-1])
    assert tier.load_features("f") is None
    assert not tier.has_features("f")
    assert tier.get_stats()["quarantined"] == 1


@pytest.mark.allows_log("damaged")
def test_an_entry_that_is_another_one_is_no_hit(open_tier, tmp_path):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    other = tuple(range(9000, 9060))
    found = tier.lookup_ssd(CHAT)
    spill(tier, other, plain(other))
    shutil.copy(tier.lookup_ssd(other)["file_path"], found["file_path"])
    assert tier.load(found) is None


@pytest.mark.allows_log("could not be used")
def test_an_index_that_fails_while_running_is_a_miss(open_tier):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    tier._index.close()
    assert tier.lookup_ssd_prefix(CHAT) is None
    assert not tier.remove(CHAT)
    assert tier.get_stats()["entries"] == 0
    assert "could not be used" in tier.row().extra["last_error"]


@pytest.mark.allows_log("damaged")
def test_the_quarantine_gives_way_and_clear_empties_it(open_tier, tmp_path):
    tier = open_tier(max_size_gb=2 * MIB / 1024**3)
    for number in range(6):
        tokens = tuple(range(number * 1000, number * 1000 + 60))
        spill(tier, tokens, plain(tokens))
        path = tier.lookup_ssd(tokens)["file_path"]
        with open(path, "r+b") as file:
            file.truncate(os.path.getsize(path) - 1)
        tier.verify()
    assert 0 < sum(p.stat().st_size for p in (tmp_path / SUBFOLDER / "quarantine").iterdir()) <= 2 * MIB / 10 + 130_000
    tier.clear()
    assert not list((tmp_path / SUBFOLDER / "quarantine").iterdir())


def test_a_borrowing_state_waits_for_the_writer_at_its_whole_size(open_tier, monkeypatch):
    tier, tokens = open_tier(), CHAT[:60]
    short, long = (Snapshot.take(recurrent(tokens[:n]), n) for n in (40, 60))
    thin, jobs = short.leaning_on(long), []
    put = tier._writer.put
    monkeypatch.setattr(tier._writer, "put", lambda job: jobs.append(job) or put(job))

    assert tier.enqueue_spill(tokens[:40], thin)
    assert [job.nbytes for job in jobs] == [short.nbytes]
    assert thin.nbytes < short.nbytes
    assert tier.flush()
    assert same_bits(tier.load(tier.lookup_ssd(tokens[:40])), short)


@pytest.fixture
def held_write(open_tier):
    """A tier whose writer stands in the middle of a write until ``go`` is set."""
    tier, at, go = open_tier(), threading.Event(), threading.Event()

    def hold(name):
        if name == "synced":
            at.set()
            go.wait(30)

    faults.install(hold)
    tier.enqueue_spill(CHAT, plain(CHAT))
    assert at.wait(30)
    yield tier, go
    go.set()
    faults.install(None)


@pytest.mark.parametrize("call", ["reconcile", "verify", "remove"])
def test_care_waits_for_the_write_that_runs(held_write, call):
    tier, go = held_write
    asked = tier._writer.put

    def put(job):  # the care is queued now, so that the write may go on
        taken = asked(job)
        go.set()
        return taken

    tier._writer.put = put
    result = getattr(tier, call)(*[CHAT] * (call == "remove"))
    assert result == {"reconcile": 1, "verify": [], "remove": True}[call]
    assert (tier.lookup_ssd(CHAT) is None) is (call == "remove")
    assert tier.get_stats()["drops"] == 0


def test_clearing_also_forgets_what_waits_to_be_written(held_write):
    tier, go = held_write
    waiting = tuple(range(5000, 5060))
    assert tier.enqueue_spill(waiting, plain(waiting))
    asked = tier._writer.put
    tier._writer.put = lambda job: asked(job) and (go.set() or True)
    tier.clear()
    assert tier.flush()
    stats = tier.get_stats()
    assert (stats["entries"], stats["pending_bytes"], stats["spill_count"]) == (0, 0, 1)


def test_clearing_before_the_writer_runs_leaves_it_nothing(tmp_path):
    tier = SSDCacheTier(SSDCacheConfig(tmp_path, min_free_bytes=0))
    assert tier.enqueue_spill(CHAT, plain(CHAT))
    tier.clear()
    tier.start_writer()
    assert tier.flush()
    assert tier.get_stats()["entries"] == 0
    tier.close()


def test_a_closed_tier_answers_nothing(open_tier):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    tier.close()
    tier.clear()
    assert (tier.reconcile(), tier.verify(), tier.remove(CHAT)) == (0, [], False)
    assert not tier.enqueue_spill(CHAT, plain(CHAT))
    assert open_tier().lookup_ssd(CHAT) is not None


def test_a_lowered_limit_is_kept_although_the_queue_is_full(open_tier):
    tier, gate, there = open_tier(spill_queue_size=1), threading.Event(), threading.Event()
    for n in range(5):
        spill(tier, (n, *CHAT), plain((n, *CHAT)))
    faults.install(lambda name: (there.set(), gate.wait(30)))
    try:
        assert tier.enqueue_spill((5, *CHAT), plain((5, *CHAT)))
        assert there.wait(30)
        assert tier.enqueue_spill((0, *CHAT), plain((0, *CHAT)))  # nothing is written for it: it lies there already
        tier.configure(replace(tier._config, max_size_gb=300_000 / 1024**3))
    finally:
        gate.set()
        tier.flush()
        faults.install(None)
    assert tier.get_stats()["disk_bytes"] <= 300_000


def test_a_limit_below_what_the_index_takes_is_kept_as_far_as_it_goes(open_tier, tmp_path):
    tier = open_tier()
    for n in range(5):
        spill(tier, (n, *CHAT), plain((n, *CHAT)))
    tier.configure(replace(tier._config, max_size_gb=1000 / 1024**3))
    tier.flush()
    assert (tier.get_stats()["entries"], list((tmp_path / SUBFOLDER / "entries").iterdir())) == (0, [])
    assert tier.get_stats()["evictions"] == {"limit_lowered": 5}


def test_an_index_gives_back_what_it_no_longer_needs(open_tier, tmp_path):
    tier = open_tier()
    for n in range(40):
        tokens = tuple(range(n * 10_000, n * 10_000 + 500))
        spill(tier, tokens, plain(tokens))
    before = tier.get_stats()["disk_bytes"]
    tier.clear()
    index = tmp_path / SUBFOLDER / "index.sqlite3"
    assert index.stat().st_size < 60_000
    assert tier.get_stats()["disk_bytes"] == disk_bytes(tmp_path) < before / 10
    spill(tier, CHAT, plain(CHAT))


def test_a_volume_that_is_full_of_other_things_costs_no_entry(open_tier):
    tier = open_tier()
    spill(tier, CHAT, plain(CHAT))
    tier.configure(replace(tier._config, min_free_bytes=1 << 60))
    tier.flush()
    assert tier.get_stats()["entries"] == 1


@pytest.mark.allows_log("could not be used")
def test_a_look_up_that_fails_is_no_dropped_write(open_tier):
    tier = open_tier()
    tier._index.close()
    assert tier.lookup_ssd(CHAT) is None
    assert tier.get_stats()["drops"] == 0
    assert tier.enqueue_spill(CHAT, plain(CHAT))
    tier.flush()
    assert tier.get_stats()["drops"] == 1


@pytest.mark.parametrize("size", [float("nan"), float("inf")])
def test_sizes_are_finite(tmp_path, size):
    with pytest.raises(ValueError, match="max_size_gb"):
        SSDCacheConfig(tmp_path, max_size_gb=size)


def test_figures_can_be_given_in_their_documented_order():
    given = SSDCacheStats(1, 2, 3, 4, 5.0, 6, 7).to_dict()
    names = ("spill_count", "spill_bytes", "ssd_hits", "ssd_misses", "reload_latency_sum", "reload_bytes")
    assert [given[name] for name in (*names, "promotion_failures")] == [1, 2, 3, 4, 5.0, 6, 7]
