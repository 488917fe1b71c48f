"""What comes out of the engine while it loads and answers."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any, Literal

Stage = Literal["load", "images", "encode", "restore", "prefill"]
FinishReason = Literal["stop", "length", "context", "loop", "cancelled"]
"""The model ended it; it met the limit that was asked for; the context is full; it repeats itself; it was stopped."""


@dataclass(frozen=True, slots=True)
class Progress:
    """``done`` of ``total`` steps of a stage (tokens for prefill, images for encode); ``eta`` in seconds, if known."""

    stage: Stage
    done: int
    total: int
    eta: float | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class TextDelta:
    """A piece of the answer, cut only between whole characters, and the token ids decoded since the last piece.

    ``thinking`` marks reasoning that stands apart from the answer.
    """

    text: str
    token_ids: tuple[int, ...] = ()
    thinking: bool = False


@dataclass(frozen=True, slots=True)
class ImageUse:
    """What was done for one image of the prompt.

    ``skipped`` is true when the vision encoder did not run for it; ``tiles_run`` of ``tiles`` were encoded, and
    ``tiles_ahead`` had been while the question was being written, by work ahead that nothing was asked of before;
    ``seconds_saved`` is the measured encode time of the cached features, 0.0 where it was not skipped.
    """

    digest: str
    skipped: bool
    tiles: int = 1
    tiles_run: int = 0
    seconds_saved: float = 0.0
    tokens: int = 0
    tiles_ahead: int = 0


@dataclass(frozen=True, slots=True)
class TurnStats:
    """Figures of one answer, all counted from work really done. Times are milliseconds.

    ``reused_tokens + prefilled_tokens == prompt_tokens``; ``ahead_tokens`` of the reused ones were run while the
    question was being written. ``match`` is how the prefix was found (see :class:`app.cache.protocols.Lookup`), ``why``
    says in words what was not reused. ``bytes`` holds what each tier held after the turn.
    """

    prompt_tokens: int
    reused_tokens: int
    prefilled_tokens: int
    generated_tokens: int
    images: tuple[ImageUse, ...]
    ttft_ms: float
    encode_ms: float
    restore_ms: float
    prefill_ms: float
    decode_tps: float
    match: str
    why: str
    source: Literal["memory", "disk", "none"]
    reused_from_disk: int = 0
    ssd_hits: int = 0
    evictions: int = 0
    bytes: dict[str, int] = field(default_factory=dict)
    ahead_tokens: int = 0

    @property
    def encoder_calls(self) -> int:
        """Images that really went through the vision tower."""
        return sum(not image.skipped for image in self.images)

    @property
    def encoder_skips(self) -> int:
        """Images of the prompt that did not have to: known features, or covered by reused KV state."""
        return sum(image.skipped for image in self.images)

    @property
    def seconds_saved(self) -> float:
        """Encode seconds that skipping saved."""
        return sum(image.seconds_saved for image in self.images)

    def to_dict(self) -> dict[str, Any]:
        """Return plain data for JSON and for the store."""
        return {**asdict(self), "encoder_calls": self.encoder_calls, "encoder_skips": self.encoder_skips}


@dataclass(frozen=True, slots=True)
class Finished:
    """The last event of an answer, also of a stopped one."""

    text: str
    token_ids: tuple[int, ...]
    finish_reason: FinishReason
    stats: TurnStats
    thinking: str = ""


@dataclass(frozen=True, slots=True)
class ImageView:
    """How a model sees an image: pixels after its own resizing, and the tokens that it takes in the prompt.

    Where the model encodes an image in tiles, ``tiles_known`` of ``tiles`` need not be encoded again; both are 0 where
    it does not.
    """

    width: int
    height: int
    tokens: int
    tiles: int = 0
    tiles_known: int = 0


@dataclass(frozen=True, slots=True)
class ModelInfo:
    """What is loaded: how to name it, what it can do, and the identity digest that its caches carry.

    ``thinks``: it may set its reasoning apart, before the answer.
    """

    ref: str
    name: str
    family: str
    sees_images: bool
    context_length: int
    device: str
    identity: str
    weight_bytes: int = 0
    notes: tuple[str, ...] = ()
    thinks: bool = False


Event = Progress | TextDelta | Finished
