"""Merging of reports: fewer, but the same story."""

from __future__ import annotations

import itertools

from hypothesis import given
from hypothesis import strategies as st

from app.cache.events import CacheEvent
from app.cache.protocols import CacheOverview
from app.inference.events import Progress, TextDelta
from app.worker.reports import CacheNews, ModelProgress, TurnEvents, TurnFailed, merge_events, merge_reports

pieces = st.builds(
    TextDelta, st.text(max_size=3), st.lists(st.integers(0, 9), max_size=2).map(tuple), thinking=st.booleans()
)
steps = st.builds(Progress, st.sampled_from(["encode", "prefill"]), st.integers(0, 9), st.just(9))


@given(st.lists(pieces | steps, max_size=30))
def test_merging_keeps_text_ids_and_the_order_of_kinds(events) -> None:
    merged = merge_events(events)
    for thinking in (True, False):
        assert _text(merged, thinking) == _text(events, thinking)
    assert _ids(merged) == _ids(events)
    assert all(type(a) is not type(b) or _differs(a, b) for a, b in itertools.pairwise(merged))
    assert merge_events(merged) == merged


@given(st.lists(st.tuples(st.sampled_from("ab"), pieces), max_size=20))
def test_turns_never_mix(items) -> None:
    merged = merge_reports(TurnEvents(turn, (event,)) for turn, event in items)
    for turn in "ab":
        events = [event for report in merged if report.turn_id == turn for event in report.events]
        assert "".join(e.text for e in events) == "".join(e.text for t, e in items if t == turn)


def test_only_the_last_progress_is_kept_and_a_failure_stays_after_what_came_before() -> None:
    merged = merge_reports(
        [
            ModelProgress(Progress("load", 1, 3)),
            ModelProgress(Progress("load", 2, 3)),
            TurnEvents("a", (TextDelta("x"),)),
            TurnFailed("a", "no"),
        ]
    )
    assert merged == [
        ModelProgress(Progress("load", 2, 3)),
        TurnEvents("a", (TextDelta("x"),)),
        TurnFailed("a", "no"),
    ]


def test_cache_events_are_gathered_with_the_last_overview() -> None:
    first, second = CacheEvent("hit", "prefix", at=1.0), CacheEvent("stored", "prefix", at=2.0)
    overview = CacheOverview(())
    merged = merge_reports(
        [CacheNews((first,), CacheOverview(())), CacheNews((second,), overview), CacheNews((), None)]
    )
    assert merged == [CacheNews((first, second), overview)]


def _text(events, thinking: bool) -> str:
    return "".join(e.text for e in events if isinstance(e, TextDelta) and e.thinking is thinking)


def _ids(events) -> list[int]:
    return [i for e in events if isinstance(e, TextDelta) for i in e.token_ids]


def _differs(first, second) -> bool:
    if isinstance(first, TextDelta):
        return first.thinking != second.thinking
    return first.stage != second.stage
