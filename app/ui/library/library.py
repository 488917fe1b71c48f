"""What the page of models does: looks for models, fetches them, hands the chosen one on, remembers folders and uses."""

from __future__ import annotations

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Qt, Signal, Slot

from app.cache.config import MIB
from app.inference.events import Progress
from app.inference.hub.curated import suggestions
from app.inference.hub.download import DownloadState
from app.inference.hub.downloads import Downloads
from app.inference.library.discover import installed
from app.inference.library.fit import CHAT_TOKENS, available_bytes, fit
from app.settings.fields import FieldInfo
from app.ui.composer.background import Background
from app.ui.library.model_dialogs import ModelDialogs
from app.ui.library.page import LibraryDialog
from app.ui.library.text import Listed
from app.ui.model_state import ModelState
from app.worker.reports import Quantized

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget

    from app.inference.library.uses import Uses
    from app.ui.models import Models
    from app.ui.tuning import Tuning
    from app.worker.service import InferenceService

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
        dialogs: the windows about single models.
    """

    _told = Signal(object)

    def __init__(
        self,
        parent: QWidget | None,
        tuning: Tuning,
        models: Models,
        uses: Uses,
        service: InferenceService,
        make_downloads: Callable[[Callable[[DownloadState], None]], Downloads] = Downloads,
    ) -> None:
        super().__init__(parent)
        self._parent, self._tuning, self._models, self._uses = parent, tuning, models, uses
        self._make_downloads = make_downloads
        self._service = service
        self.dialogs = ModelDialogs(tuning, service)
        self.dialogs.own_changed.connect(self._on_own_changed)
        self.dialogs.copy_asked.connect(self._on_copy_asked)
        service.quantize_progress.connect(self._on_quantize_progress)
        service.quantized.connect(self._on_quantized)
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
        folders, uses = settings.model.folders, self._uses
        self._background.run(
            self, lambda: _look(folders, held, caches, self._tokens_of, uses), self._on_found, self._on_look_failed
        )

    def _tokens_of(self, ref: str) -> int:
        """Return the length of conversation to reckon with for a model."""
        return min(self._tokens, self._tuning.for_model(ref).model.context_limit or self._tokens)

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
        page.settings_requested.connect(lambda ref: self.dialogs.open_settings(page.models[ref].model, page))
        page.quantize_requested.connect(lambda ref: self.dialogs.ask_quantize(page.models[ref].model, page))
        page.quantize_stopped.connect(self._service.stop_quantizing)
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
        if folder and folder not in folders:
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

    def _on_copy_asked(self, ref: str) -> None:
        self._on_quantize_progress(ref, Progress("load", 0, 100, note=self.tr("Waiting for its turn")))

    def _on_quantize_progress(self, ref: str, progress: Progress) -> None:
        if self.page is not None:
            self.page.show_copying(ref, progress)

    def _on_quantized(self, report: Quantized) -> None:
        if self.page is not None:
            self.page.show_copying(report.ref, None, report.sentence)
        if not report.sentence and not report.stopped:
            self._add_folder(self.dialogs.where_to_look(Path(report.target)))

    def _on_own_changed(self, ref: str, field: FieldInfo) -> None:
        if self.page is not None and (row := self.page.models.get(ref)):
            row.show_own(self._tuning.own_settings(ref))
        if field.section == "model":
            self.look()  # whether it fits depends on the longest conversation

    def _on_found(self, found: Found) -> None:
        if self.page is not None:
            models = [replace(model, own=self._tuning.own_settings(model.facts.ref)) for model in found.models]
            self.page.show_models(models, found.available, found.caches)

    def _on_look_failed(self, error: Exception) -> None:
        log.error("Looking for models failed", exc_info=error)
        if self.page is not None:
            self.page.wait.setText(self.tr("Looking for models failed: {error}").format(error=error))
            self.page.wait.show()


def _look(folders: tuple[str, ...], held: int, caches: int, tokens_of: Callable[[str], int], uses: Uses) -> Found:
    available = available_bytes(held)
    last = uses.all()
    models = [
        Listed(
            facts,
            None if facts.problem else fit(facts, available, caches=caches, tokens=tokens_of(facts.ref)),
            last.get(facts.ref),
        )
        for facts in installed(folders)
    ]
    return Found(sorted(models, key=_order), available, caches)


def _order(model: Listed) -> tuple[bool, float, str]:
    """Return what sorts models: usable ones first, the last used on top."""
    return (bool(model.facts.problem), -(model.use.at if model.use else 0.0), model.name.lower())
