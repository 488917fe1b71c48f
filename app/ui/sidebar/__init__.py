"""The list of conversations, with search."""

from app.ui.sidebar.sidebar import Sidebar

__all__ = ["Sidebar"]
