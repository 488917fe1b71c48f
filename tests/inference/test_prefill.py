"""Chunk ends: the same absolute positions from wherever prefill starts."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from app.cache.media import MediaSpan
from app.inference.prefill import LONG_RUN, chunk_ends, halfway_ends

lengths = st.integers(1, 400)


@given(start=st.integers(0, 300), length=lengths, chunk=st.integers(1, 64))
def test_ends_lie_on_the_grid_and_the_last_is_the_stop(start: int, length: int, chunk: int):
    stop = start + length
    ends = chunk_ends(start, stop, chunk)

    assert ends[-1] == stop
    assert ends == sorted(set(ends))
    assert all(start < end <= stop for end in ends)
    assert all(end % chunk == 0 for end in ends[:-1])
    assert all(b - a <= chunk for a, b in zip([start, *ends], ends, strict=False))


@given(start=st.integers(0, 300), length=lengths, chunk=st.integers(1, 64))
def test_a_warm_start_meets_the_ends_of_a_cold_one(start: int, length: int, chunk: int):
    stop = start + length
    cold = [end for end in chunk_ends(0, stop, chunk) if end > start]

    assert chunk_ends(start, stop, chunk) == cold


def test_cuts_become_ends_where_they_lie_ahead():
    assert chunk_ends(10, 100, 64, cuts=(5, 10, 20, 99, 100, 140)) == [20, 64, 99, 100]


@given(data=st.data(), stop=st.integers(30, 300), chunk=st.integers(1, 40))
def test_images_that_must_stay_whole_are_not_split(data: st.DataObject, stop: int, chunk: int):
    start = data.draw(st.integers(0, stop - 2))
    begin = data.draw(st.integers(start, stop - 2))
    span = MediaSpan(begin, data.draw(st.integers(1, stop - 1 - begin)), "d")
    ends = chunk_ends(start, stop, chunk, whole=(span,))

    assert ends[-1] == stop
    assert not any(span.start < end < span.end for end in ends)


def test_a_long_run_keeps_a_place_in_its_middle_and_one_with_a_chunk_behind_it():
    assert halfway_ends([64, 128, 192, 256, 320, 330], 64, ()) == {128, 256}
    assert halfway_ends([64, 128, 192, 256, 320, 384], 64, ()) == {192, 320}
    assert halfway_ends(chunk_ends(0, 64 * (LONG_RUN - 1), 64), 64, ()) == set()


def test_no_state_is_kept_inside_an_image():
    picture = MediaSpan(100, 200, "d")

    assert halfway_ends([64, 128, 192, 256, 320, 400], 64, (picture,)) == {64, 320}
