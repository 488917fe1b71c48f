from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import settings
from hypothesis.stateful import RuleBasedStateMachine, invariant, precondition, rule
from hypothesis.strategies import data, integers, text

from app.store.records import StoredImage
from app.store.store import Store

PICTURE = StoredImage("ab" * 32, 640, 480, "a.png")


def texts(store: Store, chat: str) -> list[str]:
    return [message.text for message in store.messages(chat)]


def talk(store: Store) -> tuple[str, list[str]]:
    chat = store.create_conversation().id
    ids = [
        store.add_message(chat, "user", "q1", images=[PICTURE]).id,
        store.add_message(chat, "assistant", "a1").id,
        store.add_message(chat, "user", "q2").id,
        store.add_message(chat, "assistant", "a2").id,
    ]
    return chat, ids


def test_an_edit_stands_beside_the_old_question_and_keeps_its_pictures(store: Store) -> None:
    chat, ids = talk(store)
    edited = store.edit(ids[0], "q1, better")
    assert texts(store, chat) == ["q1, better"]
    assert edited.images == (PICTURE,)
    assert (edited.sibling, edited.siblings) == (1, 2)
    assert store.edit(ids[0], "bare", images=()).images == ()


def test_the_old_branch_comes_back_whole(store: Store) -> None:
    chat, ids = talk(store)
    edited = store.edit(ids[0], "q1, better")
    store.add_message(chat, "assistant", "a1, better")
    back = store.select_sibling(edited.id, -1)
    assert back.id == ids[0]
    assert texts(store, chat) == ["q1", "a1", "q2", "a2"]
    store.select_sibling(back.id, +1)
    assert texts(store, chat) == ["q1, better", "a1, better"]


def test_selecting_stops_at_either_end(store: Store) -> None:
    chat, ids = talk(store)
    edited = store.edit(ids[0], "other")
    assert store.select_sibling(edited.id, +5).id == edited.id
    assert store.select_sibling(edited.id, -5).id == ids[0]
    assert texts(store, chat)[0] == "q1"


def test_regenerating_adds_a_streaming_answer_beside_the_old_one(store: Store) -> None:
    chat, ids = talk(store)
    fresh = store.regenerate(ids[3])
    assert fresh.state == "streaming"
    assert (fresh.sibling, fresh.siblings) == (1, 2)
    assert store.message(ids[3]).text == "a2"
    assert texts(store, chat) == ["q1", "a1", "q2", ""]


def test_a_hit_on_a_hidden_branch_can_be_revealed(store: Store) -> None:
    chat, ids = talk(store)
    store.edit(ids[0], "elsewhere")
    (hit,) = store.search("a2")
    store.reveal(hit.message.id)
    assert texts(store, chat) == ["q1", "a1", "q2", "a2"]


def test_a_fork_copies_the_shown_branch_up_to_a_message(store: Store) -> None:
    chat, ids = talk(store)
    store.finish(ids[1], text="a1", token_ids=[4, 5], stats={"x": 1})
    fork = store.fork(chat, ids[1])
    copied = store.messages(fork.id)
    assert [m.text for m in copied] == ["q1", "a1"]
    assert copied[0].images == (PICTURE,)
    assert (copied[1].token_ids, copied[1].stats) == ((4, 5), {"x": 1})
    store.add_message(fork.id, "user", "only here")
    assert texts(store, chat) == ["q1", "a1", "q2", "a2"]
    with pytest.raises(KeyError):
        store.fork(chat, "nobody")


def test_a_parent_of_another_chat_is_refused(store: Store) -> None:
    _, ids = talk(store)
    other = store.create_conversation()
    with pytest.raises(KeyError):
        store.add_message(other.id, "user", "lost", parent_id=ids[0])


class Tree(RuleBasedStateMachine):
    """The shown branch is always one unbroken chain, whatever is edited, regenerated and selected."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = TemporaryDirectory()
        self.store = Store(Path(self.folder.name))
        self.chat = self.store.create_conversation().id
        self.parents: dict[str, str | None] = {}
        self.texts: dict[str, str] = {}

    def remember(self, message_id: str) -> None:
        message = self.store.message(message_id)
        self.parents[message_id] = message.parent_id
        self.texts[message_id] = message.text

    @rule(words=text(max_size=5))
    def ask(self, words: str) -> None:
        self.remember(self.store.add_message(self.chat, "user", words).id)

    @precondition(lambda self: self.texts)
    @rule(choice=data(), words=text(max_size=5))
    def edit(self, choice, words: str) -> None:
        self.remember(self.store.edit(self.pick(choice), words).id)

    @precondition(lambda self: self.texts)
    @rule(choice=data(), offset=integers(-2, 2))
    def select(self, choice, offset: int) -> None:
        self.store.select_sibling(self.pick(choice), offset)

    @precondition(lambda self: self.texts)
    @rule(choice=data())
    def reveal(self, choice) -> None:
        wanted = self.pick(choice)
        self.store.reveal(wanted)
        assert wanted in [message.id for message in self.store.messages(self.chat)]

    def pick(self, choice) -> str:
        return sorted(self.texts)[choice.draw(integers(0, len(self.texts) - 1))]

    @invariant()
    def the_branch_is_a_chain_to_a_leaf(self) -> None:
        shown = self.store.messages(self.chat)
        assert [m.parent_id for m in shown] == [None, *(m.id for m in shown)][: len(shown)]
        assert bool(shown) == bool(self.texts)
        if shown:
            assert shown[-1].id not in self.parents.values()

    @invariant()
    def nothing_is_lost(self) -> None:
        whole = self.store.tree(self.chat)
        assert {m.id: m.text for m in whole} == self.texts
        for message in whole:
            brothers = [m.id for m in whole if m.parent_id == message.parent_id]
            assert (message.sibling, message.siblings) == (brothers.index(message.id), len(brothers))

    def teardown(self) -> None:
        self.store.close()
        self.folder.cleanup()


TestTree = Tree.TestCase
TestTree.settings = settings(max_examples=25, stateful_step_count=20, deadline=None)
