"""The receipt in words: every case of known and new images, reused and run tokens, and reasons."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from app.inference.events import ImageUse, TurnStats
from app.ui.messages.receipt_text import receipt
from app.ui.messages.words import THIN

KNOWN = ImageUse("a" * 64, skipped=True, seconds_saved=0.45, tokens=414)
AHEAD = ImageUse("c" * 64, skipped=True, seconds_saved=0.45, tokens=414, tiles_ahead=1)
NEW = ImageUse("b" * 64, skipped=False, tiles_run=1, tokens=414)
WARM = TurnStats(
    prompt_tokens=1640,
    reused_tokens=1612,
    prefilled_tokens=28,
    generated_tokens=120,
    images=(KNOWN,),
    ttft_ms=210.0,
    encode_ms=0.0,
    restore_ms=15.0,
    prefill_ms=180.0,
    decode_tps=38.2,
    match="prefix",
    why="",
    source="memory",
)
COLD = replace(
    WARM, images=(NEW,), reused_tokens=0, prefilled_tokens=1640, encode_ms=450.0, match="miss", source="none"
)


def words(stats: TurnStats) -> str:
    return receipt(stats.to_dict()).sentence.replace(THIN, " ")


def test_everything_known_reads_as_the_product_promises():
    assert words(WARM) == (
        "Image seen before: encoder skipped (saved 0.45 s). 1,612 of 1,640 prompt tokens reused. "
        "First token after 0.21 s, 38 tokens/s."
    )


def test_units_do_not_break_from_their_numbers():
    assert f"0.45{THIN}s" in receipt(WARM.to_dict()).sentence


@pytest.mark.parametrize(
    ("images", "encode_ms", "expected"),
    [
        ((), 0, ""),
        ((KNOWN, KNOWN), 0, "2 images seen before: encoder skipped (saved 0.90 s). "),
        ((replace(KNOWN, seconds_saved=0.0),), 0, "Image seen before: encoder skipped. "),
        ((NEW,), 450, "New image: encoded in 0.45 s. "),
        ((NEW, NEW), 900, "2 new images: encoded in 0.90 s. "),
        ((KNOWN, NEW), 440, "1 of 2 images seen before (saved 0.45 s); 1 encoded in 0.44 s. "),
        ((replace(NEW, tiles=12, tiles_run=1),), 40, "11 of 12 tiles seen before; 1 encoded in 0.04 s. "),
        (
            (KNOWN, replace(NEW, tiles=12, tiles_run=1)),
            40,
            "1 of 2 images seen before (saved 0.45 s); 1 encoded in 0.04 s (11 of 12 tiles seen before). ",
        ),
        ((AHEAD,), 0, "Image encoded while you typed. "),
        ((AHEAD, AHEAD), 0, "2 images encoded while you typed. "),
        ((KNOWN, AHEAD), 0, "1 of 2 images seen before (saved 0.45 s); 1 encoded while you typed. "),
        ((AHEAD, NEW), 450, "Image encoded while you typed; 1 encoded in 0.45 s. "),
        (
            (KNOWN, AHEAD, NEW),
            450,
            "1 of 3 images seen before (saved 0.45 s); 1 encoded while you typed; 1 encoded in 0.45 s. ",
        ),
        (
            (replace(AHEAD, tiles=12),),
            0,
            "11 of 12 tiles seen before (saved 0.41 s); 1 encoded while you typed. ",
        ),
        (
            (replace(NEW, tiles=12, tiles_run=2, tiles_ahead=3),),
            60,
            "7 of 12 tiles seen before; 3 encoded while you typed; 2 encoded in 0.06 s. ",
        ),
        (
            (KNOWN, replace(AHEAD, tiles=12)),
            0,
            "1 of 2 images seen before (saved 0.86 s); 1 encoded while you typed (11 of 12 tiles seen before). ",
        ),
    ],
)
def test_images(images, encode_ms, expected):
    stats = replace(WARM, images=images, encode_ms=float(encode_ms))
    assert words(stats) == expected + "1,612 of 1,640 prompt tokens reused. First token after 0.21 s, 38 tokens/s."


@pytest.mark.parametrize(
    ("why", "expected"),
    [
        ("", "Nothing reused. All 1,640 prompt tokens run now."),
        ("image 1 is new", "Nothing reused: image 1 is new. All 1,640 prompt tokens run now."),
        ("model changed.", "Nothing reused: model changed. All 1,640 prompt tokens run now."),
    ],
)
def test_a_miss_says_why(why, expected):
    assert expected in words(replace(COLD, why=why))


def test_a_reason_that_counts_the_same_tokens_is_not_said_twice():
    stats = replace(WARM, reused_tokens=1400, why="first 1,400 tokens match; then the system prompt differs")
    assert "1,400 of 1,640 prompt tokens reused; then the system prompt differs." in words(stats)
    assert "first 1,400" not in words(stats)


def test_an_ordinary_follow_up_needs_no_reason():
    stats = replace(WARM, why="first 1,612 tokens match; then the rest is new")
    assert words(stats) == words(WARM)
    assert "Why not more" in {detail.label for detail in receipt(stats.to_dict()).details}


def test_a_prompt_stopped_half_way_counts_what_was_run():
    stats = replace(COLD, prefilled_tokens=512, generated_tokens=0)
    assert "Nothing reused. 512 of 1,640 prompt tokens run before the stop." in words(stats)
    assert [segment.tokens for segment in receipt(stats.to_dict()).segments] == [512]
    assert receipt(stats.to_dict()).total == 1640


def test_another_reason_is_a_sentence_of_its_own():
    assert "reused. Image 2 is new. First token" in words(replace(WARM, why="image 2 is new"))


@pytest.mark.parametrize(
    ("change", "expected", "bar"),
    [
        ({"source": "disk"}, "1,612 of 1,640 prompt tokens restored from disk.", {"disk": 1612, "run": 28}),
        (
            {"reused_from_disk": 400},
            "1,612 of 1,640 prompt tokens reused (400 from disk).",
            {"memory": 1212, "disk": 400, "run": 28},
        ),
        ({}, "1,612 of 1,640 prompt tokens reused.", {"memory": 1612, "run": 28}),
    ],
)
def test_where_the_tokens_came_from(change, expected, bar):
    stats = replace(WARM, **change)
    assert expected in words(stats)
    assert {segment.kind: segment.tokens for segment in receipt(stats.to_dict()).segments} == bar


def test_one_of_a_thing_is_singular():
    stats = replace(COLD, prompt_tokens=1, prefilled_tokens=1, evictions=1, generated_tokens=1)
    assert "1 prompt token run now. 1 cache entry evicted." in words(stats)
    assert receipt(stats.to_dict()).segments[0].label == "1 token run now"


def test_an_answer_stopped_before_its_first_token_has_no_speed():
    assert "First token" not in words(replace(WARM, generated_tokens=0))


def test_ticks_tell_each_image_apart():
    tiled = replace(NEW, tiles=12, tiles_run=1)
    ticks = receipt(replace(WARM, images=(KNOWN, NEW, tiled)).to_dict()).ticks
    assert [(tick.skipped, tick.tiles_run, tick.tiles) for tick in ticks] == [
        (True, 0, 1),
        (False, 1, 1),
        (False, 1, 12),
    ]
    assert [tick.label for tick in ticks] == [
        "Image 1: seen before, encoder skipped",
        "Image 2: new, encoded now",
        "Image 3: 11 of 12 tiles seen before, 1 encoded now",
    ]


def test_details_split_the_time_to_first_token():
    details = {detail.label: detail for detail in receipt(COLD.to_dict()).details if detail.kind == "time"}
    assert list(details) == [
        "Time to first token",
        "Encoding images",
        "Restoring what was known",
        "Reading the rest of the prompt",
    ]
    warm = [detail for detail in receipt(WARM.to_dict()).details if detail.kind == "time"]
    assert [detail.label for detail in warm][-1] == "Everything else"
    assert sum(detail.share or 0 for detail in warm[1:]) == pytest.approx(1.0)


def test_details_say_what_was_evicted_and_why_not_more_was_reused():
    facts = {d.label: d.value for d in receipt(replace(COLD, why="image 1 is new", evictions=3).to_dict()).details}
    assert facts["Evicted"] == "3 cache entries"
    assert facts["Why not more"] == "Image 1 is new."
    assert {d.label: d.value for d in receipt(WARM.to_dict()).details}["Evicted"] == "Nothing"


def test_figures_of_an_older_version_are_left_out():
    assert receipt({}).sentence == ""
    assert receipt({"prompt_tokens": 10}).sentence == "Nothing reused. All 10 prompt tokens run now."


@given(
    prompt=st.integers(0, 10**6),
    share=st.floats(0, 1),
    disk=st.integers(0, 10**6),
    skipped=st.lists(st.booleans(), max_size=5),
)
def test_the_bar_always_adds_up_to_the_prompt(prompt, share, disk, skipped):
    reused = int(prompt * share)
    images = tuple(replace(KNOWN if known else NEW, digest=str(i)) for i, known in enumerate(skipped))
    stats = replace(
        WARM,
        prompt_tokens=prompt,
        reused_tokens=reused,
        prefilled_tokens=prompt - reused,
        reused_from_disk=disk,
        images=images,
    )
    made = receipt(stats.to_dict())
    assert sum(segment.tokens for segment in made.segments) == prompt
    assert len(made.ticks) == len(images)
    assert "  " not in made.sentence


def test_what_was_run_while_the_user_typed_is_not_called_reused():
    stats = replace(WARM, images=(AHEAD,), ahead_tokens=1500)
    assert words(stats) == (
        "Image encoded while you typed. 1,612 of 1,640 prompt tokens ready, 1,500 of them run while you typed. "
        "First token after 0.21 s, 38 tokens/s."
    )
    lines = {detail.label: detail for detail in receipt(stats.to_dict()).details}
    assert lines["Of these run while you typed"].value.replace(THIN, " ") == "1,500 prompt tokens"
    assert (lines["Image"].value.split(" · ")[0], lines["Image"].term) == (
        "encoded while you typed",
        "vision encoder run",
    )
    assert receipt(stats.to_dict()).ticks[0].label == "Image: encoded while you typed"
