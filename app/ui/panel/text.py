"""What the panel says, as text.

Tooltips use the field's own terms; the lines themselves use the words of the rest of the app.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from app.cache.events import CacheEvent, Tier
from app.cache.protocols import CacheOverview, TierRow
from app.ui.messages.words import count, listed, percent, percent_of, seconds, sentence, tokens
from app.ui.sentences import translated
from app.ui.translation import QT_TRANSLATE_NOOP, translate
from app.ui.units import size

TIERS: Final[tuple[Tier, ...]] = ("prefix", "vision", "ssd")
_TIER_NAMES: Final[dict[Tier, str]] = {
    "prefix": QT_TRANSLATE_NOOP("Panel", "Prefix"),
    "vision": QT_TRANSLATE_NOOP("Panel", "Vision"),
    "ssd": QT_TRANSLATE_NOOP("Panel", "Disk"),
}
_TIER_HELP: Final[dict[Tier, str]] = {
    "prefix": QT_TRANSLATE_NOOP(
        "Panel", "What was read of your chats (KV state of prompts), so that only new text is run."
    ),
    "vision": QT_TRANSLATE_NOOP(
        "Panel", "What was seen in your images (encoder features), so that no image is looked at twice."
    ),
    "ssd": QT_TRANSLATE_NOOP("Panel", "What left memory and is kept on disk, also over a restart."),
}
_CLEAR: Final[dict[Tier, str]] = {
    "prefix": QT_TRANSLATE_NOOP("Panel", "Clear prefix cache"),
    "vision": QT_TRANSLATE_NOOP("Panel", "Clear vision cache"),
    "ssd": QT_TRANSLATE_NOOP("Panel", "Clear disk cache"),
}
_REASONS: Final = {
    "memory": QT_TRANSLATE_NOOP("Panel", "to make room"),
    "count": QT_TRANSLATE_NOOP("Panel", "over the number limit"),
    "replaced": QT_TRANSLATE_NOOP("Panel", "replaced by a newer one"),
    "superseded": QT_TRANSLATE_NOOP("Panel", "covered by a longer one"),
    "cleared": QT_TRANSLATE_NOOP("Panel", "cleared"),
    "limit_lowered": QT_TRANSLATE_NOOP("Panel", "limit lowered"),
    "expired": QT_TRANSLATE_NOOP("Panel", "unused for too long"),
    "damaged": QT_TRANSLATE_NOOP("Panel", "damaged"),
}


_WHAT: Final = {
    "stored": QT_TRANSLATE_NOOP("Panel", "{tier} stored: {amount}"),
    "hit": QT_TRANSLATE_NOOP("Panel", "{tier} hit: {amount}"),
    "missed": QT_TRANSLATE_NOOP("Panel", "{tier} missed"),
    "evicted": QT_TRANSLATE_NOOP("Panel", "{tier} evicted {amount}"),
    "spilled": QT_TRANSLATE_NOOP("Panel", "Moved to disk: {amount}"),
    "promoted": QT_TRANSLATE_NOOP("Panel", "Restored from disk: {amount}"),
    "encoded": QT_TRANSLATE_NOOP("Panel", "Image encoded in {seconds}"),
    "encoder_skipped": QT_TRANSLATE_NOOP("Panel", "Encoder skipped, {seconds} saved"),
    "bypassed": QT_TRANSLATE_NOOP("Panel", "{tier} bypassed"),
    "cleared": QT_TRANSLATE_NOOP("Panel", "{tier} cleared"),
    "resized": QT_TRANSLATE_NOOP("Panel", "{tier} limit is now {size}"),
}
_WITH_REASON: Final = ("missed", "evicted", "bypassed")


def tier_name(tier: Tier) -> str:
    """Return what a tier is called."""
    return translate("Panel", _TIER_NAMES[tier])


def tier_help(tier: Tier) -> str:
    """Return what a tier is for."""
    return translate("Panel", _TIER_HELP[tier])


def clear_words(tier: Tier | None) -> str:
    """Return what empties a tier, or all."""
    return translate("Panel", _CLEAR[tier]) if tier else translate("Panel", "Clear everything")


def hits_line(row: TierRow) -> str:
    """Return how often the tier could serve: ``91 % hits: 10 of 11``, with what was bypassed."""
    queries = row.hits + row.misses
    if queries:
        line = translate("Panel", "{percent} hits: {hits} of {queries}").format(
            percent=percent_of(round(100 * row.hit_rate)), hits=count(row.hits), queries=count(queries)
        )
    else:
        line = translate("Panel", "Not asked yet")
    return listed([line, translate("Panel", "%Ln bypassed", None, row.bypassed)]) if row.bypassed else line


def worth_line(row: TierRow) -> str:
    """Return what the tier was good for so far: tokens not run, encoder runs skipped, seconds saved."""
    pieces = []
    if reused := _extra(row, "tokens_saved"):
        pieces.append(translate("Panel", "{tokens} reused").format(tokens=tokens(int(reused))))
    if skips := _extra(row, "encoder_skips"):
        pieces.append(translate("Panel", "encoder skipped %Ln time(s)", None, int(skips)))
    if saved := _extra(row, "seconds_saved"):
        pieces.append(translate("Panel", "{seconds} saved").format(seconds=seconds(saved)))
    line = listed(pieces)
    return line[:1].upper() + line[1:]


def evictions_line(row: TierRow) -> str:
    """Return what was evicted and why: ``3 evicted: 2 to make room, 1 cleared``; empty if nothing was."""
    reasons = {reason: number for reason, number in row.evictions.items() if number}
    if not reasons:
        return ""
    if len(reasons) == 1:
        why = _why(next(iter(reasons)))
    else:
        why = listed(f"{count(number)} {_why(reason)}" for reason, number in reasons.items())
    return translate("Panel", "%Ln evicted: {why}", None, sum(reasons.values())).format(why=why)


def error_line(row: TierRow) -> str:
    """Return the tier's last trouble in its own words, if it had any."""
    return sentence(translated(str(row.extra.get("last_error") or "")))


def overview_line(overview: CacheOverview) -> str:
    """Return where the total lies: ``312 MB in memory, 1.2 GB on disk``."""
    memory = sum(row.nbytes for row in overview.rows if row.name != "ssd")
    disk = overview.total_bytes - memory
    if disk:
        return translate("Panel", "{memory} in memory, {disk} on disk").format(memory=size(memory), disk=size(disk))
    return translate("Panel", "{memory} in memory").format(memory=size(memory))


def memory_line(active: int, peak: int) -> str:
    """Return what the model, the caches and work take together: ``With the model 312 MB, at most 1.2 GB``."""
    return translate("Panel", "With the model {active}, at most {peak}").format(active=size(active), peak=size(peak))


def event_line(event: CacheEvent) -> str:
    """Return one event in words: ``Prefix hit: 1,612 tokens``, ``Prefix evicted 12 MB: to make room``."""
    what = translate("Panel", _WHAT[event.kind]).format(
        tier=tier_name(event.tier), seconds=seconds(event.seconds), amount=_amount(event), size=size(event.nbytes)
    )
    why = _why(event.reason) if event.kind in _WITH_REASON else ""
    return ": ".join(part for part in (what.strip().removesuffix(":"), why) if part)


def answer_lines(stats: Mapping[str, Any], context_length: int = 0) -> list[str]:
    """Return what the last answer reused, from ``TurnStats.to_dict()``, and how full the model's context is by now."""
    reused, prompt, evictions = stats["reused_tokens"], stats["prompt_tokens"], stats["evictions"]
    lines = [translate("Panel", "{reused} of {tokens} reused").format(reused=count(reused), tokens=tokens(prompt))]
    if number := len(stats["images"]):
        skipped = translate("Panel", "Encoder skipped for {skipped} of %Ln image(s)", None, number)
        lines.append(skipped.format(skipped=count(stats["encoder_skips"])))
    evicted = translate("Panel", "%Ln entries evicted", None, evictions)
    lines.append(evicted if evictions else translate("Panel", "Nothing evicted"))
    first = translate("Panel", "First token after {seconds}")
    lines.append(first.format(seconds=seconds(stats["ttft_ms"] / 1000)))
    if context_length:
        held = prompt + stats.get("generated_tokens", 0)
        full = translate("Panel", "Context {percent} full: {held} of {tokens}")
        share = percent(held, context_length)
        lines.append(full.format(percent=share, held=count(held), tokens=tokens(context_length)))
    return lines


def _why(reason: str) -> str:
    return translate("Panel", _REASONS[reason]) if reason in _REASONS else translated(reason)


def _amount(event: CacheEvent) -> str:
    pieces = []
    if event.tokens:
        pieces.append(tokens(event.tokens))
    if event.nbytes:
        pieces.append(size(event.nbytes))
    return listed(pieces)


def _extra(row: TierRow, key: str) -> float:
    value = row.extra.get(key, 0)
    return value if isinstance(value, int | float) else 0.0
