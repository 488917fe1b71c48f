"""What the app is, in which version, and under which licences it and its parts are given away."""

from app.ui.about.dialog import AboutDialog

__all__ = ["AboutDialog"]
