"""One model of this computer: what it is, whether it fits, the button that loads or unloads it, and a menu."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QSize, Signal
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QToolButton

from app.inference.checkpoint import WITH, split
from app.inference.events import Progress
from app.settings.per_model import OwnSettings
from app.ui.labels import caption
from app.ui.library.badge import FitBadge
from app.ui.library.rows import Row
from app.ui.library.text import Listed, own_words, what_it_is
from app.ui.model_state import ModelState, model_label
from app.ui.sentences import translated
from app.ui.theme import set_icon
from app.ui.theme.tokens import ICON_SMALL


class ModelRow(Row):
    """Shows one model.

    Signals:
        use_requested(ref), unload_requested(), stop_requested(): the user pressed the button.
        settings_requested(ref), quantize_requested(ref): the user chose that in the menu.
        quantize_stopped(ref): the copy that is being made is not wanted any more.
    """

    use_requested = Signal(str)
    unload_requested = Signal()
    stop_requested = Signal()
    settings_requested = Signal(str)
    quantize_requested = Signal(str)
    quantize_stopped = Signal(str)

    def __init__(self, model: Listed, now: float) -> None:
        super().__init__(model.name, model.facts.ref)
        self.model = model
        self.line = self._add_caption(what_it_is(model, now))
        self.badge = FitBadge(model.fit, model.use) if model.fit is not None else None
        if self.badge is not None:
            self.add_line(self.badge)
        self.own = self._add_caption(own_words(model.own))
        self.problem = self._add_caption(translated(model.facts.problem), role="danger")
        self.note = caption()
        self.add_line(self.bar)
        self.add_line(self.note)
        too_large = model.fit is not None and model.fit.verdict == "too_large"
        self._load = self.tr("Load anyway") if too_large else self.tr("Load")
        self._state = ModelState()
        self._copying: Progress | None = None
        self._no_copy = ""
        self.cancel = self.add_button(self.tr("Cancel"), "flat")
        self.cancel.hide()
        self.cancel.clicked.connect(lambda: self.quantize_stopped.emit(self.about))
        self.button = self.add_button(self._load)
        self.button.clicked.connect(self._on_clicked)
        self.menu = self._make_menu()
        self.add_widget(self.menu)
        for widget in (self.button, self.menu):
            widget.setVisible(not model.facts.problem)

    def show_state(self, state: ModelState) -> None:
        """Show whether this is the model that is loaded, or on its way."""
        own = split(state.ref)[0] == self.model.facts.ref
        self._state = state if own else ModelState()
        texts = {"loading": self.tr("Stop"), "ready": self.tr("Unload")}
        self.rename_button(self.button, texts.get(self._state.phase, self._load))
        in_use = self.tr("{model} · in use").format(model=model_label(state.ref))
        self.title.setText(in_use if self._state.phase == "ready" else self.model.name)
        self._show_progress()
        self._show_problem()

    def show_copying(self, progress: Progress | None, failure: str = "") -> None:
        """Show how far a smaller copy of this model is; ``None`` while none is made, ``failure`` says why not."""
        self._copying, self._no_copy = progress, failure
        self._show_problem()
        self.cancel.setVisible(progress is not None)
        self.quantize.setEnabled(progress is None and not self.model.facts.quantization)
        self._show_progress()

    def show_own(self, own: OwnSettings) -> None:
        """Show which settings the model has of its own."""
        self.own.setText(own_words(own))
        self.own.setVisible(bool(own))

    def _show_problem(self) -> None:
        self.problem.setText(translated(self.model.facts.problem or self._state.failure or self._no_copy))
        self.problem.setVisible(bool(self.problem.text()))

    def _show_progress(self) -> None:
        loading = self._state.phase == "loading"
        progress = self._state.progress if loading else self._copying
        share = progress.done / progress.total if progress is not None and progress.total > 0 else 0.0
        self.show_progress(share if loading or progress is not None else None)
        self.note.setText(translated(progress.note) if progress is not None else "")
        self.note.setVisible(bool(self.note.text()))

    def _add_caption(self, text: str, role: str = "meta") -> QLabel:
        label = caption(text, role=role)
        label.setVisible(bool(text))
        self.add_line(label)
        return label

    def _make_menu(self) -> QToolButton:
        button = QToolButton()
        set_icon(button, "more", "meta")
        button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setAccessibleName(self.tr("More: {model}").format(model=self.about))
        button.setToolTip(self.tr("Settings for this model, adapter, smaller copy"))
        menu = QMenu(button)
        self.settings = self._add_action(menu, self.tr("Settings for this model…"), self._ask_settings)
        self.adapter = self._add_action(menu, self.tr("Load with an adapter…"), self._choose_adapter)
        self.quantize = self._add_action(menu, self.tr("Quantize…"), self._ask_quantize)
        self.quantize.setEnabled(not self.model.facts.quantization)
        button.setMenu(menu)
        return button

    @staticmethod
    def _add_action(menu: QMenu, text: str, act: Callable[[], None]) -> QAction:
        action = menu.addAction(text)
        action.triggered.connect(lambda _=False: act())
        return action

    def _ask_settings(self) -> None:
        self.settings_requested.emit(self.about)

    def _ask_quantize(self) -> None:
        self.quantize_requested.emit(self.about)

    def _choose_adapter(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, self.tr("Choose the folder of a LoRA adapter")):
            self.use_requested.emit(f"{self.model.facts.ref}{WITH}{folder}")

    def _on_clicked(self) -> None:
        match self._state.phase:
            case "loading":
                self.stop_requested.emit()
            case "ready":
                self.unload_requested.emit()
            case _:
                self.use_requested.emit(self.model.facts.ref)
