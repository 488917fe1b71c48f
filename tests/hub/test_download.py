"""Downloads against a hub that is slow, breaks off, refuses and lies."""

from __future__ import annotations

import time
from collections import namedtuple
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from huggingface_hub import constants, snapshot_download

from app.inference.checkpoint import resolve
from app.inference.hub.download import Download, DownloadState, Speed
from app.inference.hub.plan import make_plan, wanted
from app.inference.hub.staging import Staging, unfinished
from app.inference.hub.transfer import Line
from tests.folders import paths_under
from tests.hub.conftest import LINE_SECONDS, REPOSITORY
from tests.hub.fake import COMMIT, FakeHub, running

Make = Callable[..., tuple[Download, list[DownloadState]]]
MODEL = "model.safetensors"


def until(condition: Callable[[], object]) -> None:
    """Wait for something that another thread brings about."""
    end = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < end
        time.sleep(0.005)


def finished(made: Download) -> DownloadState:
    made.start()
    assert made.wait(60)
    return made.state


def left_in(cache: Path) -> list[str]:
    return sorted(str(path.relative_to(cache)) for path in paths_under(cache))


def test_a_model_arrives_where_the_hub_library_finds_it(hub: FakeHub, download: Make, cache: Path) -> None:
    made, told = download()
    state = finished(made)
    assert (state.phase, state.done, state.licence) == ("done", state.total, "apache-2.0"), state.sentence
    assert [told[0].phase, told[1].phase, told[-1].phase] == ["asking", "running", "done"]
    assert all(a.done <= b.done for a, b in pairwise(told))
    folder = resolve(REPOSITORY)
    assert folder == Path(snapshot_download(REPOSITORY, local_files_only=True, cache_dir=cache))
    assert folder.name == COMMIT
    for name, content in hub.files[REPOSITORY].items():
        assert not (folder / name).exists() if not wanted(name) else (folder / name).read_bytes() == content
    assert {path.name for path in folder.iterdir()} == {n for n in hub.files[REPOSITORY] if wanted(n)}
    assert unfinished(cache) == []
    assert not (cache / ".second-glance").exists()


def test_what_can_run_code_is_never_asked_for(hub: FakeHub, download: Make) -> None:
    finished(download()[0])
    asked = {path.rsplit("/", 1)[1] for path, _ in hub.asked if "/resolve/" in path}
    assert MODEL in asked
    assert asked.isdisjoint({"evil.py", "pytorch_model.bin", "README.md", ".gitattributes"})
    names = [path.rsplit("/", 1)[1] for path, _ in hub.asked if "/resolve/" in path]
    assert names[-1] == MODEL  # what is small comes first


@pytest.mark.parametrize(
    "name",
    ["../config.json", "sub/config.json", "a\\config.json", ".config.json", "model.py", "model.bin", "x.pkl", "x.pt",
     "consolidated.safetensors"],
)  # fmt: skip
def test_names_that_are_not_wanted(name: str) -> None:
    assert not wanted(name)


def test_an_interrupted_file_is_continued(hub: FakeHub, download: Make) -> None:
    hub.break_after, hub.breaks = 100_000, 2
    state = finished(download()[0])
    assert (state.phase, state.done) == ("done", state.total), state.sentence
    assert hub.asked_for(MODEL) == ["", "bytes=100000-", "bytes=200000-"]


def test_a_hub_that_cannot_continue_files_is_asked_for_the_whole(hub: FakeHub, download: Make) -> None:
    hub.break_after, hub.breaks, hub.resumes = 100_000, 1, False
    state = finished(download()[0])
    assert (state.phase, state.done) == ("done", state.total), state.sentence


def test_a_connection_that_always_breaks_ends_with_a_sentence_and_keeps_what_came(
    hub: FakeHub, download: Make, cache: Path
) -> None:
    made, _ = download()
    hub.break_after, hub.breaks = 0, 10**6
    state = finished(made)
    assert state.phase == "failed"
    assert "cannot be reached" in state.sentence
    hub.breaks = 0
    assert finished(made).phase == "done"


def test_pausing_keeps_what_came_and_going_on_fetches_the_rest(hub: FakeHub, download: Make, cache: Path) -> None:
    made, _ = download()
    hub.gate.clear()
    made.start()
    until(lambda: made.state.file == MODEL and made.state.done > 0 and hub.asked_for(MODEL))
    made.pause()
    assert made.state.phase == "paused"
    hub.gate.set()
    assert made.wait(30)
    assert made.state.phase == "paused"
    with pytest.raises(Exception, match="no model of that name"):
        resolve(REPOSITORY)
    asked = len(hub.asked)
    assert finished(made).phase == "done"
    assert not any(path.endswith("config.json") for path, _ in hub.asked[asked:])


def test_a_paused_download_goes_on_after_a_restart_at_the_same_commit(
    hub: FakeHub, line: Line, download: Make, cache: Path
) -> None:
    made, _ = download()
    hub.break_after, hub.breaks = 50_000, 1
    hub.gate.clear()
    made.start()
    until(lambda: hub.asked_for(MODEL))
    made.pause()
    hub.gate.set()
    assert made.wait(30)
    assert unfinished(cache) == [REPOSITORY]
    again, told = download()  # as after a restart: nothing is known but what is on the disk
    assert again.state.phase == "paused"
    assert 0 < again.state.done < again.state.total
    hub.files[REPOSITORY]["tokenizer.json"] = b"another version"
    assert finished(again).phase == "done"
    assert not any("/api/" in path for path, _ in hub.asked[-1:])
    assert told[1].done >= told[0].done > 0


def test_going_on_at_once_after_a_pause_waits_for_the_old_stretch(hub: FakeHub, download: Make) -> None:
    made, _ = download()
    hub.gate.clear()
    made.start()
    until(lambda: hub.asked_for(MODEL))
    made.pause()
    made.start()
    hub.gate.set()
    assert made.wait(60)
    assert made.state.phase == "done", made.state.sentence


@pytest.mark.parametrize("paused", [False, True])
def test_cancelling_leaves_no_rubbish(hub: FakeHub, download: Make, cache: Path, paused: bool) -> None:
    made, told = download()
    hub.gate.clear()
    made.start()
    until(lambda: hub.asked_for(MODEL))
    if paused:
        made.pause()
    made.cancel()
    assert made.state.phase == "cancelled"
    hub.gate.set()
    assert made.wait(30)
    assert told[-1].phase == "cancelled"
    assert left_in(cache) == []
    assert finished(made).phase == "done"


def test_another_version_in_the_cache_is_kept_by_a_cancel_and_not_fetched_again(
    hub: FakeHub, download: Make, cache: Path
) -> None:
    finished(download()[0])
    before = left_in(cache)
    hub.files[REPOSITORY]["chat_template.jinja"] = b"{# new #}"
    made, _ = download()
    hub.asked.clear()
    assert finished(made).phase == "done"
    assert hub.asked_for(MODEL) == []
    made.cancel()
    assert made.wait(30)
    assert set(before) <= set(left_in(cache))


@pytest.mark.parametrize(
    ("status", "headers", "words"),
    [
        (401, {"X-Error-Code": "GatedRepo"}, "only after its terms are accepted"),
        (403, {"X-Error-Code": "GatedRepo"}, "only after its terms are accepted"),
        (401, {}, "There is no public model someone/small-model"),
        (404, {"X-Error-Code": "RepoNotFound"}, "There is no public model someone/small-model"),
        (404, {"X-Error-Code": "RevisionNotFound"}, "does not have the version"),
        (403, {}, "does not let you have"),
        (429, {"Retry-After": "30"}, "Try again in 30 seconds"),
        (429, {}, "Try again in a few minutes"),
        (503, {}, "a problem of its own at the moment (error 503)"),
    ],
)
def test_a_refusal_is_a_sentence_and_leaves_nothing(
    hub: FakeHub, download: Make, cache: Path, status: int, headers: dict[str, str], words: str
) -> None:
    hub.status[REPOSITORY] = (status, headers)
    state = finished(download()[0])
    assert state.phase == "failed"
    assert words in state.sentence
    assert "\n" not in state.sentence
    assert left_in(cache) == []


def test_a_refusal_in_the_middle_keeps_what_came(hub: FakeHub, download: Make) -> None:
    made, _ = download()
    hub.gate.clear()
    hub.break_after, hub.breaks = 8192, 1
    made.start()
    until(lambda: hub.asked_for(MODEL))
    hub.status[REPOSITORY] = (429, {"Retry-After": "7"})
    hub.gate.set()
    assert made.wait(30)
    assert (made.state.phase, "in 7 seconds" in made.state.sentence) == ("failed", True)
    assert made.state.done > 8000
    hub.status.clear()
    assert finished(made).phase == "done"
    assert hub.asked_for(MODEL)[-1] == "bytes=8192-"


def test_an_unknown_model_and_a_name_that_is_none(download: Make) -> None:
    assert "There is no public model someone/else" in finished(download("someone/else")[0]).sentence
    assert "must look like owner/model" in finished(download("some one/..")[0]).sentence


def test_offline_is_a_sentence(download: Make, line: Line, monkeypatch: pytest.MonkeyPatch) -> None:
    made, _ = download()
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", True)
    assert "offline mode" in finished(made).sentence
    monkeypatch.setattr(constants, "HF_HUB_OFFLINE", False)
    nobody = Download(REPOSITORY, lambda state: None, Line("http://127.0.0.1:9", 1.0, 0.0))
    assert "cannot be reached" in finished(nobody).sentence


def test_wrong_size_is_a_sentence(hub: FakeHub, download: Make) -> None:
    hub.extra = 10
    state = finished(download()[0])
    assert state.phase == "failed"
    assert "has 262,154 bytes where the hub announced 262,144" in state.sentence


def test_a_damaged_file_is_thrown_away_and_fetched_again(hub: FakeHub, download: Make) -> None:
    hub.damage = True
    made, _ = download()
    state = finished(made)
    assert state.phase == "failed"
    assert "arrived damaged" in state.sentence
    assert state.done < 262_144
    hub.damage = False
    assert finished(made).phase == "done"
    assert hub.asked_for(MODEL) == ["", ""]


Usage = namedtuple("Usage", "total used free")


def test_the_disk_is_looked_at_first(
    hub: FakeHub, download: Make, cache: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("shutil.disk_usage", lambda path: Usage(10**9, 10**9, 300_000_000))
    state = finished(download()[0])
    assert "GB and 0.3 GB are free on the disk" in state.sentence
    assert not any("/resolve/" in path for path, _ in hub.asked)
    assert left_in(cache) == []


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"config.json": None}, "has no config.json"),
        ({MODEL: None}, "has pickled weights only"),
        ({MODEL: None, "pytorch_model.bin": None}, "no weights in the safetensors format"),
        ({"config.json": b'{"model_type": "from_the_future"}'}, "of the kind from_the_future"),
        ({"config.json": b'{"model_type": "llama", "model_file": "evil.py"}'}, "its own Python code"),
    ],
)
def test_what_could_not_be_opened_is_refused_before_its_weights(
    hub: FakeHub, download: Make, change: dict[str, bytes | None], words: str
) -> None:
    files = {**hub.files[REPOSITORY], **change}
    hub.files[REPOSITORY] = {name: content for name, content in files.items() if content is not None}
    state = finished(download()[0])
    assert state.phase == "failed"
    assert words in state.sentence
    assert hub.asked_for(MODEL) == []


def test_starting_twice_is_starting_once(hub: FakeHub, download: Make) -> None:
    made, told = download()
    hub.gate.clear()
    made.start()
    made.start()
    assert [state.phase for state in told].count("asking") == 1
    hub.gate.set()
    assert made.wait(30)


def test_speed_is_that_of_the_last_seconds() -> None:
    speed = Speed(window=5.0)
    assert speed.value == 0.0
    for second in range(11):
        speed.add(float(second), 100 if second < 5 else 1000)
    assert speed.value == 1000.0
    state = DownloadState("a/b", "running", done=1000, total=5000, speed=1000.0)
    assert state.seconds_left == 4.0
    assert DownloadState("a/b", "running").seconds_left is None


@pytest.fixture
def store(hub: FakeHub) -> Iterator[FakeHub]:
    """Another server, on a port of its own, that has the weights."""
    with running(FakeHub(hub.files)) as made:
        yield made


@pytest.mark.parametrize("status", [302, 307])
def test_weights_come_from_another_server_which_is_not_told_the_key(
    hub: FakeHub, store: FakeHub, download: Make, cache: Path, monkeypatch: pytest.MonkeyPatch, status: int
) -> None:
    monkeypatch.setattr(constants, "HF_HUB_DISABLE_IMPLICIT_TOKEN", False)
    monkeypatch.setenv("HF_TOKEN", "hf_secret")
    hub.elsewhere = (status, store.url)
    store.break_after, store.breaks = 100_000, 1
    state = finished(download()[0])
    assert (state.phase, state.done) == ("done", state.total), state.sentence
    assert (resolve(REPOSITORY) / MODEL).read_bytes() == hub.files[REPOSITORY][MODEL]
    assert store.asked_for(MODEL) == ["", "bytes=100000-"], "the range goes along"
    assert hub.asked_for(MODEL) == ["", "bytes=100000-"], "each time the hub is asked, whose address may have expired"
    assert set(hub.keys) == {"Bearer hf_secret"}
    assert set(store.keys) == {""}


def test_a_refusal_of_the_other_server_is_a_sentence(hub: FakeHub, store: FakeHub, download: Make) -> None:
    hub.elsewhere = (302, store.url)
    store.status[REPOSITORY] = (403, {})
    state = finished(download()[0])
    assert (state.phase, "does not let you have" in state.sentence) == ("failed", True)


def test_a_renamed_model_is_fetched_under_its_new_name_and_found_under_the_old(hub: FakeHub, download: Make) -> None:
    hub.renamed["someone/old-name"] = REPOSITORY
    made, _ = download("someone/old-name")
    assert finished(made).phase == "done", made.state.sentence
    assert (resolve("someone/old-name") / MODEL).read_bytes() == hub.files[REPOSITORY][MODEL]


def test_a_gated_file_behind_an_open_description_is_a_sentence(hub: FakeHub, store: FakeHub, download: Make) -> None:
    hub.elsewhere = (302, store.url)
    store.status[REPOSITORY] = (401, {"X-Error-Code": "GatedRepo"})
    assert "only after its terms are accepted" in finished(download()[0]).sentence


@pytest.mark.parametrize("act", ["pause", "cancel"])
def test_a_stop_does_not_wait_for_a_connection_that_stalls(hub: FakeHub, download: Make, cache: Path, act: str) -> None:
    """The hub is silent: the stop itself has to wake the reader."""
    made, _ = download()
    hub.gate.clear()
    made.start()
    until(lambda: made.state.file == MODEL and made.state.done > 0 and hub.asked_for(MODEL))
    getattr(made, act)()
    assert made.wait(LINE_SECONDS / 2), "the stretch ended while the hub still said nothing"
    assert made.state.phase == ("paused" if act == "pause" else "cancelled")
    assert (left_in(cache) == []) is (act == "cancel")
    hub.gate.set()


def test_a_cancel_while_the_hub_does_not_answer_removes_at_once_and_leaves_nothing_later(
    hub: FakeHub, download: Make, cache: Path
) -> None:
    made, _ = download()
    hub.break_after, hub.breaks = 50_000, 1
    hub.silent.clear()
    made.start()
    until(lambda: hub.asked_for(MODEL))
    made.cancel()
    until(lambda: left_in(cache) == [])
    hub.silent.set()
    assert made.wait(30)
    assert left_in(cache) == []


def test_what_was_cancelled_before_it_moved_into_the_cache_leaves_nothing_there(hub: FakeHub, cache: Path) -> None:
    """The user cancels between the last byte and the move."""
    plan = make_plan(REPOSITORY, "main", hub.url)
    staging = Staging(REPOSITORY)
    staging.open(plan)
    for file in plan.files[:-1]:
        staging.place(file).write_bytes(hub.files[REPOSITORY][file.name])
    with pytest.raises(FileNotFoundError, match=plan.files[-1].name):
        staging.publish(plan)
    staging.discard()
    with pytest.raises(FileNotFoundError, match=plan.files[0].name):
        staging.publish(plan)
    assert left_in(cache) == []
