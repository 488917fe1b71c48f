from __future__ import annotations

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis.strategies import lists, sampled_from, text

from app.store.search import snippet
from app.store.store import Store

LETTERS = sampled_from("ab\"%_ '*é截")


@pytest.fixture
def chat(store: Store) -> str:
    found = store.create_conversation("Straßenbahn plan").id
    store.add_message(found, "user", 'What does the dialog "Save as…" say? 100 % sure')
    store.add_message(found, "assistant", "这个截图里有一个红色的按钮。")
    return found


@pytest.mark.parametrize(
    ("query", "hits"),
    [
        ("dialog", 1),
        ("DIALOG", 1),
        ("sure dialog", 1),
        ("dia", 1),
        ("alo", 1),
        ("dialog absent", 0),
        ("截图", 1),
        ("红色的按钮", 1),
        ('"Save', 1),
        ("100 %", 1),
        ("%", 1),
        ("_", 0),
        ("as* OR (", 0),
        ("", 0),
        ("   ", 0),
    ],
)
def test_words_are_found_in_any_order_also_inside_words(store: Store, chat: str, query: str, hits: int) -> None:
    assert len(store.search(query)) == hits


def test_chats_are_found_by_title_and_by_what_was_said(store: Store, chat: str) -> None:
    store.create_conversation("Other")
    assert [c.id for c in store.conversations("straßen")] == [chat]
    assert [c.id for c in store.conversations("按钮")] == [chat]
    assert store.conversations("nothing like it") == []
    assert len(store.conversations("  ")) == 2
    store.rename(chat, "Timetable")
    assert store.conversations("straßen") == []
    assert [c.id for c in store.conversations("timetable")] == [chat]


def test_a_growing_answer_is_found_once_it_is_finished(store: Store, chat: str) -> None:
    answer = store.add_message(chat, "assistant", "", state="streaming")
    store.append(answer.id, "platypus")
    assert store.search("platypus") == []
    store.finish(answer.id, text="platypus indeed", token_ids=[1])
    assert [hit.message.id for hit in store.search("platypus")] == [answer.id]
    store.resume(answer.id)
    assert store.search("platypus") == []
    store.finish(answer.id, text="wombat after all", token_ids=[1])
    assert store.search("platypus") == []
    assert len(store.search("wombat")) == 1


def test_hits_are_newest_first_and_limited(store: Store) -> None:
    chat = store.create_conversation().id
    for number in range(5):
        store.add_message(chat, "user", f"needle {number}")
    assert [hit.message.text for hit in store.search("needle", limit=3)] == ["needle 4", "needle 3", "needle 2"]


def test_a_snippet_is_one_line_around_the_first_word() -> None:
    long = "start " + "x " * 100 + "the needle\nis here " + "y " * 100
    cut = snippet(long, "needle")
    assert "the needle is here" in cut
    assert cut.startswith("…")
    assert cut.endswith("…")
    assert snippet("short", "absent") == "short"


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(texts=lists(text(LETTERS, max_size=12), max_size=4), query=text(LETTERS))
def test_search_agrees_with_plain_containment(store: Store, texts: list[str], query: str) -> None:
    chat = store.create_conversation("").id
    added = {store.add_message(chat, "user", body).id: body for body in texts}
    words = query.split()
    expected = {i for i, body in added.items() if words and all(word in body for word in words)}
    assert {hit.message.id for hit in store.search(query)} == expected
    store.delete(chat)
    store.purge()


def test_a_hit_in_an_answer_is_shown_without_the_signs_of_markdown(store: Store) -> None:
    chat = store.create_conversation("Signs").id
    store.add_message(chat, "user", "**stars** are typed here")
    store.add_message(chat, "assistant", "## A **red** [button](https://example.org) in `the_row`")
    assert [hit.snippet for hit in store.search("red")] == ["A red button in the_row"]
    assert [hit.snippet for hit in store.search("example.org")] == [
        "## A **red** [button](https://example.org) in `the_row`"
    ]
    assert [hit.snippet for hit in store.search("typed")] == ["**stars** are typed here"]
