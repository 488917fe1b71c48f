"""Second Glance: chat with images on your own computer, and see what was reused."""

__version__ = "0.1.0"
