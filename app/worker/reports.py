"""What the worker thread tells the GUI thread, and how a pile of it is made smaller without losing anything."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from app.inference.events import Event, ImageView, ModelInfo, Progress, TextDelta

if TYPE_CHECKING:
    from app.cache.events import CacheEvent
    from app.cache.protocols import CacheOverview
    from app.inference.holdings import CacheEntry


@dataclass(frozen=True, slots=True)
class ModelProgress:
    """A model is being loaded."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class ModelReady:
    """A model answers from now on."""

    info: ModelInfo


@dataclass(frozen=True, slots=True)
class ModelFailed:
    """A model was not loaded: ``stopped`` by the user, or with a traceback in ``details`` where the fault is ours."""

    sentence: str
    details: str = ""
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class QuantizeProgress:
    """A smaller copy of a model is being made."""

    ref: str
    progress: Progress


@dataclass(frozen=True, slots=True)
class Quantized:
    """The copy at ``target`` is complete, or was not made: ``stopped``, or for the reason in ``sentence``."""

    ref: str
    target: str
    sentence: str = ""
    details: str = ""
    stopped: bool = False


@dataclass(frozen=True, slots=True)
class TurnEvents:
    """What one answer yielded since the last report."""

    turn_id: str
    events: tuple[Event, ...]


@dataclass(frozen=True, slots=True)
class TurnFailed:
    """An answer ended without a ``Finished``."""

    turn_id: str
    sentence: str
    details: str = ""


@dataclass(frozen=True, slots=True)
class TurnStopped:
    """An answer was stopped before the engine had begun it."""

    turn_id: str


@dataclass(frozen=True, slots=True)
class PrepareProgress:
    """Work ahead for an unsent question goes on."""

    progress: Progress


@dataclass(frozen=True, slots=True)
class Prepared:
    """Work ahead ended; ``complete`` is false where it was stopped, or ``failed``, as it would again."""

    digests: tuple[str, ...]
    complete: bool
    failed: bool = False


@dataclass(frozen=True, slots=True)
class Measured:
    """How the loaded model sees the image ``digest``; ``None`` where it does not or that is unknown.

    ``refusal`` is the sentence that says why the model cannot take it, else empty.
    """

    digest: str
    view: ImageView | None
    refusal: str = ""


@dataclass(frozen=True, slots=True)
class CacheNews:
    """Cache events since the last report, and the overview right after the last of them."""

    events: tuple[CacheEvent, ...]
    overview: CacheOverview | None


@dataclass(frozen=True, slots=True)
class CacheEntries:
    """What lies in the caches, entry by entry."""

    entries: tuple[CacheEntry, ...]


@dataclass(frozen=True, slots=True)
class MemoryUse:
    """What MLX has in use now and had at most, in bytes: model, caches and work together."""

    active: int
    peak: int


@dataclass(frozen=True, slots=True)
class ServiceFailed:
    """A request that is neither a load nor an answer failed: a clear, a change of budgets, a close."""

    sentence: str
    details: str = ""


Report = (
    ModelProgress
    | ModelReady
    | ModelFailed
    | QuantizeProgress
    | Quantized
    | TurnEvents
    | TurnFailed
    | TurnStopped
    | PrepareProgress
    | Prepared
    | Measured
    | CacheNews
    | CacheEntries
    | MemoryUse
    | ServiceFailed
)


ONLY_THE_LAST = (ModelProgress, PrepareProgress, QuantizeProgress, CacheEntries, MemoryUse)
"""Of several of these in a row only the last says anything."""


def merge_reports(reports: Iterable[Report]) -> list[Report]:
    """Join what can be joined: of progress the last, text in one piece, cache events in one list.

    Order is kept within each turn and among all that is not a cache event.
    """
    merged: list[Report] = []
    news: CacheNews | None = None
    for report in reports:
        if isinstance(report, CacheNews):
            news = report if news is None else _joined_news(news, report)
        elif not merged or not _joined_into(merged, report):
            merged.append(report)
    return merged if news is None else [*merged, news]


def _joined_news(first: CacheNews, second: CacheNews) -> CacheNews:
    return CacheNews(first.events + second.events, second.overview or first.overview)


def _joined_into(merged: list[Report], report: Report) -> bool:
    last = merged[-1]
    if isinstance(report, ONLY_THE_LAST) and type(last) is type(report):
        merged[-1] = report
        return True
    if isinstance(report, TurnEvents) and isinstance(last, TurnEvents) and last.turn_id == report.turn_id:
        merged[-1] = TurnEvents(report.turn_id, merge_events(last.events + report.events))
        return True
    return False


def merge_events(events: Iterable[Event]) -> tuple[Event, ...]:
    """Return the same story in fewer events: neighbouring text joined, only the last of neighbouring progress."""
    merged: list[Event] = []
    for event in events:
        joined = _joined(merged[-1], event) if merged else None
        if joined is None:
            merged.append(event)
        else:
            merged[-1] = joined
    return tuple(merged)


def _joined(first: Event, second: Event) -> Event | None:
    if isinstance(first, TextDelta) and isinstance(second, TextDelta) and first.thinking == second.thinking:
        return replace(first, text=first.text + second.text, token_ids=first.token_ids + second.token_ids)
    if isinstance(first, Progress) and isinstance(second, Progress) and first.stage == second.stage:
        return second
    return None
