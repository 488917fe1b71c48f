"""The two small protocols that hold the house together: a prompt store, and the overview that the panel shows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, Protocol

from app.cache.media import MediaSpan

MatchKind = Literal["exact", "prefix", "supersequence", "lcp", "miss", "bypassed"]
Source = Literal["memory", "disk", "none"]
LayerCaches = list[Any]
"""One mutable KV-cache object per layer, of the classes that mlx-lm and mlx-vlm make."""


@dataclass(frozen=True, slots=True)
class Lookup:
    """What one look-up in a prompt store found.

    Attributes:
        cache: private, mutable layer caches that hold exactly ``reused`` tokens; ``None`` when nothing is reused.
        reused: number of prompt tokens that need not be run; always less than the prompt's length.
        kind: how the entry was found.
        why: in a user's words, why the rest was not reused; empty when only the obligatory last token is left.
        source: where the entry came from.
        seconds: time spent restoring it.
        nbytes: bytes copied or read for it.
    """

    cache: LayerCaches | None
    reused: int
    kind: MatchKind
    why: str = ""
    source: Source = "none"
    seconds: float = 0.0
    nbytes: int = 0

    def without_state(self) -> Lookup:
        """Return the same for keeping: the layer caches are the caller's alone, and go when the caller is done."""
        return replace(self, cache=None)


@dataclass(frozen=True, slots=True)
class Ending:
    """What a sequence that is stored ends with.

    Attributes:
        answer_at: where the answer begins that it ends with; 0 where it ends in a prompt.
        unfinished: it ends where its prompt was stopped.
        halfway: it ends inside a long prompt, for an edit behind that place. It takes nothing else's room, and goes
            first, at the latest when the answer to the prompt is gone on from.
        next_at: how much of it the next turn has, where that is less than its prompt: templates leave out what cues
            reasoning, and the reasoning itself. 0 where the next turn goes on from its end.
    """

    answer_at: int = 0
    unfinished: bool = False
    next_at: int = 0
    halfway: bool = False


PROMPT = Ending()


class PromptStore(Protocol):
    """What the engine asks of a prefix cache, whichever kind it is (``memory``, ``paged``, ``simple``).

    Tokens are salted (see :mod:`app.cache.media`). Implementations never raise from ``lookup`` or ``save``: a fault
    inside becomes a miss, is logged once with its cause and counted as ``bypassed``.
    """

    def lookup(self, tokens: Sequence[int], spans: Sequence[MediaSpan] = ()) -> Lookup:
        """Find the longest reusable state for ``tokens``; at least one token is always left to run."""
        ...

    def save(
        self,
        tokens: Sequence[int],
        cache: LayerCaches,
        *,
        spans: Sequence[MediaSpan] = (),
        persist: bool = True,
        ending: Ending = PROMPT,
    ) -> bool:
        """Keep a snapshot of ``cache``, which holds exactly ``tokens``.

        ``persist=False`` keeps it off the disk; ``ending`` says what ``tokens`` end with.
        """
        ...

    def use(self, identity: str) -> None:
        """Serve and fill the namespace of this identity digest from now on; others stay until evicted or dropped."""
        ...

    def drop(self, identity: str) -> None:
        """Spill (where a tier is attached) and forget everything of this identity."""
        ...

    def set_limit(self, nbytes: int) -> None:
        """Change the byte budget now, evicting down to it; 0 turns the store off."""
        ...

    def clear(self) -> None:
        """Forget everything, counted as evictions with the reason ``cleared``."""
        ...

    def row(self) -> TierRow:
        """Return a consistent statistics row; safe from any thread."""
        ...


@dataclass(frozen=True, slots=True)
class TierRow:
    """One line of the cache panel: one tier, its size and what it did since the last reset.

    ``nbytes`` and ``limit`` are bytes; ``evictions`` is per reason; ``extra`` holds figures only this tier has, such as
    ``encoder_skips``, ``seconds_saved``, ``tokens_saved``, ``spill_bytes`` or ``last_error``.
    """

    name: Literal["prefix", "vision", "ssd"]
    entries: int
    nbytes: int
    limit: int
    hits: int
    misses: int
    bypassed: int = 0
    evictions: Mapping[str, int] = field(default_factory=dict)
    extra: Mapping[str, float | int | str] = field(default_factory=dict)

    @property
    def hit_rate(self) -> float:
        """Hits per query, 0.0 before the first."""
        queries = self.hits + self.misses
        return self.hits / queries if queries else 0.0

    @property
    def utilization(self) -> float:
        """Bytes used per byte of limit, 0.0 where the tier is off."""
        return self.nbytes / self.limit if self.limit else 0.0


@dataclass(frozen=True, slots=True)
class CacheOverview:
    """All tiers at one moment; nothing cached is outside the rows, so the total is their sum."""

    rows: tuple[TierRow, ...]

    @property
    def total_bytes(self) -> int:
        """Bytes of all rows."""
        return sum(row.nbytes for row in self.rows)

    def row(self, name: str) -> TierRow:
        """Return the row called ``name``.

        Raises:
            KeyError: there is no such tier now.
        """
        for row in self.rows:
            if row.name == name:
                return row
        raise KeyError(name)
