"""A prose block: Markdown without code fences, in one text widget."""

from __future__ import annotations

from PySide6.QtWidgets import QWidget

from app.ui.messages.block_text import BlockText
from app.ui.messages.markdown import render_markdown


class Prose(BlockText):
    """Paragraphs, lists, quotes, tables and headings of an answer."""

    def __init__(self, markdown: str = "", *, meta: bool = False, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self._meta = meta
        self._markdown: str | None = None
        self.set_markdown(markdown)

    def set_markdown(self, markdown: str) -> None:
        """Show ``markdown`` instead; nothing happens if it is what is shown."""
        if markdown != self._markdown:
            self._markdown = markdown
            self.restyle()

    def restyle(self) -> None:
        """Render again, in the theme in force."""
        render_markdown(self.document(), self._markdown or "", meta=self._meta)
        self.updateGeometry()
