"""One model of this computer: what it is, whether it fits, and the button that loads or unloads it."""

from __future__ import annotations

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QFileDialog

from app.inference.checkpoint import WITH, name_of, split
from app.ui.labels import caption
from app.ui.library.badge import FitBadge
from app.ui.library.rows import Row
from app.ui.library.text import Listed, what_it_is
from app.ui.model_state import ModelState


class ModelRow(Row):
    """Shows one model.

    Signals:
        use_requested(ref), unload_requested(), stop_requested(): the user pressed the button.
    """

    use_requested = Signal(str)
    unload_requested = Signal()
    stop_requested = Signal()

    def __init__(self, model: Listed, now: float) -> None:
        super().__init__(model.name, model.facts.ref)
        self.model = model
        self.line = caption(what_it_is(model, now))
        self.line.setVisible(bool(self.line.text()))
        self.add_line(self.line)
        self.badge = FitBadge(model.fit, model.use) if model.fit is not None else None
        if self.badge is not None:
            self.add_line(self.badge)
        self.problem = caption(model.facts.problem, role="danger")
        self.problem.setVisible(bool(model.facts.problem))
        self.add_line(self.problem)
        self.note = caption()
        self.add_line(self.bar)
        self.add_line(self.note)
        self._load = "Load anyway" if model.fit is not None and model.fit.verdict == "too_large" else "Load"
        self.adapter = self.add_button("Adapter…", "flat")
        self.adapter.setToolTip("Load it with a LoRA adapter on top")
        self.adapter.setVisible(not model.facts.problem)
        self.adapter.clicked.connect(self._choose_adapter)
        self.button = self.add_button(self._load)
        self.button.setVisible(not model.facts.problem)
        self.button.clicked.connect(self._on_clicked)
        self._state = ModelState()

    def show_state(self, state: ModelState) -> None:
        """Show whether this is the model that is loaded, or on its way."""
        own = split(state.ref)[0] == self.model.facts.ref
        self._state = state if own else ModelState()
        texts = {"loading": "Stop", "ready": "Unload"}
        self.rename_button(self.button, texts.get(self._state.phase, self._load))
        self.title.setText(f"{name_of(state.ref)} · in use" if self._state.phase == "ready" else self.model.name)
        self._show_loading(self._state)
        if not self.model.facts.problem:
            self.problem.setText(self._state.failure)
            self.problem.setVisible(bool(self._state.failure))

    def _show_loading(self, state: ModelState) -> None:
        loading, progress = state.phase == "loading", state.progress
        share = progress.done / progress.total if progress is not None and progress.total > 0 else 0.0
        self.show_progress(share if loading else None)
        self.note.setText(progress.note if progress is not None else "")
        self.note.setVisible(loading and bool(self.note.text()))

    def _choose_adapter(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, "Choose the folder of a LoRA adapter"):
            self.use_requested.emit(f"{self.model.facts.ref}{WITH}{folder}")

    def _on_clicked(self) -> None:
        match self._state.phase:
            case "loading":
                self.stop_requested.emit()
            case "ready":
                self.unload_requested.emit()
            case _:
                self.use_requested.emit(self.model.facts.ref)
