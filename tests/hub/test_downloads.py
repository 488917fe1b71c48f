"""Several downloads, restarts, and the list of suggestions."""

from __future__ import annotations

import re
from pathlib import Path

from app.inference.hub.curated import suggestions
from app.inference.hub.download import DownloadState
from app.inference.hub.downloads import Downloads
from app.inference.hub.transfer import Line
from app.inference.library.kinds import check_known_kind
from app.paths import resources_dir
from tests.hub.conftest import REPOSITORY
from tests.hub.fake import FakeHub
from tests.hub.test_download import until


def test_closing_pauses_and_the_next_start_finds_it(hub: FakeHub, line: Line, cache: Path) -> None:
    told: list[DownloadState] = []
    downloads = Downloads(told.append, line)
    assert downloads.find_unfinished() == []
    hub.gate.clear()
    downloads.start(REPOSITORY)
    until(lambda: hub.asked_for("model.safetensors"))
    downloads.close(seconds=0.01)
    assert told[-1].phase == "paused"
    hub.gate.set()
    downloads.close(seconds=20)
    again = Downloads(told.append, line)
    [found] = again.find_unfinished()
    assert (found.repository, found.phase) == (REPOSITORY, "paused")
    assert 0 < found.done < found.total
    again.start(REPOSITORY)
    until(lambda: again.states()[0].phase == "done")


def test_two_at_a_time_do_not_mind_each_other(hub: FakeHub, line: Line, cache: Path) -> None:
    other = "someone/other-model"
    hub.files[other] = {**hub.files[REPOSITORY], "tokenizer_config.json": b"{}"}
    downloads = Downloads(lambda state: None, line)
    downloads.start(REPOSITORY)
    downloads.start(other)
    until(lambda: {state.phase for state in downloads.states()} == {"done"})
    assert len(list(cache.glob("models--*/snapshots/*/model.safetensors"))) == 2


def test_the_suggestions_are_complete_and_name_no_host() -> None:
    listed = suggestions()
    assert len({one.repository for one in listed}) == len(listed) >= 5
    assert [one.memory_gb for one in listed] == sorted(one.memory_gb for one in listed)
    for one in listed:
        assert re.fullmatch(r"[\w.-]+/[\w.-]+", one.repository)
        assert one.size_bytes < one.memory_gb * 10**9
        assert one.licence
        assert one.good_for.endswith(".")
    assert "http" not in (resources_dir() / "models.json").read_text()


def test_the_families_that_are_suggested_can_be_opened() -> None:
    for kind in ("lfm2-vl", "qwen3_vl", "qwen3_vl_moe", "gemma3", "smolvlm"):
        check_known_kind({"model_type": kind}, kind, sees_images=True)
