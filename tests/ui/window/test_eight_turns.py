"""The main job through the real window: the same eight turns as the command line's, by drop, paste, keys and clicks."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from app.store.records import StoredMessage
from app.ui.messages.words import count
from app.ui.units import size, size_pair
from tests.ui.window.conftest import Desk

SCRIPT = [
    {"chat": "a", "images": ["first.png"], "text": "What is in the picture?"},
    {"chat": "a", "text": "Which colour is it?"},
    {"chat": "a", "text": "How many shapes are there?"},
    {"chat": "a", "regenerate": True},
    {"chat": "a", "edit": 2, "text": "Is there any text?"},
    {"chat": "b", "images": ["renamed.bmp"], "text": "What is in the picture?"},
    {"chat": "c", "images": ["other.png"], "text": "What is in the picture?"},
    {"chat": "a", "images": ["second.png"], "text": "And in this one?"},
]


@pytest.fixture(scope="module")
def cold(pictures: Path) -> list[dict]:
    """What the command line answers to the same turns without any cache."""
    script = pictures / "script.json"
    script.write_text(json.dumps(SCRIPT), encoding="utf-8")
    options = ["ask", "--json", "--no-cache", "--max-tokens", "12", "--script", str(script)]
    done = subprocess.run([sys.executable, "-m", "app", *options], capture_output=True, text=True, check=True)
    return [json.loads(line) for line in done.stdout.splitlines()]


def play(desk: Desk, pictures: Path) -> list[StoredMessage]:
    """Do the eight turns as a user does."""
    answers = []
    desk.drop(pictures / "first.png")
    answers.append(desk.ask("What is in the picture?"))
    first_chat = desk.chat_id
    answers.append(desk.ask("Which colour is it?"))
    answers.append(desk.ask("How many shapes are there?"))
    answers.append(desk.sends(lambda: desk.click(desk.widget(-1).regenerate_button)))
    question = desk.widget(-2)
    desk.click(question.edit_button)
    question.field.selectAll()
    desk.qtbot.keyClicks(question.field, "Is there any text?")
    answers.append(desk.sends(lambda: desk.keys_in(question.field)))
    desk.keys("Ctrl+N")
    desk.drop(pictures / "renamed.bmp")
    answers.append(desk.ask("What is in the picture?"))
    desk.keys("Ctrl+N")
    desk.paste(pictures / "other.png")
    answers.append(desk.ask("What is in the picture?"))
    desk.choose_chat(first_chat)
    desk.drop(pictures / "second.png")
    answers.append(desk.ask("And in this one?"))
    return answers


@pytest.mark.parametrize("kind", ["memory", "paged"])
def test_the_eight_turns(open_desk: Callable[..., Desk], pictures: Path, cold: list[dict], kind: str) -> None:
    desk = open_desk(caches__prefix_kind=kind)
    desk.wait_ready()
    answers = play(desk, pictures)
    stats = [answer.stats for answer in answers]
    assert [list(answer.token_ids) for answer in answers] == [turn["token_ids"] for turn in cold]
    assert [answer.text for answer in answers] == [turn["text"] for turn in cold]
    assert [s["prompt_tokens"] for s in stats] == [turn["prompt_tokens"] for turn in cold]
    assert [s["encoder_calls"] for s in stats] == [1, 0, 0, 0, 0, 0, 1, 1]
    assert sum(turn["encoder_calls"] for turn in cold) == 9
    assert all(s["reused_tokens"] + s["prefilled_tokens"] == s["prompt_tokens"] for s in stats)
    assert all(s["reused_tokens"] > 0 for s in (stats[n] for n in (1, 2, 3, 4, 5, 7)))
    the_panel_shows_what_the_engine_counts(desk, answers)


def the_panel_shows_what_the_engine_counts(desk: Desk, answers: list[StoredMessage]) -> None:
    panel, overview = desk.window.panel, desk.engine.caches.overview()
    desk.wait(lambda: panel.overview == overview)
    assert panel.total_label.text() == size(overview.total_bytes)
    assert overview.total_bytes == sum(row.nbytes for row in overview.rows)
    for row in overview.rows:
        tier = panel.tiers[row.name]
        assert tier.size_label.text() == size_pair(row.nbytes, row.limit)
        assert f"{count(row.hits)} of {count(row.hits + row.misses)}" in tier.hits_label.text()
    vision = overview.row("vision")
    assert vision.extra["encoder_calls"] == sum(answer.stats["encoder_calls"] for answer in answers) == 3
    assert vision.extra["encoder_skips"] == sum(answer.stats["encoder_skips"] for answer in answers) == 6
    assert f"skipped {int(vision.extra['encoder_skips'])} times" in panel.tiers["vision"].worth_label.text()
    reused = sum(answer.stats["reused_tokens"] for answer in answers)
    assert f"{count(reused)} tokens reused" in panel.tiers["prefix"].worth_label.text()
    last = answers[-1].stats
    assert f"{count(last['reused_tokens'])} of {count(last['prompt_tokens'])} tokens" in panel.answer_label.text()


def test_an_image_prepared_while_typing_is_ready_before_enter(open_desk: Callable[..., Desk], pictures: Path) -> None:
    desk = open_desk(caches__work_ahead=True, caches__work_ahead_on_battery=True)
    desk.wait_ready()
    desk.drop(pictures / "first.png")
    item = desk.window.composer.strip.items()[0]
    desk.wait(lambda: item.state == "ready")
    answer = desk.ask("What is in the picture?")
    assert answer.stats["encoder_calls"] == 0
    assert answer.stats["reused_tokens"] > 0
    assert desk.engine.caches.overview().row("vision").extra["encoder_calls"] == 1
