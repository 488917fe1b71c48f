"""The engine on the demo model: cached equals uncached, nothing is encoded or prefilled twice."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import permutations

import mlx.core as mx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cache.config import CacheConfig, PrefixKind
from app.errors import PromptTooLong, UserError
from app.inference.engine import Engine, EngineConfig
from app.inference.events import Finished, Progress, TextDelta
from app.inference.types import Cancelled, CancelToken, ChatRequest, ImageRef, Message, SamplingParams
from demo_model import draw
from tests.inference.chat import GREEDY, SYSTEM, Chat, finished
from tests.inference.conftest import image_ref, picture

RED = image_ref(picture("square", "red"), "red.png")
BLUE = image_ref(picture("circle", "blue"), "blue.png")
GREEN = image_ref(picture("square", "green", (140, 196)), "green.png")
WINDOWS = [image_ref(draw(seed)[0]) for seed in (16, 76, 257)]
"""Of equal size, each with a title of its own, which the demo model reads."""
KINDS: list[PrefixKind] = ["memory", "paged", "simple"]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest, engine: Engine) -> Iterator[PrefixKind]:
    """Run with each kind of prefix cache."""
    before = engine.config
    engine.configure(replace(before, cache=replace(before.cache, prefix_kind=request.param, block_size=16)))
    yield request.param
    engine.configure(before)


def eight_turns(engine: Engine, use_cache: bool) -> list[Finished]:
    """The script of the issue: question, two follow-ups, again, edited, two new chats, and a second image."""
    first, second, third = (Chat(engine, use_cache) for _ in range(3))
    return [
        first.ask("What is in the picture?", [RED]),
        first.ask("What color is the square?"),
        first.ask("What is the background?"),
        first.regenerate(),
        first.edit("How many shapes are there?"),
        second.ask("What is in the picture?", [RED]),
        third.ask("What is in the picture?", [BLUE]),
        first.ask("And what is in this picture?", [GREEN]),
    ]


def test_eight_turns_cost_three_encoder_calls_and_answer_as_uncached(
    engine: Engine, kind: PrefixKind, towers: Callable[[], int]
):
    cached = eight_turns(engine, use_cache=True)
    run = towers()
    uncached = eight_turns(engine, use_cache=False)

    assert [turn.token_ids for turn in cached] == [turn.token_ids for turn in uncached]
    assert run == sum(turn.stats.encoder_calls for turn in cached) == 3
    assert towers() - run == sum(turn.stats.encoder_calls for turn in uncached) == 9
    assert [len(turn.stats.images) for turn in cached] == [1, 1, 1, 1, 1, 1, 1, 2]
    for turn in (*cached, *uncached):
        assert turn.stats.reused_tokens + turn.stats.prefilled_tokens == turn.stats.prompt_tokens
    reused = [turn.stats.reused_tokens for turn in cached]
    placeholder = 1 + cached[0].stats.prompt_tokens - cached[0].stats.images[0].tokens
    assert reused[0] == 0
    assert all(count > cached[0].stats.images[0].tokens for count in (*reused[1:6], reused[7]))
    assert 0 < reused[6] < placeholder


def test_regenerating_runs_one_token(engine: Engine):
    chat = Chat(engine)
    first = chat.ask("What is in the picture?", [RED])
    again = chat.regenerate()

    assert again.token_ids == first.token_ids
    assert again.stats.prefilled_tokens == 1
    assert again.stats.encoder_skips == 1
    assert again.stats.seconds_saved > 0


def test_the_other_image_of_equal_size_reuses_nothing_from_its_place_on(engine: Engine):
    Chat(engine).ask("What is in the picture?", [RED])
    other = Chat(engine).ask("What is in the picture?", [BLUE])
    assert engine._model is not None
    ids = engine._model.builder.build(
        (SYSTEM, Message("user", "What is in the picture?", (BLUE,))), lambda ref, layout: [ref.digest]
    ).final

    assert other.stats.reused_tokens == ids.spans[0].start
    assert (other.stats.encoder_calls, other.stats.match) == (1, "lcp")


def test_a_b_a_c_is_never_answered_from_another_image(engine: Engine):
    """Known failure 2: batch captioning gives every picture the first caption."""
    one, two, three = WINDOWS
    cached = [Chat(engine).ask("What does the title say?", [p]) for p in (one, two, one, three)]
    cold = [Chat(engine, use_cache=False).ask("What does the title say?", [p]) for p in (one, two, one, three)]

    assert [c.text for c in cached] == [c.text for c in cold]
    assert len({c.text for c in cached}) == 3
    assert [c.stats.encoder_calls for c in cached] == [1, 1, 0, 1]


def test_two_images_in_either_order_are_two_prompts(engine: Engine):
    """Known failure 17: the order of images counts."""
    answers = []
    question = "In the first picture, what does the title say?"
    for order in permutations(WINDOWS[:2]):
        cached = Chat(engine).ask(question, order)
        cold = Chat(engine, use_cache=False).ask(question, order)
        assert cached.token_ids == cold.token_ids
        answers.append(cached)

    assert answers[0].token_ids != answers[1].token_ids
    assert [a.stats.encoder_calls for a in answers] == [2, 0]


def test_the_same_image_twice_in_a_prompt_is_encoded_once(engine: Engine, towers: Callable[[], int]):
    answer = Chat(engine).ask("Compare them.", [RED, RED])

    assert [use.skipped for use in answer.stats.images] == [False, True]
    assert towers() == 1


def test_known_images_are_not_even_decoded(engine: Engine):
    loads: list[str] = []
    ref = image_ref(picture("square", "red"), "red.png", loads)
    Chat(engine).ask("What is in the picture?", [ref])
    Chat(engine).ask("How many shapes are there?", [ref])

    assert loads == ["red.png"]


def test_features_serve_where_the_state_is_gone(engine: Engine):
    Chat(engine).ask("What is in the picture?", [RED])
    engine.caches.clear("prefix")
    again = Chat(engine).ask("What is in the picture?", [RED])

    assert (again.stats.reused_tokens, again.stats.encoder_calls, again.stats.encoder_skips) == (0, 0, 1)


def test_another_system_prompt_is_named_as_the_reason(engine: Engine):
    Chat(engine).ask("How many shapes are there?")
    other = Chat(engine, messages=[Message("system", "You are a careful assistant.")])
    assert other.ask("How many shapes are there?").stats.why.endswith("then the system prompt differs")
    assert Chat(engine).ask("Is there a star?").stats.why.endswith("then the text differs")


def test_interleaved_chats_do_not_see_each_other(engine: Engine):
    """Known failure 27: positions of an image request must not leak into another one running beside it."""
    questions = [("What is in the picture?", (RED,)), ("Hello.", ()), ("What is in the picture?", (GREEN, BLUE))]
    requests = [ChatRequest((SYSTEM, Message("user", text, images)), GREEDY) for text, images in questions]
    alone = [finished(engine, replace(request, use_cache=False)) for request in requests]

    streams = [engine.generate(request) for request in requests]
    done: dict[int, Finished] = {}
    while len(done) < len(streams):
        for number, stream in enumerate(streams):
            event = next(stream, None)
            if isinstance(event, Finished):
                done[number] = event

    assert [done[i].token_ids for i in range(3)] == [a.token_ids for a in alone]


def test_text_after_an_image_request_has_positions_of_its_own(engine: Engine):
    """Known failure 27, one after the other, in both orders."""
    text = ChatRequest((SYSTEM, Message("user", "Hello.")), GREEDY, use_cache=False)
    image = ChatRequest((SYSTEM, Message("user", "What is in the picture?", (GREEN,))), GREEDY, use_cache=False)
    first = [finished(engine, text).token_ids, finished(engine, image).token_ids]
    second = [finished(engine, image).token_ids, finished(engine, text).token_ids]

    assert first == second[::-1]


def test_the_key_names_what_the_state_holds(engine: Engine, monkeypatch: pytest.MonkeyPatch):
    """Known failures 45 and 46: at every save all layers hold exactly as many tokens as the key has."""
    lengths = []
    store = engine.caches.prompts
    save = type(store).save

    def checked(self: object, tokens: Sequence[int], cache: list[object], **keywords: object) -> bool:
        lengths.append((len(tokens), {layer.offset for layer in cache}))
        return save(self, tokens, cache, **keywords)

    monkeypatch.setattr(type(store), "save", checked)
    chat = Chat(engine)
    chat.ask("What is in the picture?", [RED])
    chat.regenerate()
    chat.sampling = replace(GREEDY, max_tokens=2)
    chat.ask("What color is the square?")

    assert lengths
    assert all(offsets == {length} for length, offsets in lengths)


@pytest.mark.parametrize("limit", [1, 2, 5])
def test_a_cut_answer_goes_on_in_the_next_prompt(engine: Engine, limit: int):
    for use_cache in (True, False):
        chat = Chat(engine, use_cache, replace(GREEDY, max_tokens=limit))
        first = chat.ask("What is in the picture?", [RED])
        second = chat.ask("What color is the square?")
        assert (first.finish_reason, len(first.token_ids)) == ("length", limit)
        if use_cache:
            assert second.stats.reused_tokens >= first.stats.prompt_tokens + limit - 1
            cached = second
    assert cached.token_ids == second.token_ids


@pytest.mark.parametrize("when", ["at once", "encode", "prefill", "decode"])
def test_stopping_keeps_what_was_computed_and_sending_again_answers_as_if_never_stopped(engine: Engine, when: str):
    """Known failures 76, 77 and 84."""
    request = ChatRequest(
        (SYSTEM, Message("user", "What is in the picture? " * 12, (RED, BLUE))), replace(GREEDY, max_tokens=20)
    )
    reference = finished(engine, replace(request, use_cache=False))
    cancel = CancelToken()
    if when == "at once":
        cancel.cancel()
    stopped, prefilled = None, 0
    for event in engine.generate(request, cancel):
        if isinstance(event, Progress) and event.stage == when == "prefill":
            prefilled = event.done
        if (isinstance(event, Progress) and event.stage == when) or (isinstance(event, TextDelta) and when == "decode"):
            cancel.cancel()
        stopped = event
    again = finished(engine, request)

    assert isinstance(stopped, Finished)
    assert stopped.finish_reason == "cancelled"
    assert again.token_ids == reference.token_ids
    assert again.stats.reused_tokens >= prefilled
    if when == "prefill":
        assert stopped.stats.prefilled_tokens == prefilled == again.stats.reused_tokens > 0
    if when in ("prefill", "decode"):
        assert again.stats.encoder_calls == 0
    if when == "decode":
        assert again.stats.prefilled_tokens == 1


def test_leaving_a_stream_half_read_is_a_stop(engine: Engine):
    request = ChatRequest((SYSTEM, Message("user", "What is in the picture?", (RED,))), GREEDY)
    stream = engine.generate(request)
    while not isinstance(next(stream), TextDelta):
        pass
    stream.close()

    assert finished(engine, request).stats.prefilled_tokens == 1


def test_prefill_tells_progress_on_the_grid(engine: Engine):
    request = ChatRequest((SYSTEM, Message("user", "word " * 150)), GREEDY, use_cache=False)
    events = list(engine.generate(request))
    steps = [event for event in events if isinstance(event, Progress) and event.stage == "prefill"]

    assert [step.done for step in steps[:-1]] == [64 * (i + 1) for i in range(len(steps) - 1)]
    assert steps[-1].done == steps[-1].total == events[-1].stats.prompt_tokens - 1
    assert steps[-1].eta == 0
    assert all(step.eta is not None and step.eta > 0 for step in steps[:-1])


def test_stop_strings_end_the_answer_before_them(engine: Engine):
    whole = Chat(engine).ask("What is in the picture?", [RED])
    word = whole.text.split()[2]
    chat = Chat(engine, sampling=replace(GREEDY, stop=(word,)))
    cut = chat.ask("What is in the picture?", [RED])

    assert cut.text == whole.text.partition(word)[0]
    assert cut.finish_reason == "stop"
    chat.sampling = GREEDY
    following = chat.ask("How many shapes are there?")
    assert (
        following.token_ids == finished(engine, replace(chat.request(), messages=tuple(chat.messages[:-1]))).token_ids
    )


def test_a_seed_repeats_an_answer_cached_or_not(engine: Engine):
    sampling = SamplingParams(temperature=1.5, seed=5, max_tokens=12)
    answers = [Chat(engine, use, sampling).ask("What is in the picture?", [RED]) for use in (False, True, True)]

    assert len({answer.token_ids for answer in answers}) == 1


def test_a_prompt_beyond_the_context_is_refused_with_numbers(engine: Engine):
    request = ChatRequest((SYSTEM, Message("user", "word " * 9000, (RED,))), GREEDY)
    with pytest.raises(PromptTooLong, match=r"needs [\d,]+ tokens, 36 of them for images, and the model takes 8,192"):
        list(engine.generate(request))


def test_answers_stay_inside_the_context(engine: Engine, monkeypatch: pytest.MonkeyPatch):
    assert engine._model is not None
    monkeypatch.setattr(engine._model, "info", replace(engine._model.info, context_length=36))
    request = ChatRequest(
        (SYSTEM, Message("user", "Tell me.")), replace(GREEDY, max_tokens=500, temperature=2.0, seed=1)
    )
    answer = finished(engine, request)

    assert answer.stats.prompt_tokens + answer.stats.generated_tokens == 36
    assert answer.finish_reason == "context"


def test_without_a_model_there_is_a_sentence(tmp_path: object):
    bare = Engine(EngineConfig(cache=CacheConfig(prefix_bytes=0, vision_bytes=0)))
    with pytest.raises(UserError, match="No model is loaded"):
        list(bare.generate(ChatRequest((Message("user", "?"),))))
    assert bare.image_tokens(100, 100) == 0
    bare.caches.close()


def test_image_tokens_are_those_of_the_prompt(engine: Engine):
    answer = Chat(engine).ask("?", [GREEN])

    assert engine.image_tokens(GREEN.width, GREEN.height) == answer.stats.images[0].tokens == 35


def test_large_images_are_announced_with_their_sizes(engine: Engine):
    large = image_ref(picture("square", "red", (1600, 1000)), "large.png")
    events = list(engine.generate(ChatRequest((SYSTEM, Message("user", "?", (large,))), GREEDY)))
    notes = [event.note for event in events if isinstance(event, Progress) and event.stage == "images"]

    assert notes == ["large.png: resized from 1,600×1,000 to 224×140"]


@pytest.mark.allows_log("Cache fault")
def test_a_faulty_cache_costs_time_and_no_answer(engine: Engine, monkeypatch: pytest.MonkeyPatch):
    reference = Chat(engine, use_cache=False).ask("What is in the picture?", [RED])

    def broken(*arguments: object, **keywords: object) -> None:
        raise OSError("disk on fire")

    for owner, names in (
        (engine.caches.prompts, ("lookup", "save")),
        (engine.caches.vision, ("get_unit", "put_unit", "skip")),
    ):
        for name in names:
            monkeypatch.setattr(owner, name, broken)
    answer = Chat(engine).ask("What is in the picture?", [RED])

    assert answer.token_ids == reference.token_ids
    assert (answer.stats.match, answer.stats.reused_tokens) == ("bypassed", 0)
    assert "bypassed" in answer.stats.why


def test_a_wrong_number_of_features_is_an_error_and_stored_nowhere(engine: Engine, monkeypatch: pytest.MonkeyPatch):
    """Known failure 18."""
    assert engine._model is not None
    adapter = engine._model.adapter
    encode = adapter.encode
    monkeypatch.setattr(adapter, "encode", lambda units: [tuple(a[:-1] for a in f) for f in encode(units)])
    request = ChatRequest((SYSTEM, Message("user", "What is in the picture?", (RED,))), GREEDY)
    with pytest.raises(ValueError, match="35"):
        list(engine.generate(request))
    monkeypatch.undo()

    assert finished(engine, request).stats.encoder_calls == 1


def test_bypassed_requests_leave_no_trace(engine: Engine):
    Chat(engine, use_cache=False).ask("What is in the picture?", [RED])
    assert engine.caches.overview().total_bytes == 0

    warm = Chat(engine).ask("What is in the picture?", [RED])
    assert (warm.stats.reused_tokens, warm.stats.encoder_calls) == (0, 1)
    assert warm.stats.bytes == {row.name: row.nbytes for row in engine.caches.overview().rows}


def test_decoding_leaves_no_growing_graph(engine: Engine):
    """Known failures 43 and 44: memory is flat over many turns of the same prompt."""
    chat = Chat(engine)
    chat.ask("What is in the picture?", [RED])
    for _ in range(3):
        chat.regenerate()
    before = mx.get_active_memory()
    for _ in range(10):
        chat.regenerate()

    assert mx.get_active_memory() <= before * 1.05


EXAMPLES = int(os.environ.get("SECOND_GLANCE_EXAMPLES", "5"))
TEXTS = st.sampled_from(["What is in the picture?", "How many shapes are there?", "ok\n", "é🙂"])


@dataclass(frozen=True)
class Action:
    """A question in one of two chats: prepared up to a step, sent and stopped after some events, then sent for good."""

    chat: int
    text: str
    images: list[ImageRef]
    prepared: int | None
    stopped: int | None


STEPS = st.none() | st.integers(0, 6)
ACTIONS = st.builds(
    Action, st.integers(0, 1), TEXTS, st.lists(st.sampled_from([RED, BLUE, GREEN]), max_size=2), STEPS, STEPS
)


def run_until(steps: Iterator[object], cancel: CancelToken, stop_after: int) -> None:
    for number, _ in enumerate(steps):
        if number == stop_after:
            cancel.cancel()


@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(actions=st.lists(ACTIONS, min_size=2, max_size=4))
def test_any_conversation_equals_uncached(engine: Engine, actions: list[Action]):
    """Chats interleave, work ahead and answers are stopped anywhere, and every answer is that of a cold run."""
    engine.caches.clear()
    short = replace(GREEDY, max_tokens=4)
    warm, cold = ([Chat(engine, use_cache, short) for _ in range(2)] for use_cache in (True, False))
    seen: set[str] = set()
    encoded = 0
    for action in actions:
        chat, cancel = warm[action.chat], CancelToken()
        if action.prepared is not None:
            draft = ChatRequest((*chat.messages, Message("user", "draft", tuple(action.images))))
            run_until(engine.prepare(draft, cancel), cancel, action.prepared)
        if action.stopped is not None:
            cancel = CancelToken()
            question = Message("user", action.text, tuple(action.images))
            stopped = replace(chat.request(), messages=(*chat.messages, question))
            run_until(engine.generate(stopped, cancel), cancel, action.stopped)
        answer = chat.ask(action.text, action.images)
        expected = cold[action.chat].ask(action.text, action.images)
        assert answer.token_ids == expected.token_ids
        assert answer.stats.reused_tokens + answer.stats.prefilled_tokens == answer.stats.prompt_tokens
        seen |= {image.digest for image in action.images}
        encoded += answer.stats.encoder_calls
        assert encoded <= len(seen)


def test_after_prepare_only_the_users_text_is_prefilled(engine: Engine, towers: Callable[[], int]):
    chat = Chat(engine)
    chat.ask("What is in the picture?", [RED])
    draft = ChatRequest((*chat.messages, Message("user", "", (BLUE, GREEN))))
    steps = list(engine.prepare(draft))
    encoded = towers()
    answer = chat.ask("And in these?", [BLUE, GREEN])
    assert engine._model is not None
    ids = engine._model.tokenizer.encode("And in these?<|im_end|>\n<|im_start|>assistant\n")

    assert steps[-1].stage == "prefill"
    assert encoded == towers() == 3
    assert answer.stats.prefilled_tokens == len(ids)
    assert answer.stats.encoder_calls == 0


def test_prepare_does_nothing_where_nothing_may_be_kept(engine: Engine, towers: Callable[[], int]):
    request = ChatRequest((SYSTEM, Message("user", "", (RED,))), use_cache=False)

    assert list(engine.prepare(request)) == []
    assert towers() == 0


def test_stop_during_load_leaves_no_model_and_the_next_load_works():
    bare = Engine(EngineConfig(cache=CacheConfig(prefix_bytes=0, vision_bytes=0)))
    cancel = CancelToken()
    cancel.cancel()
    with pytest.raises(Cancelled):
        bare.load("demo", cancel=cancel)
    assert bare.model is None

    info = bare.load("demo")
    assert (info.sees_images, info.family, info.context_length) == (True, "qwen2_vl", 8192)
    bare.unload()
    bare.caches.close()


@pytest.mark.parametrize("frozen", [False, True], ids=["", "also what was taken out of the search for garbage"])
def test_unloading_frees_the_weights(engine: Engine, frozen: bool):
    engine.caches.clear()
    gc.collect()  # what earlier tests left must not be freed between the two readings
    before = mx.get_active_memory()
    bare = Engine(EngineConfig(cache=CacheConfig()))
    info = bare.load("demo")
    Chat(bare).ask("What is in the picture?", [RED])
    assert mx.get_active_memory() >= before + info.weight_bytes
    if frozen:
        gc.freeze()
    bare.unload()

    assert mx.get_active_memory() <= before * 1.05
    if frozen:
        assert gc.get_freeze_count() > 0
    bare.caches.close()
