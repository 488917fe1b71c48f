"""``python -m app bench turns``: eight turns about images, ours beside mlx-vlm's own caches, in one run.

Same machine, same weights in the same dtype, same prompts. Answers in the history are fixed, so every contestant is
asked exactly the same; each turn is timed to its first token.
"""

from __future__ import annotations

from app.bench.turns.command import main

__all__ = ["main"]
