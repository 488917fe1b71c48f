"""The window of models. It shows and asks; :class:`app.ui.library.library.Library` does."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QVBoxLayout,
    QWidget,
)

from app.inference.events import Progress
from app.inference.hub.curated import Suggestion
from app.inference.hub.download import DownloadState
from app.inference.library.fit import CHAT_TOKENS
from app.ui.labels import caption, heading, scroll_area
from app.ui.library.download_row import DownloadRow
from app.ui.library.model_row import ModelRow
from app.ui.library.text import Listed, room_words
from app.ui.messages.words import tokens as tokens_in_words
from app.ui.model_state import ModelState
from app.ui.theme import Space, TextRole

SIZE: Final = (820, 660)
LENGTHS: Final = (2048, CHAT_TOKENS, 32_768, 131_072)


class LibraryDialog(QDialog):
    """Lists the models of this computer and what may be fetched.

    Signals:
        use_requested(ref), unload_requested(), stop_requested(): about the model in use.
        settings_requested(ref): a model is to have settings of its own.
        quantize_requested(ref), quantize_stopped(ref): a smaller copy is wanted, or is not any more.
        get_requested(repository), pause_requested(repository), cancel_requested(repository): about downloads.
        folder_chosen(path): look for models there too.
        length_chosen(tokens): reckon with conversations of this length.
        refresh_requested(): look again.
    """

    use_requested = Signal(str)
    unload_requested = Signal()
    stop_requested = Signal()
    settings_requested = Signal(str)
    quantize_requested = Signal(str)
    quantize_stopped = Signal(str)
    get_requested = Signal(str)
    pause_requested = Signal(str)
    cancel_requested = Signal(str)
    folder_chosen = Signal(str)
    length_chosen = Signal(int)
    refresh_requested = Signal()

    def __init__(self, suggestions: list[Suggestion], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Models"))
        self.resize(*SIZE)
        self.models: dict[str, ModelRow] = {}
        self.downloads: dict[str, DownloadRow] = {}
        self._state = ModelState()
        self._copying: dict[str, Progress] = {}
        self.room = caption()
        self.length = self._make_lengths()
        self.folder = self._make_button(
            self.tr("Add folder…"), self.tr("Add a folder with models"), self._choose_folder
        )
        self.refresh = self._make_button(
            self.tr("Look again"), self.tr("Look for models again"), self.refresh_requested.emit
        )
        self.repository = QLineEdit()
        self.repository.setPlaceholderText(self.tr("owner/model"))
        self.repository.setAccessibleName(self.tr("Repository to fetch"))
        self.repository.returnPressed.connect(self._get_typed)
        self.get = self._make_button(self.tr("Get"), self.tr("Get this repository"), self._get_typed)
        self.wait = caption(self.tr("Looking for models…"))
        self._model_column, self._download_column = _column(), _column()
        self._lay_out()
        for suggestion in suggestions:
            self._add_download(suggestion.repository, suggestion)

    def show_models(self, models: list[Listed], available: int, caches: int) -> None:
        """List the models of this computer; what is here need not be fetched."""
        self.wait.hide()
        self.room.setText(room_words(available, caches))
        for row in self.models.values():
            self._model_column.removeWidget(row)
            row.deleteLater()
        now = time.time()
        self.models = {model.facts.ref: ModelRow(model, now) for model in models}
        for row in self.models.values():
            row.use_requested.connect(self.use_requested)
            row.unload_requested.connect(self.unload_requested)
            row.stop_requested.connect(self.stop_requested)
            row.settings_requested.connect(self.settings_requested)
            row.quantize_requested.connect(self.quantize_requested)
            row.quantize_stopped.connect(self.quantize_stopped)
            row.show_copying(self._copying.get(row.about))
            self._model_column.addWidget(row)
        self.show_state(self._state)
        self._hide_what_is_here()

    def show_state(self, state: ModelState) -> None:
        """Show which model is in use."""
        self._state = state
        for row in self.models.values():
            row.show_state(state)

    def show_copying(self, ref: str, progress: Progress | None, failure: str = "") -> None:
        """Show how far a smaller copy of a model is; ``None`` for no more, for the reason in ``failure`` if any."""
        self._copying = {other: shown for other, shown in self._copying.items() if other != ref}
        if progress is not None:
            self._copying[ref] = progress
        if row := self.models.get(ref):
            row.show_copying(progress, failure)

    def show_download(self, state: DownloadState) -> None:
        """Show how far a download is."""
        row = self.downloads.get(state.repository) or self._add_download(state.repository)
        row.show_state(state)
        row.setVisible(True)
        if state.phase == "cancelled" and row.suggestion is None:
            self._download_column.removeWidget(row)
            self.downloads.pop(state.repository).deleteLater()

    def _add_download(self, repository: str, suggestion: Suggestion | None = None) -> DownloadRow:
        row = DownloadRow(repository, suggestion)
        row.get_requested.connect(self.get_requested)
        row.pause_requested.connect(self.pause_requested)
        row.cancel_requested.connect(self.cancel_requested)
        self.downloads[repository] = row
        if suggestion is None:
            self._download_column.insertWidget(0, row)
        else:
            self._download_column.addWidget(row)
        return row

    def _hide_what_is_here(self) -> None:
        for repository, row in self.downloads.items():
            here = self.models.get(repository)
            complete = here is not None and not here.model.facts.problem
            row.setVisible(not complete or (row.state is not None and row.state.phase != "done"))

    def _get_typed(self) -> None:
        if repository := self.repository.text().strip():
            self.repository.clear()
            self.get_requested.emit(repository)

    def _choose_folder(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, self.tr("Choose a folder with models")):
            self.folder_chosen.emit(folder)

    def _make_lengths(self) -> QComboBox:
        box = QComboBox()
        for tokens in LENGTHS:
            box.addItem(tokens_in_words(tokens), tokens)
        box.setCurrentIndex(LENGTHS.index(CHAT_TOKENS))
        box.setAccessibleName(self.tr("Length of conversation to reckon with"))
        box.activated.connect(lambda index: self.length_chosen.emit(box.itemData(index)))
        return box

    def _make_button(self, text: str, name: str, act: Callable[[], object]) -> QPushButton:
        button = QPushButton(text)
        button.setAccessibleName(name)
        button.setAutoDefault(False)
        button.clicked.connect(lambda _=False: act())
        return button

    def _lay_out(self) -> None:
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.XL)
        column.setSpacing(Space.M)
        column.addLayout(_line(heading(self.tr("On this computer"), TextRole.TITLE), None, self.folder, self.refresh))
        column.addLayout(_line(self.room, None, QLabel(self.tr("Conversations of")), self.length))
        column.addWidget(self.wait)
        column.addLayout(self._model_column)
        column.addSpacing(Space.M)
        column.addWidget(heading(self.tr("Download"), TextRole.TITLE))
        safe = self.tr(
            "Only files that cannot run code are fetched. A download may be paused; it goes on after a restart too. "
            "The sizes below are approximate; the exact one is shown once the hub was asked."
        )
        column.addWidget(caption(safe))
        column.addLayout(_line(self.repository, self.get))
        column.addLayout(self._download_column)
        column.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll_area(body))


def _column() -> QVBoxLayout:
    column = QVBoxLayout()
    column.setSpacing(Space.S)
    return column


def _line(*widgets: QWidget | None) -> QHBoxLayout:
    """Return widgets side by side; ``None`` is the space that gives, else the first widget takes it."""
    line = QHBoxLayout()
    line.setSpacing(Space.S)
    for number, widget in enumerate(widgets):
        if widget is None:
            continue
        line.addWidget(widget, int(number == 0))
    return line
