"""The cache panel: what is kept, whether it helps, and what happened to it. All numbers come from the caches."""

from app.ui.panel.panel import CachePanel

__all__ = ["CachePanel"]
