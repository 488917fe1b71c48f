"""What the panel says, as text. No Qt.

Tooltips use the field's own terms; the lines themselves use the words of the rest of the app.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.cache.events import CacheEvent
from app.cache.protocols import CacheOverview, TierRow
from app.ui.messages.words import THIN, count, percent, plural, seconds, sentence
from app.ui.units import size

TIER_NAMES: Final = {"prefix": "Prefix", "vision": "Vision", "ssd": "Disk"}
TIER_HELP: Final = {
    "prefix": "What was read of your chats (KV state of prompts), so that only new text is run.",
    "vision": "What was seen in your images (encoder features), so that no image is looked at twice.",
    "ssd": "What left memory and is kept on disk, also over a restart.",
}
MEMORY_HELP: Final = "What MLX reports (active and peak memory): the model's weights, the caches, and work under way."
EMPTY_TITLE: Final = "Nothing kept yet"
EMPTY_TEXT: Final = (
    "Drop the same screenshot twice and watch this panel: the second time, the image is not looked at again, "
    "and only new text is run."
)
_REASONS: Final = {
    "memory": "to make room",
    "count": "over the number limit",
    "replaced": "replaced by a newer one",
    "superseded": "covered by a longer one",
    "cleared": "cleared",
    "limit_lowered": "limit lowered",
    "expired": "unused for too long",
    "damaged": "damaged",
}


_WHAT: Final = {
    "stored": "{tier} stored: {amount}",
    "hit": "{tier} hit: {amount}",
    "missed": "{tier} missed",
    "evicted": "{tier} evicted {amount}",
    "spilled": "Moved to disk: {amount}",
    "promoted": "Restored from disk: {amount}",
    "encoded": "Image encoded in {seconds}",
    "encoder_skipped": "Encoder skipped, {seconds} saved",
    "bypassed": "{tier} bypassed",
    "cleared": "{tier} cleared",
    "resized": "{tier} limit is now {size}",
}
_WITH_REASON: Final = ("missed", "evicted", "bypassed")


def hits_line(row: TierRow) -> str:
    """Return how often the tier could serve: ``91 % hits: 10 of 11``, with what was bypassed."""
    queries = row.hits + row.misses
    if not queries:
        line = "Not asked yet"
    else:
        line = f"{round(100 * row.hit_rate)}{THIN}% hits: {count(row.hits)} of {count(queries)}"
    return f"{line}, {count(row.bypassed)} bypassed" if row.bypassed else line


def worth_line(row: TierRow) -> str:
    """Return what the tier was good for so far: tokens not run, encoder runs skipped, seconds saved."""
    pieces = []
    if tokens := _extra(row, "tokens_saved"):
        pieces.append(f"{count(int(tokens))} tokens reused")
    if skips := _extra(row, "encoder_skips"):
        pieces.append(f"encoder skipped {'once' if skips == 1 else f'{count(int(skips))} times'}")
    if saved := _extra(row, "seconds_saved"):
        pieces.append(f"{seconds(saved)} saved")
    return sentence(", ".join(pieces)).removesuffix(".")


def evictions_line(row: TierRow) -> str:
    """Return what was evicted and why: ``3 evicted: 2 to make room, 1 cleared``; empty if nothing was."""
    reasons = {reason: number for reason, number in row.evictions.items() if number}
    if not reasons:
        return ""
    if len(reasons) == 1:
        reason, number = next(iter(reasons.items()))
        return f"{count(number)} evicted: {_REASONS.get(reason, reason)}"
    parts = [f"{count(number)} {_REASONS.get(reason, reason)}" for reason, number in reasons.items()]
    return f"{count(sum(reasons.values()))} evicted: {', '.join(parts)}"


def error_line(row: TierRow) -> str:
    """Return the tier's last trouble in its own words, if it had any."""
    return sentence(str(row.extra.get("last_error") or ""))


def overview_line(overview: CacheOverview) -> str:
    """Return where the total lies: ``312 MB in memory, 1.2 GB on disk``."""
    memory = sum(row.nbytes for row in overview.rows if row.name != "ssd")
    disk = overview.total_bytes - memory
    return f"{size(memory)} in memory, {size(disk)} on disk" if disk else f"{size(memory)} in memory"


def memory_line(active: int, peak: int) -> str:
    """Return what the model, the caches and work take together: ``With the model 312 MB, at most 1.2 GB``."""
    return f"With the model {size(active)}, at most {size(peak)}"


def event_line(event: CacheEvent) -> str:
    """Return one event in words: ``Prefix hit: 1,612 tokens``, ``Prefix evicted 12 MB: to make room``."""
    what = _WHAT[event.kind].format(
        tier=TIER_NAMES[event.tier], seconds=seconds(event.seconds), amount=_amount(event), size=size(event.nbytes)
    )
    why = _REASONS.get(event.reason, event.reason) if event.kind in _WITH_REASON else ""
    return ": ".join(part for part in (what.strip().removesuffix(":"), why) if part)


def answer_lines(stats: Mapping[str, Any], context_length: int = 0) -> list[str]:
    """Return what the last answer reused, from ``TurnStats.to_dict()``, and how full the model's context is by now."""
    lines = [f"{count(stats['reused_tokens'])} of {count(stats['prompt_tokens'])} tokens reused"]
    images = len(stats["images"])
    if images:
        lines.append(f"Encoder skipped for {count(stats['encoder_skips'])} of {plural(images, 'image')}")
    evictions = stats["evictions"]
    lines.append(f"{plural(evictions, 'entry', 'entries')} evicted" if evictions else "Nothing evicted")
    lines.append(f"First token after {seconds(stats['ttft_ms'] / 1000)}")
    if context_length:
        held = stats["prompt_tokens"] + stats.get("generated_tokens", 0)
        lines.append(f"Context {percent(held, context_length)} full: {count(held)} of {count(context_length)} tokens")
    return lines


def _amount(event: CacheEvent) -> str:
    pieces = []
    if event.tokens:
        pieces.append(plural(event.tokens, "token"))
    if event.nbytes:
        pieces.append(size(event.nbytes))
    return ", ".join(pieces)


def _extra(row: TierRow, key: str) -> float:
    value = row.extra.get(key, 0)
    return value if isinstance(value, int | float) else 0.0
