"""The dialog in which a smaller copy of a model is asked for: how small, where to, and whether there is room."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import (
    QDialog,
    QDialogButtonBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPushButton,
    QRadioButton,
    QVBoxLayout,
    QWidget,
)

from app.files import free_bytes, has_room
from app.inference.library.quantized import Bits
from app.ui.labels import caption, heading
from app.ui.messages.words import THIN
from app.ui.theme import Space, TextRole
from app.ui.units import size

WIDTH: Final = 520
EXPLAINED: Final = (
    "A copy with fewer bits per weight is smaller and faster, and answers a little less exactly. "
    "Answers wait until it is made."
)
CHOICES: Final[dict[Bits, str]] = {4: "smallest", 8: "hardly less exact"}


class QuantizeDialog(QDialog):
    """Asks for bits and folder.

    Signals:
        accepted_with(target, bits): make the copy.
    """

    accepted_with = Signal(object, int)

    def __init__(self, name: str, folder: Path, expected: Callable[[Bits], int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(f"Quantize {name}")
        self.setMinimumWidth(WIDTH)
        self._name, self._expected = name, expected
        self.choices = {bits: self._make_choice(bits, words) for bits, words in CHOICES.items()}
        self.folder = QLineEdit(str(folder))
        self.folder.setAccessibleName("Folder for the copy")
        self.folder.textChanged.connect(self._show_room)
        self.choose = QPushButton("Choose…")
        self.choose.setAccessibleName("Choose the folder for the copy")
        self.choose.setAutoDefault(False)
        self.choose.clicked.connect(self._choose_folder)
        self.room = caption()
        self.problem = caption(role="danger")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.make = self.buttons.addButton("Quantize", QDialogButtonBox.ButtonRole.AcceptRole)
        self.make.setProperty("kind", "primary")
        self.buttons.accepted.connect(self._accept)
        self.buttons.rejected.connect(self.reject)
        self._lay_out()
        self.choices[4].setChecked(True)
        self._show_room()

    @property
    def bits(self) -> Bits:
        """The bits per weight that are chosen."""
        return next(bits for bits, button in self.choices.items() if button.isChecked())

    @property
    def target(self) -> Path:
        """The folder that the copy will be."""
        return Path(self.folder.text().strip()).expanduser() / f"{self._name}-{self.bits}bit"

    def _make_choice(self, bits: Bits, words: str) -> QRadioButton:
        button = QRadioButton(f"{bits}{THIN}bits: about {size(self._expected(bits))}, {words}")
        button.toggled.connect(self._show_room)
        return button

    def _show_room(self) -> None:
        if not any(button.isChecked() for button in self.choices.values()):
            return
        problem = self._problem()
        self.room.setText("" if problem else f"{self.target}. {size(free_bytes(self.target))} free there.")
        self.room.setVisible(not problem)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.make.setEnabled(not problem)

    def _problem(self) -> str:
        """Return why the copy cannot be made there; empty where it can."""
        target = self.target
        if not target.is_absolute():
            return "Give the whole path of the folder."
        if target.exists():
            return f"{target} exists already. Choose another folder."
        needed, free = self._expected(self.bits), free_bytes(target)
        if not has_room(needed, free):
            return f"The copy needs about {size(needed)}, and {size(free)} are free there. Choose another folder."
        return ""

    def _choose_folder(self) -> None:
        if folder := QFileDialog.getExistingDirectory(self, "Choose a folder for the copy", self.folder.text()):
            self.folder.setText(folder)

    def _accept(self) -> None:
        self.accept()
        self.accepted_with.emit(self.target, self.bits)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(heading(f"A smaller copy of {self._name}", TextRole.LEAD))
        column.addWidget(caption(EXPLAINED))
        for button in self.choices.values():
            column.addWidget(button)
        label = QLabel("Into the folder")
        label.setBuddy(self.folder)
        column.addWidget(label)
        line = QHBoxLayout()
        line.setSpacing(Space.S)
        line.addWidget(self.folder, 1)
        line.addWidget(self.choose)
        column.addLayout(line)
        column.addWidget(self.room)
        column.addWidget(self.problem)
        column.addStretch()
        column.addWidget(self.buttons)
