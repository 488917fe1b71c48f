"""Prompts: the library's own ids, images where they belong, each turn an extension of the last."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app.cache.media import MediaSpan, salt_tokens
from app.inference.ahead import known_length
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import ImageLayout, Unit
from app.inference.families.qwen_vl import mrope_positions
from app.inference.prompt import BuiltPrompt, PromptBuilder
from app.inference.spans import find_spans, salted_key
from app.inference.types import ImageRef, Message
from tests.inference.conftest import image_ref, picture
from tests.models.templates import THINKING

SYSTEM = Message("system", "You are a helpful assistant.")
RED, BLUE = image_ref(picture("square", "red")), image_ref(picture("circle", "blue", (120, 196)))


def digests(ref: ImageRef, layout: ImageLayout) -> Sequence[str]:
    return [ref.digest] * len(layout.units)


@pytest.fixture(scope="module")
def builder(demo: FamilyAdapter) -> PromptBuilder:
    return PromptBuilder(demo)


def build(builder: PromptBuilder, *messages: Message) -> BuiltPrompt:
    return builder.build(messages, digests)


CHAT = (
    SYSTEM,
    Message("user", "What is this?", (RED,)),
    Message("assistant", "A red square."),
    Message("user", "And these?", (BLUE, RED)),
)


def test_ids_and_grids_are_those_of_the_library(demo: FamilyAdapter, builder: PromptBuilder):
    built = build(builder, *CHAT)
    images = [ref.load() for message in CHAT for ref in message.images]
    theirs = demo.processor(images=images, text=builder.render(CHAT))

    assert list(built.final.ids) == np.asarray(theirs["input_ids"])[0].tolist()
    assert [span.grid for span in built.final.spans] == [
        tuple(g) for g in np.asarray(theirs["image_grid_thw"]).tolist()
    ]
    assert [span.digest for span in built.final.spans] == [RED.digest, BLUE.digest, RED.digest]


def test_spans_stand_on_placeholders_in_the_turn_of_their_message(demo: FamilyAdapter, builder: PromptBuilder):
    final = build(builder, *CHAT).final
    ids = final.array
    under = np.zeros(len(final), dtype=bool)
    for span in final.spans:
        under[span.start : span.end] = True

    assert (under == (ids == demo.placeholder_id)).all()
    between = demo.tokenizer.decode(final.ids[final.spans[0].end : final.spans[1].start])
    assert "A red square." in between


def test_known_images_are_placed_without_being_decoded(builder: PromptBuilder):
    loads: list[str] = []
    build(builder, Message("user", "?", (image_ref(picture("square", "red"), "x", loads),)))
    assert loads == []


def test_positions_are_those_of_the_library(demo: FamilyAdapter, builder: PromptBuilder):
    import mlx.core as mx

    final = build(builder, *CHAT).final
    grids = mx.array([span.grid for span in final.spans])
    theirs, delta = demo.model.language_model.get_rope_index(mx.array(final.array)[None], grids)
    ours = mrope_positions(len(final), final.spans, merge=2)

    assert (ours.planes == np.array(theirs)[:, 0]).all()
    assert ours.delta == int(delta.item())


@given(
    runs=st.lists(st.tuples(st.integers(0, 9), st.integers(1, 2), st.integers(1, 5), st.integers(1, 5)), max_size=4),
    tail=st.integers(0, 9),
)
def test_positions_count_on_from_the_largest_of_an_image(runs: list[tuple[int, int, int, int]], tail: int):
    spans, at, expected = [], 0, 0
    for text, frames, rows, columns in runs:
        spans.append(MediaSpan(at + text, frames * rows * columns, "d", (frames, 2 * rows, 2 * columns)))
        at, expected = spans[-1].end, expected + text + max(frames, rows, columns)
    positions = mrope_positions(at + tail, spans, merge=2)

    assert positions.planes.shape == (3, at + tail)
    assert positions.delta == expected - at
    if tail:
        assert (positions.planes[:, -1] == expected + tail - 1).all()


def test_the_next_prompt_extends_the_last_and_the_answer_as_generated(demo: FamilyAdapter, builder: PromptBuilder):
    """Ids that tokenizing the text again would not give: the answer is spelled in single letters."""
    first = build(builder, *CHAT)
    spelled = tuple(i for letter in "red" for i in demo.tokenize(letter))
    assert spelled != tuple(demo.tokenize("red"))
    second = build(builder, *CHAT, Message("assistant", "red", (), spelled), Message("user", "Sure?"))

    assert second.final.ids[: len(first.final) + len(spelled)] == first.final.ids + spelled


def test_ids_that_do_not_give_the_text_are_not_used(demo: FamilyAdapter, builder: PromptBuilder):
    wrong = tuple(demo.tokenize("green"))
    answers = [Message("assistant", "red", (), wrong), Message("assistant", "red")]
    prompts = [build(builder, *CHAT, answer, Message("user", "Sure?")).final.ids for answer in answers]

    assert prompts[0] == prompts[1]


@settings(max_examples=40, deadline=None)
@given(
    texts=st.lists(
        st.text(st.characters(codec="utf-8", exclude_characters="\ue000\ue001"), max_size=12), min_size=2, max_size=5
    )
)
def test_spliced_and_plain_prompts_read_the_same(demo: FamilyAdapter, texts: list[str]):
    builder = PromptBuilder(demo)
    roles = ["user", "assistant"] * 3
    messages = [Message(role, text) for role, text in zip(roles, texts, strict=False)]
    ids = {m.text: tuple(demo.tokenize(m.text)) for m in messages}
    spliced = [replace(m, token_ids=ids[m.text]) if m.role == "assistant" else m for m in messages]
    read = [demo.tokenizer.decode(build(builder, *m).final.ids) for m in (messages, spliced)]

    assert read[0] == read[1]


def test_image_markers_typed_by_the_user_are_text(demo: FamilyAdapter, builder: PromptBuilder):
    built = build(builder, Message("user", "What does <|image_pad|> mean?", (RED,)))

    assert len(built.final.spans) == 1
    assert built.final.spans[0].length == int((built.final.array == demo.placeholder_id).sum())


def test_a_template_that_loses_images_is_an_error(demo: FamilyAdapter):
    builder = PromptBuilder(demo)
    builder._parts = False
    with pytest.raises(ValueError, match="0 image markers for 1 images"):
        build(builder, Message("user", "?", (RED,)))


def test_segments_seen_before_are_not_tokenized_again(demo: FamilyAdapter, monkeypatch: pytest.MonkeyPatch):
    seen: list[str] = []
    original = demo.tokenize

    def watched(text: str) -> list[int]:
        seen.append(text)
        return original(text)

    monkeypatch.setattr(demo, "tokenize", watched)
    builder = PromptBuilder(demo)
    build(builder, *CHAT)
    seen.clear()
    answer = tuple(original("red"))
    build(builder, *CHAT, Message("assistant", "red", (), answer), Message("user", "Sure?"))

    assert seen == ["<|im_end|>\n<|im_start|>user\nSure?<|im_end|>\n<|im_start|>assistant\n"]


def test_known_length_ends_where_the_text_begins(demo: FamilyAdapter, builder: PromptBuilder):
    known = known_length(builder, CHAT, digests)
    final = build(builder, *CHAT).final

    assert known == final.spans[-1].end + 2  # the token that closes the image, and a new line
    assert demo.tokenizer.decode(final.ids[known:]).startswith("And these?")


def test_boundaries_are_ends_of_system_and_images(demo: FamilyAdapter, builder: PromptBuilder):
    final = builder.build(CHAT, digests, boundaries=True).final
    system, image = final.boundaries

    assert demo.tokenizer.decode(final.ids[:system]).endswith("assistant.<|im_end|>\n")
    assert image == final.spans[-1].end


def test_a_cue_that_later_prompts_do_not_have_has_a_boundary_before_it(
    demo: FamilyAdapter, monkeypatch: pytest.MonkeyPatch
):
    monkeypatch.setattr(demo.processor, "chat_template", THINKING)
    monkeypatch.setattr(demo.tokenizer, "chat_template", THINKING)
    chat = [Message("user", "Why?")]
    ends = [
        [demo.tokenizer.decode(built.final.ids[cut:]) for cut in built.final.boundaries]
        for built in (PromptBuilder(demo, thinking).build(chat, digests, boundaries=True) for thinking in (True, False))
    ]

    assert ends == [[], ["<think>\n\n</think>\n\n"]]


@given(st.data())
def test_keys_are_the_contract_s_salted_tokens(data: st.DataObject):
    ids = data.draw(st.lists(st.integers(0, 500), min_size=8, max_size=30))
    start = data.draw(st.integers(0, len(ids) - 3))
    spans = (MediaSpan(start, data.draw(st.integers(1, 3)), data.draw(st.sampled_from("ab")), (1, 2)),)

    assert salted_key(ids, spans) == salt_tokens(ids, spans)
    assert salted_key(ids, spans, "salt")[0] != salted_key(ids, spans)[0]
    assert salted_key(ids, spans, "salt")[1:] == salted_key(ids, spans)[1:]


@pytest.mark.parametrize("ids", [[9, 9, 9], [9, 0, 9, 9, 9], [9, 9, 0, 9, 9]])
def test_placeholders_that_do_not_fit_the_units_are_an_error(ids: list[int]):
    with pytest.raises(ValueError, match="placeholders"):
        find_spans(np.array(ids, dtype=np.int32), 9, [Unit(3, (1,)), Unit(1, (2,))], ["a", "b"])


def test_tiles_that_touch_are_told_apart_by_their_lengths():
    spans = find_spans(np.array([1, 9, 9, 9, 2], dtype=np.int32), 9, [Unit(2, (0,)), Unit(1, (1,))], ["a", "b"])

    assert [(s.start, s.end, s.digest) for s in spans] == [(1, 3, "a"), (3, 4, "b")]


def test_no_clock_reaches_the_prompt(demo: FamilyAdapter, monkeypatch: pytest.MonkeyPatch):
    template = "{{ strftime_now('%d %b %Y') }} {{ date_string }}{% for m in messages %}{{ m['content'] }}{% endfor %}"
    monkeypatch.setattr(demo.processor, "chat_template", template)
    text = demo.render([{"role": "user", "content": "hi"}], True)

    assert re.fullmatch(r"26 Jul 2024 26 Jul 2024hi", text)
