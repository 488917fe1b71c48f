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
from app.ui.library.text import bits_words
from app.ui.preferences.words import whole_path
from app.ui.theme import Space, TextRole
from app.ui.units import size

WIDTH: Final = 520
CHOICES: Final[tuple[Bits, ...]] = (4, 8)


class QuantizeDialog(QDialog):
    """Asks for bits and folder.

    Signals:
        accepted_with(target, bits): make the copy.
    """

    accepted_with = Signal(object, int)

    def __init__(self, name: str, folder: Path, expected: Callable[[Bits], int], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Quantize {model}").format(model=name))
        self.setMinimumWidth(WIDTH)
        self._name, self._expected = name, expected
        self.choices = {bits: self._make_choice(bits) for bits in CHOICES}
        self.folder = QLineEdit(str(folder))
        self.folder.setAccessibleName(self.tr("Folder for the copy"))
        self.folder.textChanged.connect(self._show_room)
        self.choose = QPushButton(self.tr("Choose…"))
        self.choose.setAccessibleName(self.tr("Choose the folder for the copy"))
        self.choose.setAutoDefault(False)
        self.choose.clicked.connect(self._choose_folder)
        self.room = caption()
        self.problem = caption(role="danger")
        self.buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        self.make = self.buttons.addButton(self.tr("Quantize"), QDialogButtonBox.ButtonRole.AcceptRole)
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

    def _make_choice(self, bits: Bits) -> QRadioButton:
        smallest, exact = self.tr("{bits}: about {size}, smallest"), self.tr("{bits}: about {size}, hardly less exact")
        words = smallest if bits == min(CHOICES) else exact
        button = QRadioButton(words.format(bits=bits_words(bits), size=size(self._expected(bits))))
        button.toggled.connect(self._show_room)
        return button

    def _show_room(self) -> None:
        if not any(button.isChecked() for button in self.choices.values()):
            return
        problem = self._problem()
        self.room.setText("" if problem else self._room_in_words())
        self.room.setVisible(not problem)
        self.problem.setText(problem)
        self.problem.setVisible(bool(problem))
        self.make.setEnabled(not problem)

    def _room_in_words(self) -> str:
        words = self.tr("{folder}. {size} free there.")
        return words.format(folder=self.target, size=size(free_bytes(self.target)))

    def _problem(self) -> str:
        """Return why the copy cannot be made there; empty where it can."""
        target = self.target
        if not target.is_absolute():
            return whole_path()
        if target.exists():
            return self.tr("{folder} exists already. Choose another folder.").format(folder=target)
        needed, free = self._expected(self.bits), free_bytes(target)
        if not has_room(needed, free):
            words = self.tr("The copy needs about {needed}, and {free} are free there. Choose another folder.")
            return words.format(needed=size(needed), free=size(free))
        return ""

    def _choose_folder(self) -> None:
        if folder := QFileDialog.getExistingDirectory(
            self, self.tr("Choose a folder for the copy"), self.folder.text()
        ):
            self.folder.setText(folder)

    def _accept(self) -> None:
        self.accept()
        self.accepted_with.emit(self.target, self.bits)

    def _lay_out(self) -> None:
        column = QVBoxLayout(self)
        column.setContentsMargins(Space.XL, Space.XL, Space.XL, Space.L)
        column.setSpacing(Space.M)
        column.addWidget(heading(self.tr("A smaller copy of {model}").format(model=self._name), TextRole.LEAD))
        explained = self.tr(
            "A copy with fewer bits per weight is smaller and faster, and answers a little less exactly. "
            "Answers wait until it is made."
        )
        column.addWidget(caption(explained))
        for button in self.choices.values():
            column.addWidget(button)
        label = QLabel(self.tr("Into the folder"))
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
