"""Conversations whose layers cannot be cut: what people do next finds a state, and its bytes are held once."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from app.cache.config import CacheConfig, PrefixKind
from app.cache.entries import EntryStore
from app.cache.events import EventBus
from app.cache.matching import Stored
from app.cache.memory import MemoryAwarePrefixCache, MemoryCacheConfig
from app.cache.protocols import PROMPT, Ending
from app.cache.snapshot import Snapshot
from app.cache.stack import TieredPrompts, make_prompts
from app.cache.superseding import KEPT_BOUNDARIES
from tests.cache.oracle import WINDOW, OracleModel, fingerprint, readable

RECURRENT, WINDOWED = ("KVCache", "ArraysCache"), ("KVCache", "RotatingKVCache")
LAYOUTS = [RECURRENT, WINDOWED]
KINDS: list[PrefixKind] = ["memory", "simple", "paged"]
SYSTEM, QUESTION, ANSWER = 40, 30, 20
HALFWAY = Ending(halfway=True)
MIB = 1 << 20
EXAMPLES = int(os.environ.get("SECOND_GLANCE_EXAMPLES", "25"))


def run(first: int, count: int) -> tuple[int, ...]:
    return tuple(range(first, first + count))


class Talk:
    """One conversation as the engine leads it: states at the prompt's end and at the answer's.

    Attributes:
        history: tokens so far; every answer is one.
    """

    def __init__(self, store: TieredPrompts, kinds: Sequence[str]) -> None:
        self.store, self.model = store, OracleModel(kinds)
        self.history = run(1, SYSTEM)
        self._save(self.history)

    def ask(self, question: int, answers: Sequence[int]) -> list[int]:
        """Ask, stopped after each of ``answers`` tokens but the last; return what was reused each time."""
        prompt, reused = (*self.history, *run(question, QUESTION)), []
        for number, count in enumerate(answers):
            found = self.store.lookup((*prompt, 0))
            live = found.cache or self.model.make_cache()
            assert fingerprint(live) == fingerprint(self.model.cold(prompt[: found.reused])) or not found.reused
            reused.append(found.reused)
            if found.reused < len(prompt):
                self.model.run(live, prompt, found.reused)
                self._save(prompt, live)
            answered = (*prompt, 0, *run(10 * question + 5000 * (number % 2), count))
            self.model.run(live, answered, len(prompt))
            self._save(answered, live, ending=Ending(len(prompt) + 1))
        self.history = answered
        return reused

    def _save(self, tokens: tuple[int, ...], live: list[object] | None = None, ending: Ending = PROMPT) -> None:
        assert self.store.save(tokens, live or self.model.cold(tokens), ending=ending)


def store_of(kind: PrefixKind, nbytes: int = 64 * MIB) -> TieredPrompts:
    store = make_prompts(CacheConfig(prefix_kind=kind, block_size=8), nbytes, EventBus())
    store.use("model")
    return store


@pytest.fixture(params=KINDS)
def talk_of(request: pytest.FixtureRequest) -> Callable[[Sequence[str]], Talk]:
    return lambda kinds: Talk(store_of(request.param), kinds)


@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
def test_another_last_question_goes_on_from_the_answer_before_it(talk_of, kinds):
    talk = talk_of(kinds)
    talk.ask(100, [ANSWER])
    before = talk.history
    for other in (200, 300, 400):
        talk.history = before
        assert talk.ask(other, [ANSWER]) == [len(before)]


@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
@pytest.mark.parametrize("stops", [[5], [3, 9], [5, 5, 5, 12]], ids=str)
def test_stopped_answers_are_generated_anew_from_the_prompts_end(talk_of, kinds, stops):
    talk = talk_of(kinds)
    talk.ask(100, [ANSWER])
    before = talk.history
    prompt = len(before) + QUESTION
    assert talk.ask(200, [*stops, ANSWER, ANSWER, ANSWER]) == [len(before)] + [prompt] * (len(stops) + 2)
    talk.history = before
    assert talk.ask(300, [ANSWER]) == [len(before)], "the state before the question is still there"


@pytest.mark.parametrize("stops", [[2], [2, 4, 6, 8, 10]], ids=str)
@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
def test_beginnings_of_one_answer_take_no_boundary_s_place(talk_of, kinds, stops):
    """Each stop goes further in the same answer, as when it is continued."""
    talk = talk_of(kinds)
    talk.ask(100, [ANSWER])
    before = talk.history
    prompt = (*before, *run(200, QUESTION))
    talk.ask(200, [0])
    for count in [*stops, ANSWER]:
        answered = (*prompt, 0, *run(2000, count))
        found = talk.store.lookup(answered)
        live = found.cache
        talk.model.run(live, answered, found.reused)
        talk._save(answered, live, ending=Ending(len(prompt) + 1))
    assert talk.store.lookup((*prompt, 9)).reused == len(prompt)
    assert talk.store.lookup((*before, 9)).reused == len(before)


@pytest.mark.parametrize("stops", [[4], [4, 8, 12, 16, 20, 24]], ids=str)
@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
def test_beginnings_of_one_prompt_take_no_boundary_s_place(talk_of, kinds, stops):
    talk = talk_of(kinds)
    talk.ask(100, [ANSWER])
    talk.ask(200, [ANSWER])
    before = talk.history
    for count in stops:
        begun = (*before, *run(300, count))
        found = talk.store.lookup((*begun, 0))
        live = found.cache
        talk.model.run(live, begun, found.reused)
        assert talk.store.save(begun, live, ending=Ending(unfinished=True))
    assert talk.store.lookup((*begun, 9)).reused == len(begun)
    assert talk.store.lookup((*before, 9)).reused == len(before), "another question"
    assert talk.store.lookup((*before[: -ANSWER - 1], 9)).reused == len(before) - ANSWER - 1, "another answer"
    assert talk.ask(300, [ANSWER]) == [len(begun)]
    assert talk.store.lookup((*before, 9)).reused == len(before)
    assert talk.store.lookup((*begun, 9)).reused == len(before), "where it was stopped no longer matters"


def ask_in_steps(talk: Talk, question: int, steps: Sequence[int], ending: Ending = HALFWAY) -> tuple[int, ...]:
    """Ask a question of which places inside are kept, and return the prompt."""
    prompt = (*talk.history, *run(question, QUESTION))
    for length in (len(talk.history) + step for step in steps):
        assert talk.store.save(prompt[:length], talk.model.cold(prompt[:length]), ending=ending)
    talk.ask(question, [ANSWER])
    return prompt


@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
def test_places_inside_a_prompt_serve_its_edits_and_take_no_boundary_s_place(talk_of, kinds):
    talk = talk_of(kinds)
    talk.ask(100, [ANSWER])
    talk.ask(200, [ANSWER])
    before = talk.history
    prompt = ask_in_steps(talk, 300, [10, 16, 24])
    for edited_at, due in ((27, 24), (20, 16), (12, 0)):
        reused = talk.store.lookup((*prompt[: len(before) + edited_at], 9, 9)).reused - len(before)
        # windows in blocks can be cut at some more places
        assert due <= reused <= (edited_at if kinds == WINDOWED else due)
    assert talk.store.lookup((*prompt, 9)).reused == len(prompt), "another answer"
    assert talk.store.lookup((*before[: -ANSWER - 1], 9)).reused == len(before) - ANSWER - 1, "the question before"


@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
def test_places_inside_a_prompt_go_once_its_answer_is_gone_on_from(talk_of, kinds):
    talk = talk_of(kinds)
    talk.ask(100, [ANSWER])
    prompt = ask_in_steps(talk, 300, [9, 19])
    talk.ask(400, [ANSWER])
    assert talk.store.lookup((*prompt[:-3], 9, 9)).reused == SYSTEM
    assert talk.store.lookup((*prompt, 9)).reused == len(prompt)


@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
@pytest.mark.parametrize("other", [PROMPT, Ending(unfinished=True), HALFWAY], ids=["boundary", "stopped", "halfway"])
def test_a_place_inside_a_prompt_stays_what_is_most_of_it(talk_of, kinds, other):
    """Stopped there as well it is still a place to edit from; where a prompt ended as well it is a boundary."""
    talk = talk_of(kinds)
    talk.ask(100, [ANSWER])
    before = talk.history
    prompt = (*before, *run(300, QUESTION))
    place = prompt[:-11]
    for ending in (HALFWAY, other, HALFWAY):
        assert talk.store.save(place, talk.model.cold(place), ending=ending)
    talk.ask(300, [ANSWER])
    assert talk.store.lookup((*place, 9, 9)).reused == len(place)
    following = (*talk.history, *run(400, QUESTION))
    assert talk.store.save(following, talk.model.cold(following))
    assert talk.store.lookup((*place, 9, 9)).reused == (len(place) if other == PROMPT else len(before))


@pytest.mark.parametrize("kind", ["memory", "simple"])
def test_nothing_is_given_up_for_a_place_inside_a_prompt_and_it_goes_first(kind):
    talk = Talk(store_of(kind), RECURRENT)
    talk.ask(100, [ANSWER])
    store: EntryStore = talk.store.entries
    prompt = (*talk.history, *run(300, QUESTION))
    place = talk.model.cold(prompt[:-10])
    needed = Snapshot.plan(place, len(prompt) - 10).nbytes
    talk.store.set_limit(store.ledger.used + needed - 1)
    assert not talk.store.save(prompt[:-10], place, ending=HALFWAY)
    talk.store.set_limit(store.ledger.used + needed)
    assert talk.store.save(prompt[:-10], place, ending=HALFWAY)
    assert store.counters.evictions == 0
    check(store)

    talk.store.set_limit(MIB)
    talk.ask(300, [ANSWER])
    held = {entry.tokens for entry in store.order}
    assert prompt[:-10] in held
    written: list[Stored] = []
    store.spill = written.append
    talk.store.set_limit(store.ledger.used - 1)
    assert held - {entry.tokens for entry in store.order} == {prompt[:-10]}
    assert written == []
    assert store.counters.refused == 0
    check(store)


@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
def test_a_prompt_that_was_stopped_just_at_a_boundary_leaves_the_boundary(talk_of, kinds):
    talk = talk_of(kinds)
    talk.ask(100, [ANSWER])
    before = talk.history
    talk.store.save(before, talk.model.cold(before), ending=Ending(unfinished=True))
    for question in (200, 300):
        talk.history = before
        assert talk.ask(question, [ANSWER]) == [len(before)]


@pytest.mark.parametrize("kind", ["memory", "simple"])
@pytest.mark.parametrize("kinds", LAYOUTS, ids="+".join)
def test_twenty_turns_hold_their_longest_state_and_a_constant_number_of_windows(kind, kinds):
    """Failures 37 and 57: what can be cut is held once, whatever the number of boundaries."""
    talk = Talk(store_of(kind), kinds)
    store: EntryStore = talk.store.entries
    for turn in range(20):
        talk.ask(100 * (turn + 1), [ANSWER])
        longest = Snapshot.take(talk.model.cold(talk.history), len(talk.history))
        full, bounded = (layer.nbytes for layer in longest.layers)
        oldest = full * SYSTEM // len(talk.history)
        assert len(store) <= KEPT_BOUNDARIES + 2
        assert store.ledger.used <= full + oldest + (KEPT_BOUNDARIES + 2) * bounded
    assert store.ledger.used <= 1.2 * longest.nbytes + (KEPT_BOUNDARIES + 1) * bounded
    lenders = [entry for entry in store.order if entry.borrowers]
    assert [len(entry.tokens) for entry in lenders] == [len(talk.history)]


def test_a_borrowing_state_is_what_it_was_before():
    model, tokens = OracleModel(WINDOWED), run(1, 60)
    short, long = (Snapshot.take(model.cold(tokens[:n]), n) for n in (40, 60))
    thin = short.leaning_on(long)

    assert thin.borrowed == {0}
    assert thin.nbytes == short.nbytes - short.layers[0].nbytes
    assert readable(thin.restore()) == readable(short.restore())
    assert thin.meta() == short.meta()
    assert {k: a.tolist() for k, a in thin.arrays().items()} == {k: a.tolist() for k, a in short.arrays().items()}
    assert (thin.can_cut(40), thin.can_cut(39)) == (True, False)
    assert Snapshot.from_arrays(thin.meta(), thin.arrays()).nbytes == short.nbytes


def test_who_borrows_leaves_with_the_lender_and_is_spilled_whole():
    talk = Talk(store_of("memory"), WINDOWED)
    spilled = {}
    talk.store.entries.spill = lambda entry: spilled.setdefault(len(entry.tokens), readable(entry.snapshot.restore()))
    talk.ask(100, [ANSWER])
    prompt, whole = SYSTEM + QUESTION, len(talk.history)
    borrowed = [len(entry.tokens) for entry in talk.store.entries.order if entry.lender]
    assert borrowed == [prompt]

    talk.store.lookup((*talk.history[:prompt], 9))  # now the lender is used less recently than who borrows from it
    talk.store.set_limit(0)

    assert talk.store.entries.ledger.used == len(talk.store.entries) == 0
    assert sorted(spilled) == [SYSTEM, prompt, whole]
    for length, found in spilled.items():
        assert found == readable(talk.model.cold(talk.history[:length]))


def test_storing_the_lender_again_keeps_who_borrows_from_it():
    talk = Talk(store_of("memory"), WINDOWED)
    talk.ask(100, [ANSWER])
    used = talk.store.entries.ledger.used
    talk._save(talk.history, ending=Ending(SYSTEM + QUESTION + 1))

    assert [len(entry.tokens) for entry in talk.store.entries.order if entry.lender] == [SYSTEM + QUESTION]
    assert talk.store.entries.ledger.used == used


@pytest.mark.allows_log("storing failed")
def test_a_lender_that_cannot_be_replaced_leaves_nobody_behind(monkeypatch):
    talk = Talk(store_of("memory"), WINDOWED)
    talk.ask(100, [ANSWER])
    store = talk.store.entries

    def no_memory(plan: Snapshot) -> Snapshot:
        raise MemoryError("no room for a copy")

    monkeypatch.setattr(Snapshot, "settle", no_memory)
    live = talk.model.cold(talk.history)
    assert not talk.store.save(talk.history, live, ending=Ending(SYSTEM + QUESTION + 1))

    assert [len(entry.tokens) for entry in store.order] == [SYSTEM]
    check(store)


def check(store: EntryStore) -> None:
    """Every byte is charged once and every lender is there."""
    held = list(store.order)
    assert store.ledger.used == sum(e.nbytes for e in held) == sum(e.snapshot.nbytes for e in held)
    assert store.ledger.used <= store.ledger.limit
    assert {e.tokens for e in held} == {e.tokens for _, e in store.index}
    for entry in held:
        assert (entry.lender is None) == (not entry.snapshot.borrowed)
        if entry.lender is not None:
            assert entry.lender in store.order
            assert entry in entry.lender.borrowers
            assert entry.lender.tokens[: len(entry.tokens)] == entry.tokens
            layers = entry.lender.snapshot.layers
            assert all(entry.snapshot.layers[number] is layers[number] for number in entry.snapshot.borrowed)
        assert all(borrower.lender is entry for borrower in entry.borrowers)


moves = st.tuples(
    st.sampled_from(["ask", "edit", "regenerate", "other", "remove", "limit", "clear"]),
    st.integers(0, 2),
    st.lists(st.integers(0, 4), min_size=1, max_size=3),
)


@pytest.mark.parametrize("kinds", [*LAYOUTS, (*WINDOWED, "ArraysCache")], ids="+".join)
@settings(max_examples=EXAMPLES, deadline=None, suppress_health_check=list(HealthCheck))
@given(script=st.lists(moves, min_size=4, max_size=14))
def test_any_conversation_reuses_right_states_and_counts_every_byte(kinds, script):
    config = MemoryCacheConfig(max_memory_mb=0.2, min_prefix_tokens=1, max_entries=12)
    store = MemoryAwarePrefixCache("model", config)
    talks = [Talk(store, kinds) for _ in range(2)]
    turns: list[list[tuple[int, ...]]] = [[], []]
    for what, number, answers in script:
        place = number % 2
        talk, past = talks[place], turns[place]
        if what in ("edit", "regenerate") and past:
            talk.history = past.pop()
        if what == "remove":
            store.remove(talk.history)
        elif what == "limit":
            store.set_limit(int((number + 1) * 0.1 * MIB))
        elif what == "clear":
            store.clear()
        else:
            question = 1000 * (place + 1) + 100 * len(past) + (what == "edit") * 37
            past.append(talk.history)
            _ask(talk, question, answers)
        check(store.entries)
    assert WINDOW < SYSTEM, "windows have moved at every boundary"


def _ask(talk: Talk, question: int, answers: Sequence[int]) -> None:
    """As :meth:`Talk.ask`; a store that is too small may refuse."""
    prompt = (*talk.history, *run(question, 6))
    for number, count in enumerate(answers):
        found = talk.store.lookup((*prompt, 0))
        if found.cache is not None:
            assert fingerprint(found.cache) == fingerprint(talk.model.cold(prompt[: found.reused]))
        live = found.cache or talk.model.make_cache()
        talk.model.run(live, prompt, found.reused)
        talk.store.save(prompt, live)
        answered = (*prompt, 0, *run(question + 5000 * number, count))
        talk.model.run(live, answered, len(prompt))
        talk.store.save(answered, live, ending=Ending(len(prompt) + 1))
    talk.history = answered
