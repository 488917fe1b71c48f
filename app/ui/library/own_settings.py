"""The dialog in which a single model gets settings of its own, made from the same declarations as the settings."""

from __future__ import annotations

from itertools import groupby
from typing import Any, Final

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialog, QVBoxLayout, QWidget

from app.settings.declarations import Settings
from app.settings.fields import BadSetting, FieldInfo, for_models, sections, value_of
from app.settings.per_model import OwnSettings, applied, with_own
from app.ui.labels import caption, heading, scroll_area
from app.ui.library.text import own_words
from app.ui.preferences.checks import problem
from app.ui.preferences.row import SettingRow
from app.ui.preferences.words import in_words, misfit, title_of
from app.ui.theme import Space, TextRole

SIZE: Final = (560, 620)


class OwnSettingsDialog(QDialog):
    """Edits what one model has of its own. Has no buttons: a value that fits is in force as soon as it was entered.

    Signals:
        changed(FieldInfo, value): the model is to have this value; that of all models takes its own away.
    """

    changed = Signal(object, object)

    def __init__(self, name: str, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setWindowTitle(self.tr("Settings for {model}").format(model=name))
        self.resize(*SIZE)
        self._settings = Settings()
        self._own: OwnSettings = {}
        self.rows: dict[str, SettingRow] = {}
        self.summary = caption()
        explained = self.tr("What you change here holds for this model only. Everything else is as in the settings.")
        body = QWidget()
        column = QVBoxLayout(body)
        column.setContentsMargins(Space.XL, Space.L, Space.XL, Space.XL)
        column.setSpacing(Space.L)
        column.addWidget(heading(name, TextRole.TITLE))
        column.addWidget(caption(explained))
        column.addWidget(self.summary)
        self._add_rows(column)
        column.addStretch()
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(scroll_area(body))

    def show_settings(self, settings: Settings, own: OwnSettings) -> None:
        """Show what holds for all models and what this one has of its own."""
        self._settings, self._own = settings, own
        in_force = applied(settings, own)
        for name, row in self.rows.items():
            row.show_default(value_of(settings, row.field))
            row.show_value(value_of(in_force, row.field), resettable=name in own)
        self.summary.setText(own_words(own))
        self.summary.setVisible(bool(own))

    def _add_rows(self, column: QVBoxLayout) -> None:
        titles = {name: title_of(section) for name, section in sections().items()}
        for section, fields in groupby(for_models(), key=lambda field: field.section):
            column.addWidget(heading(titles[section]))
            for field in fields:
                row = self.rows[field.name] = SettingRow(in_words(field), self.tr("Back to what holds for all models"))
                row.edited.connect(self._on_edited)
                column.addWidget(row)

    def _on_edited(self, field: FieldInfo, value: Any) -> None:
        try:
            with_own(self._settings, self._own, field, value)
        except BadSetting:
            self.rows[field.name].show_error(misfit(field, value))
            return
        if sentence := problem(field, value):
            self.rows[field.name].show_error(sentence)
            return
        self.changed.emit(field, value)
