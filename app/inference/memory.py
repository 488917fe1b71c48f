"""The memory guard: what a turn will need, what there is, and what goes first when it is too little."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

import mlx.core as mx
import psutil  # type: ignore[import-untyped]

from app.cache.config import GIB
from app.cache.protocols import TierRow
from app.cache.sizes import nested_nbytes
from app.errors import PromptTooLong
from app.inference.device import on_cpu
from app.inference.families.base import FamilyAdapter
from app.inference.families.layout import ChunkInputs, FinalPrompt
from app.inference.state_size import RESERVE, StateSize


class Evictable(Protocol):
    """A tier that holds its limit at once."""

    def set_limit(self, nbytes: int) -> None:
        """Change the byte budget now, evicting down to it."""
        ...

    def row(self) -> TierRow:
        """Return its figures."""
        ...


def measure(adapter: FamilyAdapter) -> StateSize:
    """Run one token and measure its state; this also warms the kernels up."""
    cache = adapter.make_cache()
    prompt = FinalPrompt((0,))
    chunk = ChunkInputs(mx.zeros((1, 1), mx.int32), None) if adapter.opaque else adapter.chunk(prompt, {}, 0, 1)
    mx.eval(adapter.forward(chunk, cache), [layer.state for layer in cache if not layer.empty()])
    windows = tuple((_per_token(layer), int(layer.max_size)) for layer in cache if hasattr(layer, "max_size"))
    plain = [layer for layer in cache if not hasattr(layer, "max_size")]
    growing = sum(_per_token(layer) for layer in plain if layer.is_trimmable())
    fixed = sum(_per_token(layer) for layer in plain if not layer.is_trimmable())
    text = {**adapter.config, **(adapter.config.get("text_config") or {})}
    return StateSize(growing, windows, fixed, int(text.get("hidden_size", 0)), int(text.get("num_attention_heads", 1)))


def free_bytes() -> int:
    """Return the bytes that this process may still take, without swapping and inside the GPU's working set."""
    free = int(psutil.virtual_memory().available) + mx.get_cache_memory()
    if not on_cpu():
        working_set = int(mx.device_info()["max_recommended_working_set_size"])
        free = min(free, working_set - mx.get_active_memory())
    return free


def make_room(needed: int, tokens: int, tiers: Sequence[Evictable], limit: int | None = None) -> None:
    """See to it that ``needed`` bytes are free, evicting what is cached where they are not.

    Args:
        needed: bytes that the turn takes.
        tokens: its length, for the message.
        tiers: what may be evicted, what is dearest last.
        limit: bytes to plan with instead of what is free now.

    Raises:
        PromptTooLong: it does not fit even then; the message has the numbers.
    """
    available = _plannable(limit)
    for tier in tiers:
        if needed <= available:
            break
        freed = _evict(tier, needed - available)
        available = _plannable(None) if limit is None else available + freed
    if needed > available:
        raise PromptTooLong(
            f"This conversation of {tokens:,} tokens needs about {needed / GIB:.1f} GB of memory and "
            f"{available / GIB:.1f} GB are free. Remove images or text, close other programs, or use a smaller model."
        )


def _evict(tier: Evictable, nbytes: int) -> int:
    """Let at least ``nbytes`` of a tier go, or all of it; return how many went."""
    row = tier.row()
    tier.set_limit(max(0, row.nbytes - nbytes))
    tier.set_limit(row.limit)
    mx.clear_cache()
    return row.nbytes - tier.row().nbytes


def _plannable(limit: int | None) -> int:
    return int(RESERVE * free_bytes()) if limit is None else limit


def _per_token(layer: Any) -> int:
    return 0 if layer.empty() else nested_nbytes(layer.state)
