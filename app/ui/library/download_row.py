"""One model that may be fetched, is being fetched, or was fetched in part."""

from __future__ import annotations

from PySide6.QtCore import Signal

from app.inference.hub.curated import Suggestion
from app.inference.hub.download import DownloadState
from app.ui.labels import caption
from app.ui.library.rows import Row
from app.ui.library.text import download_words, suggestion_line
from app.ui.translation import translate


class DownloadRow(Row):
    """Shows one repository.

    Signals:
        get_requested(repository), pause_requested(repository), cancel_requested(repository): a button was pressed.
    """

    get_requested = Signal(str)
    pause_requested = Signal(str)
    cancel_requested = Signal(str)

    def __init__(self, repository: str, suggestion: Suggestion | None = None) -> None:
        super().__init__(translate("Models", suggestion.title) if suggestion else repository, repository)
        self.suggestion = suggestion
        self.state: DownloadState | None = None
        if suggestion is not None:
            self.add_line(caption(translate("Models", suggestion.good_for)))
            self.add_line(caption(suggestion_line(suggestion)))
        self.add_line(self.bar)
        self.words = caption()
        self.failure = caption(role="danger")
        self.add_line(self.words)
        self.add_line(self.failure)
        self.main = self.add_button(self.tr("Get"))
        self.cancel = self.add_button(self.tr("Cancel"), "flat")
        self.main.clicked.connect(self._on_main)
        self.cancel.clicked.connect(lambda: self.cancel_requested.emit(repository))
        self.show_state(None)

    def show_state(self, state: DownloadState | None) -> None:
        """Show how far it is; ``None`` for not begun."""
        if state is not None and state.phase == "cancelled" and self.suggestion is not None:
            state = None
        self.state = state
        phase = state.phase if state is not None else "none"
        pause = self.tr("Pause")
        go_on, again = self.tr("Continue"), self.tr("Try again")
        texts = {"asking": pause, "running": pause, "paused": go_on, "failed": again}
        self.rename_button(self.main, texts.get(phase, self.tr("Get")))
        self.main.setVisible(phase != "done")
        self.cancel.setVisible(phase in texts)
        under_way = state is not None and state.total > 0 and phase in texts
        self.show_progress(state.done / state.total if under_way and state is not None else None)
        words = download_words(state) if state is not None else ""
        self.words.setText("" if phase == "failed" else words)
        self.words.setVisible(bool(self.words.text()))
        self.failure.setText(words if phase == "failed" else "")
        self.failure.setVisible(phase == "failed")

    def _on_main(self) -> None:
        active = self.state is not None and self.state.active
        (self.pause_requested if active else self.get_requested).emit(self.about)
