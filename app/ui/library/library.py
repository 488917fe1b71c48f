"""What the page of models does: looks for models, fetches them, hands the chosen one on, remembers folders and uses."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.cache.config import MIB
from app.inference.hub.curated import suggestions
from app.inference.hub.download import DownloadState
from app.inference.hub.downloads import Downloads
from app.inference.library.discover import installed
from app.inference.library.fit import CHAT_TOKENS, available_bytes, fit
from app.ui.composer.background import Background
from app.ui.library.page import LibraryDialog
from app.ui.library.text import Listed
from app.ui.model_state import ModelState

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.inference.library.uses import Uses
    from app.ui.models import Models
    from app.ui.tuning import Tuning

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Found:
    """What a look at this computer gave."""

    models: list[Listed]
    available: int
    caches: int


class Library(QObject):
    """Opens the page and does what is asked there.

    Attributes:
        page: the window, once it was opened.
    """

    _told = Signal(object)

    def __init__(
        self,
        parent: QWidget | None,
        tuning: Tuning,
        models: Models,
        uses: Uses,
        make_downloads: Callable[[Callable[[DownloadState], None]], Downloads] = Downloads,
    ) -> None:
        super().__init__(parent)
        self._parent, self._tuning, self._models, self._uses = parent, tuning, models, uses
        self._make_downloads = make_downloads
        self._downloads: Downloads | None = None
        self._background = Background()
        self._tokens = CHAT_TOKENS
        self._closed = False
        self.page: LibraryDialog | None = None
        self._told.connect(self._on_download, Qt.ConnectionType.QueuedConnection)
        models.changed.connect(self._on_model)

    def open(self) -> None:
        """Show the page, and look for models anew."""
        if self.page is None:
            self.page = self._make_page()
            self._downloads = self._make_downloads(self._post)
            for state in self._downloads.find_unfinished():
                self.page.show_download(state)
            self.page.show_state(self._models.state)
        self.look()
        self.page.show()
        self.page.raise_()
        self.page.activateWindow()

    def look(self) -> None:
        """Look for models; the page shows them when they are found."""
        settings = self._tuning.settings
        caches = (settings.caches.prefix_mb + settings.caches.vision_mb) * MIB
        state = self._models.state
        held = state.info.weight_bytes if state.phase == "ready" and state.info is not None else 0
        folders, tokens, uses = settings.model.folders, self._tokens, self._uses
        self._background.run(
            self, lambda: _look(folders, held, caches, tokens, uses), self._on_found, self._on_look_failed
        )

    def close(self) -> None:
        """Pause what is being fetched; it goes on after the next start."""
        self._closed = True
        if self._downloads is not None:
            self._downloads.close()
        if self.page is not None:
            self.page.close()

    def _make_page(self) -> LibraryDialog:
        page = LibraryDialog(suggestions(), self._parent)
        page.use_requested.connect(self._models.choose)
        page.unload_requested.connect(self._models.unload)
        page.stop_requested.connect(self._models.stop_loading)
        page.get_requested.connect(self._get)
        page.pause_requested.connect(lambda repository: self._of_downloads().pause(repository))
        page.cancel_requested.connect(lambda repository: self._of_downloads().cancel(repository))
        page.folder_chosen.connect(self._add_folder)
        page.length_chosen.connect(self._reckon_with)
        page.refresh_requested.connect(self.look)
        return page

    def _of_downloads(self) -> Downloads:
        assert self._downloads is not None
        return self._downloads

    def _get(self, repository: str) -> None:
        revision = next((s.revision for s in suggestions() if s.repository == repository), None)
        self._of_downloads().start(repository, revision)

    def _add_folder(self, folder: str) -> None:
        folders = self._tuning.settings.model.folders
        if folder not in folders:
            self._tuning.change("model", "folders", (*folders, folder))
        self.look()

    def _reckon_with(self, tokens: int) -> None:
        self._tokens = tokens
        self.look()

    def _post(self, state: DownloadState) -> None:
        """Take news from a download's thread."""
        if not self._closed:
            self._told.emit(state)

    @Slot(object)
    def _on_download(self, state: DownloadState) -> None:
        if self.page is not None:
            self.page.show_download(state)
        if state.phase == "done":
            self.look()

    def _on_model(self, state: ModelState) -> None:
        if self.page is not None:
            self.page.show_state(state)
            if state.phase == "ready" and self.page.isVisible():
                self.look()

    def _on_found(self, found: Found) -> None:
        if self.page is not None:
            self.page.show_models(found.models, found.available, found.caches)

    def _on_look_failed(self, error: Exception) -> None:
        log.error("Looking for models failed", exc_info=error)
        if self.page is not None:
            self.page.wait.setText(f"Looking for models failed: {error}")
            self.page.wait.show()


def _look(folders: tuple[str, ...], held: int, caches: int, tokens: int, uses: Uses) -> Found:
    available = available_bytes(held)
    last = uses.all()
    models = [
        Listed(
            facts,
            None if facts.problem else fit(facts, available, caches=caches, tokens=tokens),
            last.get(facts.ref),
        )
        for facts in installed(folders)
    ]
    return Found(sorted(models, key=_order), available, caches)


def _order(model: Listed) -> tuple[bool, float, str]:
    """Return what sorts models: usable ones first, the last used on top."""
    return (bool(model.facts.problem), -(model.use.at if model.use else 0.0), model.name.lower())
