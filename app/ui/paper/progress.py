"""How far a chat on its way to paper is, and a button to leave it."""

from __future__ import annotations

from typing import Final

from PySide6.QtCore import Qt, QTimer
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLabel, QProgressBar, QVBoxLayout, QWidget

from app.ui.paper.slices import Slices
from app.ui.theme import Space

DELAY_MS: Final = 400
"""What is done before that needs no dialog."""
_WIDTH: Final = 360
_PERCENT: Final = 100


class ProgressDialog(QDialog):
    """Follows ``work`` and goes with its end; Cancel and Escape leave the rest undone, as long as that can be."""

    def __init__(self, words: str, work: Slices, over: QWidget) -> None:
        super().__init__(over)
        self.setWindowTitle(words)
        self.setWindowModality(Qt.WindowModality.WindowModal)
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setFixedWidth(_WIDTH)
        self.label = QLabel(words)
        self.label.setWordWrap(True)
        self.label.setTextFormat(Qt.TextFormat.PlainText)
        self.bar = QProgressBar()
        self.bar.setRange(0, _PERCENT)
        self.bar.setAccessibleName(words)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.cancel_button = buttons.button(QDialogButtonBox.StandardButton.Cancel)
        buttons.rejected.connect(self.reject)
        column = QVBoxLayout(self)
        column.setSpacing(Space.M)
        for widget in (self.label, self.bar, buttons):
            column.addWidget(widget)
        self._timer = QTimer(self, singleShot=True, interval=DELAY_MS)
        self._timer.timeout.connect(self.show)
        self._timer.start()
        work.progressed.connect(lambda done: self.bar.setValue(int(_PERCENT * done)))
        work.committed.connect(self._commit)
        work.ended.connect(self._close)
        self.rejected.connect(work.cancel)

    def reject(self) -> None:
        """Leave the work, unless it is too late."""
        if self.cancel_button.isEnabled():
            super().reject()

    def _commit(self) -> None:
        self.cancel_button.setEnabled(False)
        self.label.setText(self.tr("The pages go to the printer now. They can be stopped only there."))

    def _close(self) -> None:
        self._timer.stop()
        self.hide()
        self.deleteLater()
