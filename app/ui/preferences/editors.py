"""One small editor per type of value. All have the same face: a value in, a value out, a signal between."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Final

from PySide6.QtCore import QLocale, Qt, Signal
from PySide6.QtWidgets import (
    QCheckBox,
    QComboBox,
    QFileDialog,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QPushButton,
    QWidget,
)

from app.settings.fields import FieldInfo
from app.ui.preferences.words import choice_in_words, number_in_words
from app.ui.theme import Space

NUMBER_WIDTH: Final = 110


class Editor(QWidget):
    """Edits one value.

    Signals:
        edited(value): the user entered a value. It may not fit; whoever listens says so.
    """

    edited = Signal(object)

    def __init__(self, field: FieldInfo) -> None:
        super().__init__()
        self.field = field
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(0, 0, 0, 0)
        self._row.setSpacing(Space.S)

    def show_value(self, value: Any) -> None:
        """Show a value without telling it back."""
        raise NotImplementedError

    def show_validity(self, valid: bool) -> None:
        """Mark the field where what stands in it does not fit."""

    def _add(self, widget: QWidget, *, main: bool = False) -> None:
        self._row.addWidget(widget)
        if main:
            widget.setAccessibleName(self.field.title)
            widget.setAccessibleDescription(self.field.help)
            self.setFocusProxy(widget)


class BoolEditor(Editor):
    """A check box that carries the title itself."""

    def __init__(self, field: FieldInfo) -> None:
        super().__init__(field)
        self.box = QCheckBox(field.title)
        self._add(self.box, main=True)
        self.box.clicked.connect(self._on_clicked)

    def show_value(self, value: Any) -> None:
        """Show a value."""
        self.box.setChecked(value)

    def _on_clicked(self, on: bool) -> None:
        self.edited.emit(on)


class ChoiceEditor(Editor):
    """A list of choices."""

    def __init__(self, field: FieldInfo) -> None:
        super().__init__(field)
        self.box = QComboBox()
        for choice in field.choices:
            self.box.addItem(choice_in_words(choice), choice)
        self._add(self.box, main=True)
        if field.unit:
            self._add(QLabel(field.unit))
        self._row.addStretch()
        self.box.activated.connect(lambda index: self.edited.emit(self.box.itemData(index)))

    def show_value(self, value: Any) -> None:
        """Show a value."""
        self.box.setCurrentIndex(self.box.findData(value))


class LineEditor(Editor):
    """A line of text; told when the user leaves it or presses Enter, and checked while typing."""

    def __init__(self, field: FieldInfo) -> None:
        super().__init__(field)
        self.line = QLineEdit()
        self._add(self.line, main=True)
        self._shown = ""
        self.line.editingFinished.connect(self._on_finished)

    def show_value(self, value: Any) -> None:
        """Show a value."""
        self._shown = self._to_text(value)
        self.line.setText(self._shown)

    def show_validity(self, valid: bool) -> None:
        """Draw the frame of the field in the colour of errors."""
        self.line.setProperty("invalid", not valid)
        self.line.style().polish(self.line)

    def _on_finished(self) -> None:
        if self.line.text() != self._shown:
            self._shown = self.line.text()
            self.edited.emit(self._to_value(self._shown))

    def _to_text(self, value: Any) -> str:
        return str(value)

    def _to_value(self, text: str) -> Any:
        return text.strip()


class NumberEditor(LineEditor):
    """A number with its unit, written as the language does. Text that is none is told as it is, to be refused."""

    def __init__(self, field: FieldInfo) -> None:
        super().__init__(field)
        self.line.setFixedWidth(NUMBER_WIDTH)
        self.line.setAlignment(Qt.AlignmentFlag.AlignRight)
        if field.unit:
            self._add(QLabel(field.unit))
        self._row.addStretch()

    def _to_text(self, value: Any) -> str:
        return number_in_words(value)

    def _to_value(self, text: str) -> Any:
        plain = _ungrouped(text.strip())
        try:
            return float(plain.replace(",", ".")) if self.field.type == "float" else int(plain)
        except ValueError:
            return text


class FolderEditor(LineEditor):
    """A folder, by typing or by choosing."""

    def __init__(self, field: FieldInfo) -> None:
        super().__init__(field)
        button = _button(self.tr("Choose…"), self.tr("Choose: {title}").format(title=field.title))
        button.clicked.connect(self._choose)
        self._add(button)

    def _choose(self) -> None:
        start = self.line.text() or str(Path.home())
        if folder := QFileDialog.getExistingDirectory(self, self.field.title, start):
            self.line.setText(folder)
            self._on_finished()


class PlaceEditor(FolderEditor):
    """A folder that the app keeps files in, which can be looked at.

    Signals:
        show_requested: the user wants to see it in the file manager.
    """

    show_requested = Signal()

    def __init__(self, field: FieldInfo) -> None:
        super().__init__(field)
        button = _button(self.tr("Show"), self.tr("Show in the file manager: {title}").format(title=field.title))
        button.setToolTip(self.tr("Show in the file manager"))
        button.clicked.connect(self.show_requested)
        self._add(button)


class MultilineEditor(Editor):
    """Several lines of text, told when the user leaves the field."""

    HEIGHT: Final = 88

    def __init__(self, field: FieldInfo) -> None:
        super().__init__(field)
        self.text = _Text()
        self.text.setFixedHeight(self.HEIGHT)
        self.text.setTabChangesFocus(True)
        self._add(self.text, main=True)
        self._shown = ""
        self.text.left.connect(self._on_left)

    def show_value(self, value: Any) -> None:
        """Show a value."""
        self._shown = "\n".join(value) if isinstance(value, tuple) else value
        self.text.setPlainText(self._shown)

    def _on_left(self) -> None:
        text = self.text.toPlainText()
        if text != self._shown:
            self._shown = text
            self.edited.emit(tuple(filter(None, text.split("\n"))) if self.field.type == "list" else text)


class _Text(QPlainTextEdit):
    left = Signal()

    def focusOutEvent(self, event: Any) -> None:
        super().focusOutEvent(event)
        self.left.emit()


def _ungrouped(text: str) -> str:
    """Return a number without the language's separators of thousands; what they do not stand between stays as it is."""
    separator = QLocale().groupSeparator()
    mark = r"\s" if separator.isspace() else re.escape(separator)
    digits = rf"[-+]?[1-9]\d{{0,2}}(?:{mark}\d{{3}})+(?:{re.escape(QLocale().decimalPoint())}\d+)?"
    return re.sub(mark, "", text) if re.fullmatch(digits, text) else text


def _button(text: str, name: str) -> QPushButton:
    button = QPushButton(text)
    button.setAccessibleName(name)
    button.setAutoDefault(False)  # Enter in any field of the dialog would press it
    return button
