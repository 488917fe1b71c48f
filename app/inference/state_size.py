"""How many bytes layer caches take, measured from a loaded model or estimated from a configuration. No MLX."""

from __future__ import annotations

from dataclasses import dataclass

RESERVE = 0.9
"""Share of the free memory that may be planned with."""


@dataclass(frozen=True, slots=True)
class StateSize:
    """Bytes that layer caches take.

    Attributes:
        growing: bytes per token of layers that keep every token.
        windowed: ``(bytes per token, window)`` of each layer that keeps the last tokens only.
        fixed: bytes that do not depend on the length.
        hidden: size of an activation row.
        heads: query heads, for the attention scores of a chunk.
    """

    growing: int
    windowed: tuple[tuple[int, int], ...] = ()
    fixed: int = 0
    hidden: int = 0
    heads: int = 1

    def state(self, tokens: int) -> int:
        """Return the bytes of state for ``tokens``."""
        windows = sum(per_token * min(tokens, window) for per_token, window in self.windowed)
        return self.growing * tokens + windows + self.fixed

    def turn(self, tokens: int, chunk: int) -> int:
        """Return the bytes that a turn takes at most: its state, and the working memory of its last chunk.

        The chunk is counted with materialised float32 attention scores and a dozen activation rows per token.
        """
        rows = min(tokens, chunk)
        return self.state(tokens) + 4 * rows * (tokens * self.heads + 12 * self.hidden)
