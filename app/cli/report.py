"""Answers on the terminal: JSON objects for programs, text with one line of figures for people."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict, dataclass
from typing import Any, Protocol, TextIO

from app.cli.script import Turn
from app.inference.events import Event, Finished, TextDelta, TurnStats

SCALARS = (
    "prompt_tokens",
    "reused_tokens",
    "prefilled_tokens",
    "encoder_calls",
    "encoder_skips",
    "ttft_ms",
    "encode_ms",
    "restore_ms",
    "prefill_ms",
    "decode_tps",
    "match",
    "why",
    "source",
    "ssd_hits",
    "reused_from_disk",
    "evictions",
)
TIERS = ("prefix", "vision", "ssd")


class Report(Protocol):
    """Takes what the engine says while it answers, and each whole answer."""

    def event(self, event: Event) -> None:
        """Take one event of the turn that runs."""

    def turn(self, number: int, turn: Turn, answer: Finished) -> None:
        """Take one whole answer."""


@dataclass(frozen=True, slots=True)
class JsonReport:
    """One JSON object per turn and line on ``out``."""

    out: TextIO

    def event(self, event: Event) -> None:
        """Wait for the whole answer."""

    def turn(self, number: int, turn: Turn, answer: Finished) -> None:
        """Write the object."""
        print(json.dumps(as_object(number, turn, answer), ensure_ascii=False), file=self.out, flush=True)


@dataclass(frozen=True, slots=True)
class TextReport:
    """The answer on ``out`` as it comes; figures on stderr."""

    out: TextIO

    def event(self, event: Event) -> None:
        """Write a piece of the answer."""
        if isinstance(event, TextDelta) and not event.thinking:
            print(event.text, end="", file=self.out, flush=True)

    def turn(self, number: int, turn: Turn, answer: Finished) -> None:
        """End the answer and say what it took."""
        print(file=self.out, flush=True)
        print(figures(answer.stats), file=sys.stderr)


def as_object(number: int, turn: Turn, answer: Finished) -> dict[str, Any]:
    """Return the JSON object of one turn; ``images`` counts those in the prompt, ``image_details`` lists them."""
    stats = answer.stats
    return {
        "turn": number,
        "chat": turn.chat,
        "text": answer.text,
        "thinking": answer.thinking,
        "token_ids": list(answer.token_ids),
        "finish_reason": answer.finish_reason,
        **{name: getattr(stats, name) for name in SCALARS},
        "images": len(stats.images),
        "image_details": [asdict(image) for image in stats.images],
        "tiles": sum(image.tiles for image in stats.images),
        "tiles_run": sum(image.tiles_run for image in stats.images),
        "seconds_saved": stats.seconds_saved,
        "bytes": {tier: stats.bytes.get(tier, 0) for tier in TIERS},
    }


def figures(stats: TurnStats) -> str:
    """Return one line about reuse and speed."""
    parts = [f"{stats.reused_tokens} of {stats.prompt_tokens} prompt tokens reused"]
    if stats.images:
        parts.append(f"vision encoder run for {stats.encoder_calls} of {len(stats.images)} images")
    parts.append(f"first token after {stats.ttft_ms / 1000:.2f} s")
    parts.append(f"{stats.decode_tps:.0f} tokens/s")
    why = f" Not reused: {stats.why}." if stats.why else ""
    return f"[{', '.join(parts)}.{why}]"
