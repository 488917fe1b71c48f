"""An answer that was stopped is gone on with: as if it had never been stopped, and without running anything twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest

from app.cache.config import CacheConfig, PrefixKind
from app.errors import UserError
from app.inference.events import Finished, TextDelta
from app.inference.streaming import THINK_CLOSE, THINK_OPEN
from app.inference.types import CancelToken, ChatRequest, Message, SamplingParams
from tests.inference.families.bench import Bench, open_bench
from tests.inference.families.chats import reference
from tests.inference.families.conftest import BLOCK, CHUNK
from tests.models import SPECS, build
from tests.models.pictures import waves
from tests.models.templates import THINKING_ALWAYS

Benches = Callable[[str], Mapping[str, Bench]]
FAMILIES = ["qwen2_vl", "gemma3", "lfm2_vl", "mllama", "text_llama", "text_mamba"]
WHOLE, SAID = 12, 5


def question(bench: Bench) -> list[Message]:
    images = (reference(waves(3)),) if bench.adapter.sees_images else ()
    return [Message("system", "Answer briefly."), Message("user", "What is in the picture?", images)]


def answered(
    bench: Bench,
    messages: Sequence[Message],
    tokens: int = WHOLE,
    *,
    use_cache: bool = True,
    stop: tuple[str, ...] = (),
    cancel: CancelToken | None = None,
) -> tuple[Finished, list[TextDelta]]:
    """Answer, or go on where the last message is an answer already."""
    going_on = messages[-1].role == "assistant"
    sampling = SamplingParams(max_tokens=tokens, stop=stop)
    request = ChatRequest(tuple(messages), sampling, use_cache=use_cache, continue_answer=going_on)
    *events, last = bench.engine.generate(request, cancel)
    assert isinstance(last, Finished)
    return last, [event for event in events if isinstance(event, TextDelta)]


def said(chat: Sequence[Message], answer: Finished) -> list[Message]:
    return [*chat, Message("assistant", answer.text, token_ids=answer.token_ids, thinking=answer.thinking)]


@pytest.fixture
def bench(benches: Benches, request: pytest.FixtureRequest) -> Bench:
    family, kind = request.param if isinstance(request.param, tuple) else (request.param, "memory")
    found = benches(family)[kind]
    found.reset()
    return found


@pytest.mark.parametrize(
    "bench", [(family, kind) for family in FAMILIES for kind in ("memory", "paged")], indirect=True, ids="-".join
)
def test_goes_on_as_if_never_stopped_and_runs_one_token_of_the_prompt(bench: Bench) -> None:
    chat = question(bench)
    whole, _ = answered(bench, chat, use_cache=False)
    part, _ = answered(bench, chat, SAID)

    rest, deltas = answered(bench, said(chat, part), WHOLE - SAID)
    cold, _ = answered(bench, said(chat, part), WHOLE - SAID, use_cache=False)

    assert (rest.token_ids, rest.text) == (cold.token_ids, cold.text) == (whole.token_ids, whole.text)
    assert tuple(i for delta in deltas for i in delta.token_ids) == whole.token_ids[SAID:]
    assert rest.stats.prompt_tokens == part.stats.prompt_tokens + SAID
    assert (rest.stats.prefilled_tokens, rest.stats.generated_tokens) == (1, WHOLE - SAID)
    assert rest.stats.encoder_calls == 0


@pytest.mark.parametrize("bench", ["paligemma"], indirect=True)
def test_an_answer_never_becomes_part_of_a_prompt_that_attends_both_ways(bench: Bench) -> None:
    chat = question(bench)
    whole, _ = answered(bench, chat, use_cache=False)
    part, _ = answered(bench, chat, SAID)

    rest, deltas = answered(bench, said(chat, part), WHOLE - SAID)

    assert (rest.token_ids, rest.text) == (whole.token_ids, whole.text)
    assert tuple(i for delta in deltas for i in delta.token_ids) == whole.token_ids[SAID:]
    assert (rest.stats.prefilled_tokens, rest.stats.encoder_calls) == (1, 0)


@pytest.mark.parametrize("bench", ["qwen2_vl", "text_llama", "paligemma"], indirect=True)
def test_stopped_again_before_its_first_new_word_it_still_holds_the_old_ones(bench: Bench) -> None:
    chat = question(bench)
    part, _ = answered(bench, chat, SAID)
    cancel = CancelToken()
    cancel.cancel()

    stopped, deltas = answered(bench, said(chat, part), cancel=cancel)

    assert (stopped.text, stopped.token_ids, stopped.finish_reason) == (part.text, part.token_ids, "cancelled")
    assert [delta.text for delta in deltas] in ([], [part.text[-1:]])  # half a character at the end is held back


@pytest.mark.parametrize("bench", ["qwen2_vl", "text_llama"], indirect=True)
def test_ids_that_no_longer_give_the_text_are_not_used(bench: Bench) -> None:
    chat = question(bench)
    part, _ = answered(bench, chat, SAID)
    changed = [*chat, Message("assistant", "It shows", token_ids=part.token_ids)]

    warm, cold = (answered(bench, changed, use_cache=use)[0] for use in (True, False))

    assert warm.token_ids == cold.token_ids
    assert warm.text.startswith("It shows")
    assert warm.token_ids[:8] == tuple(bench.adapter.tokenize("It shows"))


@pytest.mark.parametrize("bench", ["text_llama"], indirect=True)
def test_what_was_said_may_hold_the_end_already(bench: Bench) -> None:
    chat = [*question(bench), Message("assistant", "Waves. END")]

    ended, deltas = answered(bench, chat, stop=("END",))

    assert (ended.text, ended.finish_reason, deltas) == ("Waves. ", "stop", [])
    assert ended.stats.generated_tokens == 0


@pytest.mark.parametrize("bench", ["text_qwen3"], indirect=True)
def test_reasoning_that_was_stopped_goes_on_as_reasoning(bench: Bench) -> None:
    ids = tuple(bench.adapter.tokenize(f"{THINK_OPEN}\nTwo waves"))
    chat = [*question(bench), Message("assistant", "", token_ids=ids, thinking="Two waves")]

    warm, cold = (answered(bench, chat, use_cache=use)[0] for use in (True, False))

    assert warm == replace(cold, stats=warm.stats)
    assert warm.token_ids[: len(ids)] == ids
    assert THINK_CLOSE in bench.adapter.tokenizer.decode(list(warm.token_ids)) or not warm.text
    assert warm.thinking.startswith("Two waves")


@pytest.fixture(params=["memory", "paged"])
def thinker(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Bench]:
    """A model whose prompts open the thought, so that its answers begin inside it."""
    kind: PrefixKind = request.param
    folder = build(replace(SPECS["text_qwen3"], template=THINKING_ALWAYS), tmp_path / "thinker")
    bench = open_bench("text_qwen3", folder, CacheConfig(prefix_kind=kind, block_size=BLOCK), CHUNK)
    yield bench
    bench.close()


def test_a_thought_that_was_stopped_goes_on_as_if_never_stopped(thinker: Bench) -> None:
    chat = question(thinker)
    whole, _ = answered(thinker, chat, use_cache=False)
    part, _ = answered(thinker, chat, SAID)
    assert part.thinking
    assert not part.text

    rest, deltas = answered(thinker, said(chat, part), WHOLE - SAID)
    cold, _ = answered(thinker, said(chat, part), WHOLE - SAID, use_cache=False)

    assert (rest.token_ids, rest.thinking, rest.text) == (cold.token_ids, cold.thinking, cold.text)
    assert (rest.token_ids, rest.thinking, rest.text) == (whole.token_ids, whole.thinking, whole.text)
    assert all(delta.thinking for delta in deltas)
    assert rest.thinking.endswith("".join(delta.text for delta in deltas))
    assert (rest.stats.prefilled_tokens, rest.stats.generated_tokens) == (1, WHOLE - SAID)


def test_a_thought_of_another_model_goes_on_in_the_words_that_it_had(thinker: Bench) -> None:
    other = tuple(thinker.adapter.tokenize("Something else"))
    chat = [*question(thinker), Message("assistant", "", token_ids=other, thinking="Two waves")]

    warm, cold = (answered(thinker, chat, use_cache=use)[0] for use in (True, False))

    assert warm == replace(cold, stats=warm.stats)
    assert warm.thinking.startswith("Two waves")
    assert warm.token_ids[:9] == tuple(thinker.adapter.tokenize("Two waves"))


@pytest.mark.parametrize("opened", [True, False], ids=["opened by the prompt", "opened by the model"])
def test_an_answer_of_another_model_goes_on_with_its_thought_before_it(
    thinker: Bench, benches: Benches, opened: bool
) -> None:
    bench = thinker if opened else benches("text_qwen3")["memory"]
    chat = [*question(bench), Message("assistant", "It shows", thinking="Two waves")]

    warm, cold = (answered(bench, chat, use_cache=use)[0] for use in (True, False))

    opening = "" if opened else f"{THINK_OPEN}\n"
    assert warm == replace(cold, stats=warm.stats)
    assert warm.text.startswith("It shows")
    assert warm.thinking.rstrip() == "Two waves"
    assert bench.adapter.tokenizer.decode(list(warm.token_ids)).startswith(
        f"{opening}Two waves\n{THINK_CLOSE}\n\nIt shows"
    )


@pytest.mark.parametrize("bench", ["text_llama"], indirect=True)
def test_a_model_that_does_not_think_keeps_a_thought_and_refuses_to_go_on_with_one(bench: Bench) -> None:
    thought = Message("assistant", "", token_ids=(5, 6, 7), thinking="Two waves")
    with pytest.raises(UserError, match="does not think"):
        answered(bench, [*question(bench), thought])

    ended, _ = answered(bench, [*question(bench), replace(thought, text="It shows")])

    assert ended.text.startswith("It shows")
    assert ended.thinking == "Two waves"


def test_a_thought_is_refused_where_the_prompt_ends_it(thinker: Bench) -> None:
    thinker.engine.configure(replace(thinker.engine.config, thinking=False))
    render = thinker.adapter.render
    thinker.adapter.render = lambda *given: render(*given).removesuffix(f"{THINK_OPEN}\n")  # type: ignore[method-assign]
    chat = [*question(thinker), Message("assistant", "", thinking="Two waves")]
    assert thinker.model.builder.render(chat[:-1]).rstrip().endswith(THINK_CLOSE)

    with pytest.raises(UserError, match="does not think"):
        answered(thinker, chat)


@pytest.mark.parametrize("bench", ["qwen2_vl"], indirect=True)
def test_only_an_answer_can_be_continued(bench: Bench) -> None:
    request = ChatRequest(tuple(question(bench)), continue_answer=True)
    with pytest.raises(ValueError, match="message of the user"):
        list(bench.engine.generate(request))
