"""Running the prompt in chunks that end at the same absolute positions every time.

Snapshots taken at chunk ends are then reproducible: a prompt that starts from reused state and one that starts from
nothing meet at the same ends.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import mlx.core as mx

from app.cache.media import MediaSpan, cut_before_span
from app.cache.protocols import LayerCaches
from app.inference.events import Progress
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import Features, FinalPrompt
from app.inference.types import CancelToken

DEFAULT_CHUNK = 512
LONG_RUN = 4
"""Chunks of one run from which on places inside it are kept, where state cannot be cut."""


def chunk_ends(
    start: int, stop: int, chunk: int, *, cuts: Sequence[int] = (), whole: Sequence[MediaSpan] = ()
) -> list[int]:
    """Return where chunks end on the way from ``start`` to ``stop``: multiples of ``chunk``, ``cuts``, and ``stop``.

    An end that would split one of the spans ``whole`` moves behind that span.
    """
    ends = {stop, *(cut for cut in cuts if start < cut < stop)}
    ends.update(range(start - start % chunk + chunk, stop, chunk))
    for span in whole:
        inside = {end for end in ends if span.start < end < span.end}
        if inside:
            ends = (ends - inside) | {min(span.end, stop)}
    return sorted(ends)


def halfway_ends(ends: Sequence[int], chunk: int, spans: Sequence[MediaSpan]) -> set[int]:
    """Return which chunk ``ends`` of a long run are worth a state of their own: one in its middle, one near its end.

    Most edits of a long question are made near its end, where the question itself stands behind a long text: the last
    place has a whole chunk behind it. None is inside an image.
    """
    if len(ends) < LONG_RUN:
        return set()
    places = [end for end in ends if ends[-1] - end >= chunk and cut_before_span(end, spans) == end]
    return {places[(len(places) - 1) // 2], places[-1]} if places else set()


@dataclass
class Prefill:
    """The run of one prompt from reused state to just before its last token.

    Attributes:
        position: tokens that ``cache`` holds now.
    """

    adapter: FamilyAdapter
    prompt: FinalPrompt
    features: Mapping[int, Features]
    cache: LayerCaches
    position: int

    def run(self, ends: Sequence[int], cancel: CancelToken) -> Iterator[Progress]:
        """Run one chunk per end, yielding progress after each; the cache is evaluated and cancellation checked there.

        Raises:
            Cancelled: between two chunks; :attr:`position` says what the cache holds.
        """
        first, began = self.position, time.perf_counter()
        for end in ends:
            cancel.check()
            chunk = self.adapter.chunk(self.prompt, self.features, self.position, end)
            self.adapter.forward(chunk, self.cache)
            mx.eval([layer.state for layer in self.cache if not layer.empty()])
            self.position = end
            mx.clear_cache()
            pace = (time.perf_counter() - began) / (end - first)
            yield Progress("prefill", end - first, ends[-1] - first, eta=pace * (ends[-1] - end))

    def last_logits(self) -> mx.array:
        """Run what is left of the prompt, normally its last token; return evaluated logits ``(1, vocabulary)``."""
        chunk = self.adapter.chunk(self.prompt, self.features, self.position, len(self.prompt))
        logits = self.adapter.forward(chunk, self.cache)[:, -1]
        mx.eval(logits)
        self.position = len(self.prompt)
        return logits
