"""What an answer says of the work that was done while its question was being written."""

from __future__ import annotations

from dataclasses import replace

import pytest

from app.inference.drafts import DRAFTS_KEPT, Draft, Drafts
from app.inference.engine import Engine
from app.inference.events import Finished
from app.inference.types import Cancelled, CancelToken, ChatRequest, Message
from tests.inference.chat import Chat
from tests.inference.conftest import image_ref, picture

RED, BLUE, GREEN = (image_ref(picture("square", colour), f"{colour}.png") for colour in ("red", "blue", "green"))
FIRST = Message("user", "What is in the picture?", (RED,))


def ahead(engine: Engine, request: ChatRequest) -> None:
    list(engine.prepare(replace(request, messages=(*request.messages[:-1], replace(request.messages[-1], text="")))))


def answer(engine: Engine, request: ChatRequest) -> Finished:
    *_, end = engine.generate(request)
    assert isinstance(end, Finished)
    return end


def test_a_first_picture_looked_at_while_typing_is_no_picture_seen_before(engine: Engine) -> None:
    request = ChatRequest((FIRST,))
    ahead(engine, request)
    stats = answer(engine, replace(request, chat_id="made on sending")).stats
    assert [(use.skipped, use.tiles_ahead) for use in stats.images] == [(True, 1)]
    assert stats.ahead_tokens == stats.reused_tokens > 0
    again = answer(engine, replace(request, chat_id="made on sending")).stats
    assert [(use.skipped, use.tiles_ahead) for use in again.images] == [(True, 0)]
    assert (again.ahead_tokens, again.reused_tokens > 0) == (0, True)


def test_only_what_is_new_is_counted_as_run_ahead(engine: Engine) -> None:
    chat = Chat(engine)
    chat.ask("What is in the picture?", [RED])
    request = replace(chat.request(), messages=(*chat.messages, Message("user", "And here?", (RED, BLUE))))
    ahead(engine, request)
    stats = answer(engine, request).stats
    assert [use.tiles_ahead for use in stats.images] == [0, 0, 1]
    assert 0 < stats.ahead_tokens < stats.reused_tokens
    cold = answer(engine, replace(request, use_cache=False)).stats
    assert [use.tiles_ahead for use in cold.images] == [0, 0, 0]
    assert cold.ahead_tokens == 0


def test_pictures_that_come_one_by_one_are_one_piece_of_work(engine: Engine) -> None:
    for images in ((RED,), (RED, GREEN), (RED, GREEN, BLUE)):
        request = ChatRequest((replace(FIRST, images=images),))
        ahead(engine, request)
    stats = answer(engine, request).stats
    assert [use.tiles_ahead for use in stats.images] == [1, 1, 1]
    assert stats.ahead_tokens == stats.reused_tokens


@pytest.mark.parametrize("steps", range(8))
def test_work_that_was_stopped_counts_as_far_as_it_got(engine: Engine, steps: int) -> None:
    request, cancel = ChatRequest((replace(FIRST, images=(RED, GREEN)),)), CancelToken()
    try:
        for number, _ in enumerate(engine.prepare(request, cancel)):
            if number == steps:
                cancel.cancel()
    except Cancelled:
        pass
    stats = answer(engine, request).stats
    assert stats.ahead_tokens == stats.reused_tokens
    assert [use.tiles_ahead for use in stats.images] == [int(use.skipped) for use in stats.images]


def test_a_draft_of_another_chat_is_not_claimed(engine: Engine) -> None:
    request = ChatRequest((FIRST,), chat_id="a")
    ahead(engine, request)
    assert answer(engine, replace(request, chat_id="b")).stats.ahead_tokens == 0
    assert answer(engine, request).stats.ahead_tokens > 0


def test_another_question_in_the_place_of_a_draft_has_its_own_figures() -> None:
    drafts = Drafts()
    drafts.add("a", Draft((1, 2, 3, 4), 1, 4, {"x": 1}))
    drafts.add("a", Draft((9, 8, 7), 0, 3, {}))
    assert drafts.claim("a", (9, 8, 7, 6), 3, ()) == (3, ())
    drafts.add("a", Draft((1, 2, 3, 4), 1, 4, {"x": 1}))
    assert drafts.claim("a", (1, 2, 5), 2, ()) == (1, ())


def test_drafts_of_many_chats_do_not_gather() -> None:
    drafts = Drafts()
    for number in range(DRAFTS_KEPT + 1):
        drafts.add(str(number), Draft((1, 2), 0, 2, {}))
    assert drafts.claim("0", (1, 2), 2, ()) == (0, ())
    assert drafts.claim("1", (1, 2), 2, ()) == (2, ())
