"""The disk cache from the terminal: a second process finds what the first one left."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from app.cli.main import main
from tests.cli.conftest import run


@pytest.fixture(scope="module")
def ssd(tmp_path_factory: pytest.TempPathFactory, pictures: Path) -> tuple[Path, list[dict[str, Any]]]:
    """A disk cache that two processes answered the same question from, and their answers."""
    folder = tmp_path_factory.mktemp("ssd")
    question = ("ask", "--json", "--max-tokens", 6, "--ssd-dir", folder, "--image", pictures / "first.png")
    return folder, [run(*question, "What is in the picture?").turns[0] for _ in range(2)]


SHARED_MEMORY = 32 * 1024
"""What SQLite keeps beside an open index."""


def cache(action: str, folder: Path, capsys: pytest.CaptureFixture[str]) -> tuple[int, dict[str, Any], str]:
    status = main(["cache", action, "--ssd-dir", str(folder), "--json"])
    printed = capsys.readouterr()
    return status, json.loads(printed.out), printed.err


def test_a_second_process_answers_from_the_disk_without_the_encoder(ssd: tuple[Path, list[dict[str, Any]]]) -> None:
    first, second = ssd[1]
    assert (first["ssd_hits"], first["encoder_calls"]) == (0, 1)
    assert first["bytes"]["ssd"] > 0
    assert second["ssd_hits"] >= 1
    assert second["source"] == "disk"
    assert (second["encoder_calls"], second["encoder_skips"]) == (0, 1)
    assert second["reused_tokens"] == second["reused_from_disk"] == first["prompt_tokens"] - 1
    assert second["token_ids"] == first["token_ids"]


def test_stats_verify_and_clear(ssd: tuple[Path, list[dict[str, Any]]], capsys: pytest.CaptureFixture[str]) -> None:
    folder, _ = ssd
    status, stats, _ = cache("stats", folder, capsys)
    assert status == 0
    assert stats["entries"] >= 1
    assert 0 < stats["disk_bytes"] <= stats["limit_bytes"]

    status, verified, _ = cache("verify", folder, capsys)
    assert (status, verified["damaged"]) == (0, [])

    entry = max(folder.rglob("*.safetensors"), key=lambda file: file.stat().st_size)
    content = bytearray(entry.read_bytes())
    content[-20] ^= 1
    entry.write_bytes(content)
    status, verified, said = cache("verify", folder, capsys)
    assert status == 2
    assert [file["file"] for file in verified["damaged"]] == [entry.name]
    assert entry.name in said
    assert cache("verify", folder, capsys)[1]["damaged"] == [], "it was set aside"

    status, cleared, _ = cache("clear", folder, capsys)
    assert status == 0
    assert cleared["entries"] == 0
    index = (folder / "second-glance-cache" / "index.sqlite3").stat().st_size
    assert cleared["disk_bytes"] <= index + SHARED_MEMORY, "nothing is left but the empty index, while it is open"
    assert cleared["freed_bytes"] > 0
    assert list(folder.rglob("*.safetensors")) == []
    assert main(["cache", "stats", "--ssd-dir", str(folder)]) == 0
    assert "0 entries; the empty index takes 0.1 MB" in capsys.readouterr().out
