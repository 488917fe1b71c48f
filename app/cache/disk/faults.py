"""Named points of a write at which a test can stop the process; nothing happens in normal use."""

from __future__ import annotations

from collections.abc import Callable

_hook: Callable[[str], None] | None = None


def install(hook: Callable[[str], None] | None) -> None:
    """Call ``hook`` with the name of every point from now on; ``None`` takes it off."""
    global _hook  # noqa: PLW0603 - one hook per process, set by tests only
    _hook = hook


def step(name: str) -> None:
    """Mark a point of a write."""
    if _hook is not None:
        _hook(name)
