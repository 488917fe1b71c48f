"""The small values that every room shares: events, spans, overview rows."""

from __future__ import annotations

import pytest

from app.cache.events import CacheEvent, EventBus
from app.cache.media import MediaSpan, cut_before_span, salt_token, salt_tokens
from app.cache.protocols import CacheOverview, TierRow


def test_salted_tokens_name_image_place_and_shape():
    span = MediaSpan(2, 3, "d", (1, 2))
    tokens = salt_tokens([1, 2, 9, 9, 9, 3], [span])
    assert tokens[:2] == (1, 2)
    assert tokens[5] == 3
    assert all(token >= 2**32 and token.bit_length() == 256 for token in tokens[2:5])
    assert len(set(tokens)) == 6
    assert salt_token("d", (1, 2), 0) != salt_token("d", (2, 1), 0) != salt_token("e", (2, 1), 0)
    assert len({salt_token(str(n), (), 0) for n in range(1000)}) == 1000


@pytest.mark.parametrize("spans", [[(0, 0)], [(0, 3), (2, 2)], [(4, 3)]], ids=["empty", "overlap", "outside"])
def test_spans_that_make_no_sense_are_refused(spans):
    with pytest.raises(ValueError, match="media span"):
        salt_tokens(range(6), [MediaSpan(start, length, "d") for start, length in spans])


def test_a_cut_inside_a_span_moves_to_its_start():
    spans = [MediaSpan(2, 3, "a"), MediaSpan(6, 2, "b")]
    assert [cut_before_span(n, spans) for n in range(9)] == [0, 1, 2, 2, 2, 5, 6, 6, 8]


@pytest.mark.allows_log("subscriber failed")
def test_a_subscriber_that_fails_is_taken_off_and_the_others_still_hear():
    bus, heard = EventBus(), []

    def failing(_event):
        raise RuntimeError("no")

    bus.subscribe(failing)
    leave = bus.subscribe(heard.append)
    event = CacheEvent("hit", "prefix")
    bus.emit(event, event)
    assert heard == [event, event]
    leave()
    leave()
    bus.emit(event)
    assert len(heard) == 2


def test_rows_and_their_sum():
    rows = (TierRow("prefix", 1, 30, 60, 3, 1), TierRow("vision", 0, 12, 0, 0, 0))
    overview = CacheOverview(rows)
    assert overview.total_bytes == 42
    assert overview.row("prefix").hit_rate == 0.75
    assert overview.row("prefix").utilization == 0.5
    assert overview.row("vision").hit_rate == 0.0
    assert overview.row("vision").utilization == 0.0
    with pytest.raises(KeyError):
        overview.row("ssd")
