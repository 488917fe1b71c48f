"""The main job, through the command line as real processes: nothing is computed twice, and nothing is answered
differently for it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import Result, run

SCRIPT = [
    {"chat": "a", "images": ["first.png"], "text": "What is in the picture?"},
    {"chat": "a", "text": "Which colour is it?"},
    {"chat": "a", "text": "How many shapes are there?"},
    {"chat": "a", "regenerate": True},
    {"chat": "a", "edit": 2, "text": "Is there any text?"},
    {"chat": "b", "images": ["renamed.bmp"], "text": "What is in the picture?"},
    {"chat": "c", "images": ["other.png"], "text": "What is in the picture?"},
    {"chat": "a", "images": ["second.jpg"], "text": "And in this one?"},
]
FIRST, FOLLOW_UPS, REGENERATED, EDITED, SAME_IMAGE, OTHER_IMAGE, SECOND_IMAGE = 0, (1, 2), 3, 4, 5, 6, 7
IMAGES = [1, 1, 1, 1, 1, 1, 1, 2]
KEYS = {
    "turn", "chat", "text", "token_ids", "finish_reason", "prompt_tokens", "reused_tokens", "prefilled_tokens",
    "images", "encoder_calls", "encoder_skips", "ttft_ms", "encode_ms", "prefill_ms", "decode_tps", "match", "why",
    "ssd_hits", "evictions", "bytes",
}  # fmt: skip


@pytest.fixture(scope="module")
def script(pictures: Path) -> Path:
    path = pictures / "script.json"
    path.write_text(json.dumps(SCRIPT), encoding="utf-8")
    return path


def play(script: Path, *options: str) -> Result:
    result = run("ask", "--json", "--max-tokens", "12", "--script", script, *options)
    assert result.status == 0, result.err
    return result


@pytest.fixture(scope="module")
def cold(script: Path) -> Result:
    return play(script, "--no-cache")


@pytest.fixture(scope="module", params=["memory", "paged", "simple"])
def warm(script: Path, request: pytest.FixtureRequest) -> Result:
    return play(script, "--prefix-cache", request.param)


def test_each_turn_is_one_object_with_all_keys_and_nothing_else_is_printed(cold: Result, warm: Result) -> None:
    for result in (cold, warm):
        assert [turn["turn"] for turn in result.turns] == list(range(len(SCRIPT)))
        assert [turn["chat"] for turn in result.turns] == [entry["chat"] for entry in SCRIPT]
        for turn in result.turns:
            assert set(turn) >= KEYS
            assert set(turn["bytes"]) == {"prefix", "vision", "ssd"}
            assert turn["finish_reason"] in ("stop", "length")
            assert turn["reused_tokens"] + turn["prefilled_tokens"] == turn["prompt_tokens"]


def test_answers_are_those_without_a_cache(cold: Result, warm: Result) -> None:
    assert [turn["token_ids"] for turn in warm.turns] == [turn["token_ids"] for turn in cold.turns]
    assert [turn["text"] for turn in warm.turns] == [turn["text"] for turn in cold.turns]
    assert all(turn["token_ids"] for turn in cold.turns)


def test_each_distinct_image_is_encoded_once(cold: Result, warm: Result) -> None:
    calls = [turn["encoder_calls"] for turn in warm.turns]
    assert calls == [1, 0, 0, 0, 0, 0, 1, 1]
    assert [turn["encoder_calls"] + turn["encoder_skips"] for turn in warm.turns] == IMAGES
    assert [turn["encoder_calls"] for turn in cold.turns] == IMAGES
    assert sum(IMAGES) == 9


def test_without_a_cache_nothing_is_reused_or_kept(cold: Result) -> None:
    for turn in cold.turns:
        assert (turn["reused_tokens"], turn["encoder_skips"]) == (0, 0)
        assert turn["bytes"] == {"prefix": 0, "vision": 0, "ssd": 0}


def test_turns_that_share_a_prefix_reuse_it(warm: Result) -> None:
    turns = warm.turns
    for number in FOLLOW_UPS:
        before = turns[number - 1]
        assert turns[number]["reused_tokens"] >= before["prompt_tokens"], "all of the last prompt is reused"
    asked_again = turns[FOLLOW_UPS[-1]]["prompt_tokens"]
    assert turns[REGENERATED]["reused_tokens"] == asked_again - 1, "only the last token, for its logits, is run"
    assert turns[EDITED]["reused_tokens"] >= turns[FOLLOW_UPS[0]]["prompt_tokens"]
    assert turns[SAME_IMAGE]["reused_tokens"] == turns[FIRST]["prompt_tokens"] - 1
    assert turns[SECOND_IMAGE]["reused_tokens"] >= turns[EDITED]["prompt_tokens"]


def test_another_image_of_equal_size_reuses_nothing_from_its_first_placeholder_on(warm: Result) -> None:
    first, other = warm.turns[FIRST], warm.turns[OTHER_IMAGE]
    assert other["prompt_tokens"] == first["prompt_tokens"]
    assert other["reused_tokens"] <= before_the_image()
    assert "image" in other["why"]


def before_the_image() -> int:
    """Tokens that the demo model's template puts before the first image."""
    from transformers import AutoTokenizer

    from app.paths import demo_model_dir

    tokenizer = AutoTokenizer.from_pretrained(demo_model_dir())
    config = json.loads((demo_model_dir() / "config.json").read_text(encoding="utf-8"))
    content = [{"type": "image"}, {"type": "text", "text": "What is in the picture?"}]
    text = tokenizer.apply_chat_template(
        [{"role": "user", "content": content}], tokenize=False, add_generation_prompt=True
    )
    ids = tokenizer(text, add_special_tokens=False)["input_ids"]
    return int(ids.index(config["image_token_id"]))


def test_caches_hold_bytes_and_nothing_is_on_disk(warm: Result) -> None:
    last = warm.turns[-1]
    assert last["bytes"]["prefix"] > 0
    assert last["bytes"]["vision"] > 0
    assert last["bytes"]["ssd"] == 0


def test_each_beginning_of_the_script_in_a_process_of_its_own_goes_on_from_the_disk(
    cold: Result, script: Path, tmp_path: Path
) -> None:
    encoder_calls = 0
    for length in range(1, len(SCRIPT) + 1):
        beginning = script.with_name(f"first-{length}.json")
        beginning.write_text(json.dumps(SCRIPT[:length]), encoding="utf-8")
        turns = play(beginning, "--ssd-dir", str(tmp_path)).turns
        assert [t["token_ids"] for t in turns] == [t["token_ids"] for t in cold.turns[:length]]
        encoder_calls += sum(t["encoder_calls"] for t in turns)
        assert length == 1 or sum(t["ssd_hits"] for t in turns) > 0
    assert encoder_calls == 3
