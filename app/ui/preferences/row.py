"""One setting: its title, editor, help, way back to the default, and what is wrong with what was entered."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from app.settings.fields import FieldInfo
from app.ui.labels import caption
from app.ui.messages.words import listed
from app.ui.preferences.factory import make_editor
from app.ui.preferences.words import choice_in_words, number_in_words
from app.ui.theme import Space, set_icon
from app.ui.theme.tokens import ICON_SMALL
from app.ui.translation import translate


class SettingRow(QWidget):
    """Shows one setting; ``back`` says what the way back leads to.

    Signals:
        edited(field, value): the user entered a value or went back to the default.
    """

    edited = Signal(object, object)

    def __init__(self, field: FieldInfo, back: str = "") -> None:
        super().__init__()
        self.field = field
        self._back = back or self.tr("Back to the default")
        self.editor = make_editor(field)
        self.editor.edited.connect(lambda value: self.edited.emit(field, value))
        self.help = caption(_help(field))
        self.note = caption()
        self.error = caption(role="danger")
        self.reset = self._make_reset()
        self.show_default(field.default)
        self._lay_out()
        self.show_error("")
        self.show_note("")

    def show_value(self, value: Any, *, resettable: bool | None = None) -> None:
        """Show the value in force; there is a way back where it is not the default, or where ``resettable`` says so."""
        self.editor.show_value(value)
        self.reset.setVisible(value != self.field.default if resettable is None else resettable)
        self.show_error("")

    def show_default(self, value: Any) -> None:
        """Take ``value`` as what the way back leads to."""
        self.field = replace(self.field, default=value)
        words = f"{self._back}: {_value_in_words(self.field)}"
        self.reset.setToolTip(words)
        self.reset.setAccessibleName(f"{self.field.title}. {words}")

    def show_error(self, sentence: str) -> None:
        """Say what is wrong with what stands in the field; empty for nothing."""
        self.error.setText(sentence)
        self.error.setVisible(bool(sentence))
        self.editor.show_validity(not sentence)

    def show_note(self, words: str) -> None:
        """Say what the value means now."""
        self.note.setText(words)
        self.note.setVisible(bool(words))

    def _make_reset(self) -> QToolButton:
        button = QToolButton()
        set_icon(button, "undo", "meta")
        button.setIconSize(QSize(ICON_SMALL, ICON_SMALL))
        policy = button.sizePolicy()
        policy.setRetainSizeWhenHidden(True)
        button.setSizePolicy(policy)
        button.clicked.connect(lambda: self.edited.emit(self.field, self.field.default))
        return button

    def _lay_out(self) -> None:
        line = QHBoxLayout()
        line.setSpacing(Space.S)
        line.addWidget(self.editor, 1)
        line.addWidget(self.reset, 0, Qt.AlignmentFlag.AlignTop)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(Space.XS)
        if self.field.type != "bool":
            title = QLabel(self.field.title)
            title.setBuddy(self.editor)
            column.addWidget(title)
        column.addLayout(line)
        column.addWidget(self.help)
        column.addWidget(self.note)
        column.addWidget(self.error)


def _help(field: FieldInfo) -> str:
    if field.live:
        return field.help
    at_start = translate("SettingRow", "{help} Takes hold at the next start.")
    at_load = translate("SettingRow", "{help} Takes hold when the model is loaded next.")
    return (at_load if field.scope == "model" else at_start).format(help=field.help)


def _value_in_words(field: FieldInfo) -> str:
    if isinstance(field.default, bool):
        return translate("SettingRow", "on") if field.default else translate("SettingRow", "off")
    if field.default in ("", ()):
        return translate("SettingRow", "empty")
    if isinstance(field.default, tuple):
        return listed(field.default)
    is_number = isinstance(field.default, int | float)
    value = number_in_words(field.default) if is_number else choice_in_words(field.default)
    return f"{value} {field.unit}".strip()
