"""Which model is used: loading it, choosing another, saying how it is."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QFileDialog

from app.inference.checkpoint import DEMO, WITH, split
from app.inference.events import ModelInfo, Progress
from app.ui.model_state import ModelState
from app.ui.requests import engine_options
from app.ui.sentences import translated

if TYPE_CHECKING:
    from app.ui.main_window import MainWindow
    from app.ui.tuning import Tuning
    from app.worker.service import InferenceService


class Models(QObject):
    """Keeps the state of the model and shows it.

    Signals:
        changed(ModelState): another model, or another phase of it.
        configured(): the engine has other limits or caches from now on.
        identity_changed(): what was cached for the model before says nothing about the present one.
    """

    changed = Signal(object)
    configured = Signal()
    identity_changed = Signal()

    def __init__(self, window: MainWindow, tuning: Tuning, service: InferenceService) -> None:
        super().__init__()
        self._window = window
        self._tuning = tuning
        self._service = service
        self.state = ModelState(tuning.settings.model.ref)
        self._chosen = self.state.ref
        self._options = engine_options(tuning.for_model(self.state.ref))
        service.model_progress.connect(self._on_progress)
        service.model_ready.connect(self._on_ready)
        service.model_failed.connect(self._on_failed)
        tuning.model_chosen.connect(self.load)
        tuning.engine_concerned.connect(self.configure)
        window.actions_.model_demo.triggered.connect(lambda: self.choose("demo"))
        window.actions_.model_folder.triggered.connect(self.choose_folder)
        window.actions_.unload.triggered.connect(self.unload)
        self._show(self.state)

    def start(self) -> None:
        """Load the model of the settings, if it is to be loaded at the start."""
        if self._tuning.settings.model.load_at_start:
            self.load(self._chosen)

    def ensure_loading(self) -> None:
        """Begin to load the model unless it is there or on its way."""
        if self.state.phase in ("none", "failed"):
            self.load(self._chosen)

    def load(self, ref: str) -> None:
        """Load a model in place of the present one, with the adapter and the limits that it has of its own."""
        self._chosen = ref
        ref = self._with_own_adapter(ref)
        if (self.state.ref, self.state.phase) == (ref, "ready"):
            return
        self._show(ModelState(ref, "loading"))
        self.configure()
        self._service.load(ref)

    def configure(self) -> None:
        """Let the engine have the settings in force for the present model, where it has others."""
        options = engine_options(self._tuning.for_model(self.state.ref))
        if options != self._options:
            self._options = options
            self._service.configure(options)
            self._show_context()
            self.configured.emit()

    def choose(self, ref: str) -> None:
        """Use this model from now on, also after a restart."""
        if not self._tuning.change("model", "ref", ref):
            self.load(ref)

    def choose_folder(self) -> None:
        """Ask for a folder with a model, and use it."""
        if folder := QFileDialog.getExistingDirectory(self._window, self.tr("Choose a model folder")):
            self.choose(folder)

    def unload(self) -> None:
        """Let the model go until the next question."""
        self._service.unload()
        self._show(ModelState(self.state.ref))

    def stop_loading(self) -> None:
        """Stop a load that is on its way."""
        if self.state.phase == "loading":
            self._service.stop_loading()

    def _on_progress(self, progress: Progress) -> None:
        if self.state.phase == "loading":
            self._show(replace(self.state, progress=progress))

    def _on_ready(self, info: ModelInfo) -> None:
        """Also comes after a failure that left the model before it in place: that one is used again then."""
        self.identity_changed.emit()
        self._show(ModelState(info.ref, "ready", info))
        self.configure()
        base = split(info.ref)[0]
        self._chosen = base if self._with_own_adapter(base) == info.ref else info.ref
        self._tuning.change("model", "ref", self._chosen)

    def _on_failed(self, sentence: str, details: str) -> None:
        self._window.toast.say(translated(sentence))
        self._show(ModelState(self.state.ref, "failed", failure=sentence))

    def _with_own_adapter(self, ref: str) -> str:
        adapter = self._tuning.for_model(ref).model.adapter
        return f"{ref}{WITH}{adapter}" if adapter and split(ref)[1] is None else ref

    def _show_context(self) -> None:
        context = self.state.info.context_length if self.state.info is not None else 0
        limit = self._tuning.for_model(self.state.ref).model.context_limit
        self._window.panel.context_length = min(context, limit or context)

    def _show(self, state: ModelState) -> None:
        self.state = state
        self._window.toolbar.show_model(state)
        self._show_context()
        self._window.empty.show_problem(state.failure if state.phase == "failed" else "")
        self._window.empty.offer_samples(state.phase == "ready" and split(state.ref)[0] == DEMO)
        self._window.actions_.unload.setEnabled(state.phase == "ready")
        self.changed.emit(state)
